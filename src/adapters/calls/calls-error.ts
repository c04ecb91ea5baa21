/** Calls of one turn of which not all came to a result; what the others gave is not lost. */
import { isFailure, messageOf, TenonError } from '../../basics/failure.ts';

/** A call that has no result. */
export interface FailedCall {
  readonly id: string;
  /** As the model knows the tool. */
  readonly name: string;
  readonly error: unknown;
}

/** At least one call failed in a way that the model cannot mend, or was aborted while others had ended. */
export class CallsError<Message = unknown> extends TenonError {
  override readonly name = 'CallsError';
  /**
   * The answers to all calls, in order, as they would have been returned; those to failed ones say that they failed. To
   * go on, hand them to the model; to ask the model again without them may do twice what was done already.
   */
  readonly messages: readonly Message[];
  readonly failures: readonly FailedCall[];

  /** `cause` is the first failure, or the signal's reason. */
  constructor(
    messages: readonly Message[],
    failures: readonly FailedCall[],
    cause: unknown = failures[0]?.error,
  ) {
    const count = `${failures.length} of ${messages.length} calls failed`;
    const hint = 'The answers to all calls are in `messages`; what was done is not to be asked for again.';
    super(`${count}: ${messageOf(cause)}`, { cause, hint }, ['CallsError']);
    this.messages = messages;
    this.failures = failures;
  }
}

/** Also across copies of the package. */
export function isCallsError(value: unknown): value is CallsError {
  return isFailure(value, 'CallsError');
}
