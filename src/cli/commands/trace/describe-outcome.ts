/** What came of a recording, in words: for the head of its text and of its page; pure. */

import { isObject } from '../../../basics/json.ts';
import { shorten } from '../../../basics/shorten.ts';
import { count } from '../../print.ts';
import type { Outcome, OutcomeStep } from './outcome.ts';
import { countOf, firstLine, reasonOf } from './read-value.ts';
import type { TimelineStep } from './step.ts';
import type { Timeline } from './timeline.ts';

/** Characters of a reason. */
const longestReason = 2000;

/** Such as `failed after 3.20 s`. */
export function describeOutcome({ outcome, length }: Pick<Timeline, 'outcome' | 'length'>): string {
  const { state, subjects, about } = outcome;
  const [first] = about;
  if (first === undefined && state !== 'open') return `done in ${seconds(length)}`;
  const one = subjects === 1 || first === undefined;
  const what = one ? '' : `${about.length} of ${count(subjects, first.step.kind)} `;
  if (state === 'open' || first === undefined) {
    return `${what}never ended; the recording stops after ${seconds(length)}`;
  }
  const { from, to = length } = first.step;
  return one ? `failed after ${seconds(to === from ? to : to - from)}` : `${what}failed`;
}

/** What stands before the causes. */
export const causeLabels: Readonly<Record<Outcome['state'], string>> = {
  done: 'failed on the way',
  failed: 'what failed inside',
  open: 'what went on',
};

/** What is counted, and how often. */
export function totalsOf({ totals, steps }: Timeline): readonly (readonly [string, number])[] {
  const { modelCalls, toolCalls, inputTokens, outputTokens, messages } = totals;
  const ofRuns: readonly (readonly [string, number])[] = [
    ['model calls', modelCalls],
    ['tool calls', toolCalls],
    ['tokens in', inputTokens],
    ['tokens out', outputTokens],
  ];
  return [
    ...(ofRuns.some(([, number]) => number > 0) ? ofRuns : []),
    ['messages', messages],
    ['failed steps', steps.filter(({ failed }) => failed).length],
  ];
}

/** Why a subject failed, or what it is that never ended. */
export function describeReason({ step }: OutcomeStep): string {
  const { error } = step.details;
  if (step.failed) return shorten((error === undefined ? '' : reasonOf(error)) || step.said, longestReason);
  return `went on since ${seconds(step.from)}`;
}

/** A cause for people. */
export interface GatheredCause {
  readonly first: OutcomeStep;
  /** How often the same happened. */
  readonly times: number;
  /** Empty where what failed because of it says so already. */
  readonly reason: string;
}

/** Those that say the same are one. */
export function gatherCauses({ about, causes }: Outcome): readonly GatheredCause[] {
  const said = about.map(describeReason);
  const found = new Map<string, GatheredCause>();
  for (const first of causes) {
    const why = describeReason(first);
    const key = `${first.step.kind} ${why}`;
    const times = (found.get(key)?.times ?? 0) + 1;
    const reason = said.some(each => each.includes(why)) ? '' : why;
    found.set(key, { first: found.get(key)?.first ?? first, times, reason });
  }
  return [...found.values()];
}

/** What a step is about, on one line. */
export function describeSubject({ kind, title }: TimelineStep): string {
  return firstLine(`${kind} ${title}`);
}

/** Of a model request: tokens in and out. */
export function tokensOf({ details: { tokens } }: TimelineStep): string {
  if (!isObject(tokens)) return '';
  const [taken, given] = [countOf(tokens['in']), countOf(tokens['out'])];
  return `${taken.toLocaleString('en')} → ${given.toLocaleString('en')} tokens`;
}

export function tookOf({ from, to }: TimelineStep): string {
  if (to === undefined) return 'no end';
  return to === from ? '' : seconds(to - from);
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const whole = Math.round(ms / 1000);
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60).toLocaleString('en')} h ${minutes % 60} min`;
}
