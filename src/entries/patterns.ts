/** The public names of `tenon/patterns`: from a model and a prompt to a result with its cost. */
export { BudgetError, isBudgetError } from '../models/budget-error.ts';
export type {
  Approval,
  ApprovalDecision,
  ApprovalOptions,
  ApprovalRequest,
  ApprovalTimeout,
  AskApproval,
} from '../patterns/approval/approval.ts';
export { type WithApprovalOptions, withApproval } from '../patterns/approval/with-approval.ts';
export { Budget, type BudgetLimits } from '../patterns/budget/budget.ts';
export type { RunSpending } from '../patterns/budget/counted-runs.ts';
export { type ConsensusEvidence, type ConsensusOptions, consensus } from '../patterns/consensus.ts';
export type { Checkpoint, CheckpointOptions } from '../patterns/contract/checkpoint.ts';
export { isPatternError, PatternError, type PatternErrorKind } from '../patterns/contract/pattern-error.ts';
export type { PatternOptions } from '../patterns/contract/pattern-options.ts';
export type { Cost, PatternResult } from '../patterns/contract/result.ts';
export type { ApprovalOutcome, Observers, PatternProgress, TraceEvent } from '../patterns/contract/trace.ts';
export {
  type MapReduceEvidence,
  type MapReduceOptions,
  type MapState,
  mapReduce,
} from '../patterns/map-reduce.ts';
export {
  type Pipe,
  type PipeEvidence,
  type PipeOptions,
  pipe,
  type Step,
  type StepContext,
  type StepEvidence,
} from '../patterns/pipe.ts';
export type { ReactCall, ReactState } from '../patterns/react/react-checkpoint.ts';
export type { ReactEvidence } from '../patterns/react/react-evidence.ts';
export { type ReactOptions, reactLoop } from '../patterns/react.ts';
export {
  type RefineEvidence,
  type RefineOptions,
  type RefineState,
  refine,
} from '../patterns/refine.ts';
export { type StructuredEvidence, type StructuredOptions, structured } from '../patterns/structured.ts';
export type { Judge, Verdict } from '../patterns/text/judge.ts';
export type { NormaliserName } from '../patterns/voting/normalisers.ts';
export type { AnswerCount, Normaliser, TieRule, VotingStrategy } from '../patterns/voting/voting.ts';
