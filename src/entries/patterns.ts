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
export { type ConsensusEvidence, type ConsensusOptions, consensus } from '../patterns/consensus.ts';
export { isPatternError, PatternError, type PatternErrorKind } from '../patterns/pattern-error.ts';
export { type ReactEvidence, type ReactOptions, reactLoop } from '../patterns/react.ts';
export type { Cost, PatternResult } from '../patterns/result.ts';
export type { ApprovalOutcome, PatternProgress, TraceEvent } from '../patterns/trace.ts';
export type { AnswerCount, VotingStrategy } from '../patterns/voting.ts';
export { type WithApprovalOptions, withApproval } from '../patterns/with-approval.ts';
