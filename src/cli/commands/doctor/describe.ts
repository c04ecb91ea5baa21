/** A check-up as lines to read: one for each step as it ends, and under it what is wrong and what mends it. */
import type { Terminal } from '../../terminal.ts';
import type { DoctorReport, ServerReport, StepReport } from './report.ts';

type Paint = Terminal['paint'];

const looks = { ok: 'green', wrong: 'yellow', failed: 'red' } as const;

/** Where details begin; what does not fit beside them goes on below, set in. */
const indent = ' '.repeat(35);

/** `columns` are those of the terminal; lines of any length where there is none. */
export function describeStep(
  { step, outcome, ms, details, findings }: StepReport,
  paint: Paint,
  columns: number = Number.POSITIVE_INFINITY,
): string {
  const word = paint(looks[outcome], outcome.padEnd(6));
  const time = paint('dim', `${ms.toLocaleString('en')} ms`.padStart(9));
  const [first = '', ...others] = details.flatMap(detail => wrap(detail, columns - indent.length));
  return [
    `  ${word}  ${step.padEnd(12)}  ${time}  ${first}`.trimEnd(),
    ...others.map(detail => `${indent}${detail}`),
    ...findings.flatMap(({ cause, remedy }) => [
      `          ${paint(looks[outcome], 'cause')}: ${cause}`,
      `          ${paint('bold', 'remedy')}: ${remedy}`,
    ]),
  ].join('\n');
}

/** Broken between words alone. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines;
}

/** What it said last on stderr, when something is wrong with it. */
export function describeStderr({ ok, stderr }: ServerReport, paint: Paint): string[] {
  if (ok || stderr.length === 0) return [];
  return [`  its last lines on stderr:`, ...stderr.map(line => `    ${paint('dim', line)}`)];
}

export function describeVerdict({ ok, environment, servers }: DoctorReport, paint: Paint): string {
  if (ok) return paint('green', 'All is well.');
  const ill = servers.filter(server => !server.ok).map(({ name }) => name);
  const around = environment.some(({ outcome }) => outcome !== 'ok') ? ['the environment'] : [];
  return paint('red', `Something is wrong with: ${[...around, ...ill].join(', ')}.`);
}
