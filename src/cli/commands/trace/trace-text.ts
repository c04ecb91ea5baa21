/** A timeline as text: what came of it, then one line for each step, for terminals and logs; pure. */
import { shorten } from '../../../basics/shorten.ts';
import { plainText } from '../../print.ts';
import type { Style } from '../../terminal.ts';
import {
  causeLabels,
  describeOutcome,
  describeReason,
  describeSubject,
  type GatheredCause,
  gatherCauses,
  seconds,
  tokensOf,
  tookOf,
  totalsOf,
} from './describe-outcome.ts';
import type { TimelineStep } from './step.ts';
import type { Timeline } from './timeline.ts';

export interface TraceTextOptions {
  /** Characters of a line at most; 100 unless set. */
  readonly width?: number | undefined;
  readonly paint?: ((style: Style, text: string) => string) | undefined;
}

/** Causes, and failed subjects, that are listed before the steps. */
const mostListed = 5;
/** Lines that one of them takes at most. */
const mostLines = 6;

export function toTraceText(
  timeline: Timeline,
  { width = 100, paint = asIs }: TraceTextOptions = {},
): string {
  const { command, started, steps, outcome } = timeline;
  const { state, about } = outcome;
  const room = Math.max(width, 20);
  const causes = gatherCauses(outcome);
  const reasons = about.map(each => ({ first: each, times: 1, reason: describeReason(each) }));
  const list = (entries: readonly GatheredCause[]): readonly string[] => [
    ...entries.slice(0, mostListed).flatMap(each => wrap(describeCause(each), room)),
    ...(entries.length > mostListed ? [`  and ${entries.length - mostListed} more`] : []),
  ];
  const lines = steps.map(step => {
    const line = shorten(oneLine(describeStep(step)), room);
    return step.failed ? paint('red', line) : line;
  });
  return [
    ...wrap(`${command}, ${started}: ${describeOutcome(timeline)}`, room, ''),
    ...wrap(
      totalsOf(timeline)
        .map(([name, number]) => `${name} ${number.toLocaleString('en')}`)
        .join(', '),
      room,
      '',
    ),
    ...list(reasons),
    ...(causes.length > 0 ? [`${causeLabels[state]}:`] : []),
    ...list(causes),
    '',
    ...lines,
  ].join('\n');
}

function describeCause({ first: { step }, times, reason }: GatheredCause): string {
  const often = times > 1 ? `, ${times} times` : '';
  return `at ${seconds(step.from)}${often}, ${describeSubject(step)}${reason === '' ? '' : `: ${reason}`}`;
}

/** On lines of that width, what follows the first further in. */
function wrap(text: string, width: number, indent = '  '): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of oneLine(text).split(/ +/)) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (longer.length <= width) line = longer;
    else {
      if (line.trim() !== '') lines.push(line);
      line = shorten(`${indent}  ${word}`, width);
    }
  }
  lines.push(line);
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), `${indent}  …`];
}

function describeStep(step: TimelineStep): string {
  const { kind, title, said, from, depth, failed } = step;
  const what = [kind, title, tokensOf(step)].filter(each => each !== '').join(' ');
  const indent = '  '.repeat(Math.min(depth, 10));
  const times = `${seconds(from).padStart(9)} ${tookOf(step).padStart(9)}`;
  return `${times} ${failed ? '✗' : ' '} ${indent}${what}${said === '' ? '' : `  ${said}`}`;
}

/** Without what would steer the terminal; unlike `plainLine` it keeps what is laid out. */
function oneLine(text: string): string {
  return plainText(text).replace(/\n|\t|\p{Zl}|\p{Zp}/gu, ' ');
}

function asIs(_style: Style, text: string): string {
  return text;
}
