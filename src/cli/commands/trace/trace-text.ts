/** A timeline as text: one line for each step, for terminals and logs; pure. */
import { shorten } from '../../../basics/shorten.ts';
import type { Timeline, TimelineStep } from './timeline.ts';

/** Lines no wider than `width` characters. */
export function toTraceText({ command, started, steps, length, totals }: Timeline, width = 100): string {
  const head = `${command}, ${started}, ${seconds(length)}`;
  const sums =
    `${totals.modelCalls} model calls, ${totals.toolCalls} tool calls, ${totals.messages} messages, ` +
    `${totals.inputTokens} input and ${totals.outputTokens} output tokens`;
  return [head, sums, '', ...steps.map(step => shorten(describeStep(step), width))].join('\n');
}

function describeStep({ kind, title, from, to, failed, details }: TimelineStep): string {
  const took = to === undefined ? '  never ended' : to === from ? '' : ` ${seconds(to - from)}`;
  const mark = failed ? '✗' : ' ';
  const said = firstLine(details['text'] ?? details['result'] ?? details['message']);
  return `${seconds(from).padStart(9)} ${mark} ${kind.padEnd(7)} ${title}${took}${said === '' ? '' : `  ${said}`}`;
}

function firstLine(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return (text.split('\n').find(line => line.trim() !== '') ?? '').trim();
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
