/** How what commands print reads: failures, columns, and texts of others. */
import { messageOf, TenonError } from '../basics/failure.ts';
import { inCommandWords } from './option-names.ts';

/** A failure for whoever typed the command: a message and what to do; the stack too when it is a fault of ours. */
export function describeFailure(error: unknown): string {
  if (error instanceof TenonError) {
    // What a server or a model said in it must not pass for a line of the command's own.
    const message = indentRest(error.name === 'RunError' ? inCommandWords(error.message) : error.message);
    return error.hint === undefined ? message : `${message}\n${inCommandWords(error.hint)}`;
  }
  return error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
}

/** A text of others behind words of ours: its further lines are set in, so that none looks like a line of ours. */
export function indentRest(text: string): string {
  return text.replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ');
}

/** Lines of two columns: a name and what it means. */
export function formatColumns(rows: Readonly<Record<string, string>>, width: number): string {
  return Object.entries(rows)
    .map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
    .join('\n');
}

/** A text of a server on one line, without what would steer the terminal. */
export function plainLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\p{Cc}|\p{Cf}/gu, '');
}

/** A number and its noun. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** A text of a server with its lines and tabs, without what would steer the terminal. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}|\p{Cf}/gu, '');
}

/** A value as JSON on one line in which nothing is hidden: signs that cannot be seen are written as numbers. */
export function showValue(value: unknown): string {
  const json = JSON.stringify(value) ?? 'undefined';
  return json.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, sign => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
