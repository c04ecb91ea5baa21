/** The correctable failure of a tool: the model reads it and may try again. */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';

/**
 * Throw it in a tool to say that the call failed in a way the caller can mend. In an agent the message goes back to
 * the model within the tool's retry budget; on a server it becomes a result with `isError`.
 */
export class ToolError extends TenonError {
  override readonly name = 'ToolError';
  /** Machine-readable detail; on a server it becomes the result's structured content when it is an object. */
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
