/** The public names of `tenon/patterns`: from a model and a prompt to a result with its cost. */
export { BudgetError, isBudgetError } from '../models/budget-error.ts';
export type {
  Approval,
  ApprovalDecision,
  ApprovalOptions,
  ApprovalRequest,
  ApprovalTimeout,
  AskApproval,
} from '../patterns/approval.ts';
export { Budget, type BudgetLimits } from '../patterns/budget.ts';
export type { Checkpoint } from '../patterns/checkpoint.ts';
export { type ConsensusEvidence, type ConsensusOptions, consensus } from '../patterns/consensus.ts';
export type { Judge, Verdict } from '../patterns/judge.ts';
export {
  type MapReduceEvidence,
  type MapReduceOptions,
  type MapState,
  mapReduce,
} from '../patterns/map-reduce.ts';
export type { NormaliserName } from '../patterns/normalisers.ts';
export { isPatternError, PatternError, type PatternErrorKind } from '../patterns/pattern-error.ts';
export type { PatternOptions } from '../patterns/pattern-options.ts';
export {
  type Pipe,
  type PipeEvidence,
  type PipeOptions,
  pipe,
  type Step,
  type StepContext,
  type StepEvidence,
} from '../patterns/pipe.ts';
export { type ReactEvidence, type ReactOptions, reactLoop } from '../patterns/react.ts';
export {
  type RefineEvidence,
  type RefineOptions,
  type RefineState,
  refine,
} from '../patterns/refine.ts';
export type { Cost, PatternResult } from '../patterns/result.ts';
export { type StructuredEvidence, type StructuredOptions, structured } from '../patterns/structured.ts';
export type { ApprovalOutcome, Observers, PatternProgress, TraceEvent } from '../patterns/trace.ts';
export type { AnswerCount, Normaliser, TieRule, VotingStrategy } from '../patterns/voting.ts';
export { type WithApprovalOptions, withApproval } from '../patterns/with-approval.ts';
