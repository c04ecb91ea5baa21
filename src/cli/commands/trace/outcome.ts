/** What came of what was recorded, and where to look for the reason; pure. */
import { isObject } from '../../../basics/json.ts';
import type { StepKind, TimelineStep } from './step.ts';

/** A step, by its place in the timeline. */
export interface OutcomeStep {
  readonly index: number;
  readonly step: TimelineStep;
}

export interface Outcome {
  /** `open`: the recording ends before what it is about. */
  readonly state: 'done' | 'failed' | 'open';
  /** What the recording is about: calls and runs; where there are none, whatever stands for itself. */
  readonly subjects: number;
  /** Those of them that failed, or never ended. */
  readonly about: readonly OutcomeStep[];
  /** Further steps that failed or never ended, inside of those or beside them, the innermost ones. */
  readonly causes: readonly OutcomeStep[];
}

/** Steps that others are part of, the more telling ones first; a request for something is what a client is told to do. */
const subjectTests: readonly ((step: TimelineStep) => boolean)[] = [
  ({ kind }) => kind === 'command',
  ({ kind }) => kind === 'call' || kind === 'run',
  asksForSomething,
];

/** Whether it is the request for a tool, a prompt or a resource. */
function asksForSomething({ kind, details: { request } }: TimelineStep): boolean {
  return kind === 'request' && isObject(request) && (request['name'] ?? request['uri']) !== undefined;
}

/** What a recording is never about unless it failed. */
const asides: readonly StepKind[] = ['note', 'notice'];

/** `ended`: whether the recording says so. */
export function findOutcome(steps: readonly TimelineStep[], ended: boolean): Outcome {
  const all = steps.map((step, index) => ({ step, index }));
  const tops = all.filter(({ step }) => step.depth === 0);
  const named = subjectTests
    .map(isSubject => tops.filter(({ step }) => isSubject(step)))
    .find(found => found.length > 0);
  const subjects = named ?? tops.filter(({ step }) => step.failed || !asides.includes(step.kind));
  const failed = subjects.filter(({ step }) => step.failed);
  const open = subjects.filter(({ step }) => step.to === undefined);
  const isCut = open.length > 0 || (subjects.length === 0 && !ended);
  const state = failed.length > 0 ? 'failed' : isCut ? 'open' : 'done';
  const about = state === 'failed' ? failed : open;
  const known = new Set(about.map(({ index }) => index));
  const isSuch = ({ failed: isFailed, to }: TimelineStep): boolean =>
    state === 'open' ? to === undefined : isFailed;
  let subject = -1;
  const inside = all.filter(({ step, index }) => {
    if (step.depth === 0) subject = index;
    const isOfOther = step.depth > 0 && about.length > 0 && !known.has(subject);
    return isSuch(step) && !known.has(index) && !isOfOther;
  });
  const found = inside.filter(
    ({ index }) => isTelling(steps, index, isSuch) && !hasInside(steps, index, isSuch),
  );
  return { state, subjects: subjects.length, about, causes: found.length > 0 ? found : inside };
}

/** Whether it says more than what is around it: the request that was made for a tool call says no more than the call. */
function isTelling(
  steps: readonly TimelineStep[],
  index: number,
  isSuch: (step: TimelineStep) => boolean,
): boolean {
  const step = steps[index];
  if (step?.kind !== 'request') return true;
  let at = index - 1;
  while (at >= 0 && (steps[at]?.depth ?? 0) >= step.depth) at -= 1;
  const around = steps[at];
  return asksForSomething(step) && !(around?.kind === 'tool' && isSuch(around));
}

/** Whether there is such a step inside of this one; the request that was made for a tool call says no more than the call. */
function hasInside(
  steps: readonly TimelineStep[],
  index: number,
  isSuch: (step: TimelineStep) => boolean,
): boolean {
  const depth = steps[index]?.depth ?? 0;
  for (let at = index + 1; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined || step.depth <= depth) return false;
    if (step.kind !== 'request' && isSuch(step)) return true;
  }
  return false;
}
