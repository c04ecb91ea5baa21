/** The correctable failure of a tool: the model reads it and may try again. */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';

/** Where, in the `_meta` of a failed result, the data of a failure is that does not fit the tool's output schema. */
export const errorDataKey = 'tenon/error';

/**
 * Throw it in a tool to say that the call failed in a way the caller can mend. In an agent the message goes back to
 * the model within the tool's retry budget; on a server it becomes a result with `isError`.
 */
export class ToolError extends TenonError {
  override readonly name = 'ToolError';
  /**
   * Machine-readable detail. On a server an object becomes the result's structured content, or `tenon/error` of its
   * `_meta` when the tool has an output schema that it does not fit.
   */
  readonly data: unknown;

  constructor(message: string, options: { readonly data?: unknown } & FailureOptions = {}) {
    super(message, options, ['ToolError']);
    this.data = options.data;
  }
}

/** True for a `ToolError` of this or any other copy of the package. */
export function isToolError(value: unknown): value is ToolError {
  return isFailure(value, 'ToolError');
}
