/** The typed end of a task that was cancelled. */
import { isFailure, TenonError } from '../../basics/failure.ts';

/** The task was cancelled, by this client or by somebody else, before it came to a result. */
export class TaskCancelledError extends TenonError {
  override readonly name = 'TaskCancelledError';
  readonly taskId: string;

  constructor(taskId: string, statusMessage: string | undefined) {
    const why = statusMessage === undefined ? '' : `: ${statusMessage}`;
    super(`tools/call: the task ${taskId} was cancelled${why}`, {}, ['TaskCancelledError']);
    this.taskId = taskId;
  }
}

/** True for a `TaskCancelledError` of this or any other copy of the package. */
export function isTaskCancelled(value: unknown): value is TaskCancelledError {
  return isFailure(value, 'TaskCancelledError');
}
