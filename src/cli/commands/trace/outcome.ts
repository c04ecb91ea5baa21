/** What came of what was recorded, and where to look for the reason; pure. */
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

/** Steps that others are part of, the more telling ones first. */
const subjectKinds: readonly (readonly StepKind[])[] = [['command'], ['call', 'run']];

/** What a recording is never about unless it failed. */
const asides: readonly StepKind[] = ['note', 'notice'];

export function findOutcome(steps: readonly TimelineStep[]): Outcome {
  const all = steps.map((step, index) => ({ step, index }));
  const tops = all.filter(({ step }) => step.depth === 0);
  const named = subjectKinds
    .map(kinds => tops.filter(({ step }) => kinds.includes(step.kind)))
    .find(found => found.length > 0);
  const subjects = named ?? tops.filter(({ step }) => step.failed || !asides.includes(step.kind));
  const failed = subjects.filter(({ step }) => step.failed);
  const open = subjects.filter(({ step }) => step.to === undefined);
  const state = failed.length > 0 ? 'failed' : open.length > 0 ? 'open' : 'done';
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
    ({ step: { kind }, index }) => kind !== 'request' && !hasInside(steps, index, isSuch),
  );
  return { state, subjects: subjects.length, about, causes: found.length > 0 ? found : inside };
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
