/** Where commands write, and how their failures read. */
import { messageOf, TenonError } from '../basics/failure.ts';

/** The two ways out of a command; each takes a text without its last line break. */
export interface Terminal {
  /** What the command was asked for. */
  print(text: string): void;
  /** Everything else. */
  warn(text: string): void;
}

/** The process's own standard output and error. */
export const processTerminal: Terminal = Object.freeze({
  print: (text: string) => void process.stdout.write(`${text}\n`),
  warn: (text: string) => void process.stderr.write(`${text}\n`),
});

/** A failure for whoever typed the command: a message and what to do; the stack too when it is a fault of ours. */
export function describeFailure(error: unknown): string {
  if (error instanceof TenonError) {
    return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  }
  return error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
}

/** Lines of two columns: a name and what it means. */
export function formatColumns(rows: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(rows).map(name => name.length));
  return Object.entries(rows)
    .map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
    .join('\n');
}
