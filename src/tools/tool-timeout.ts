/** The error of a tool that did not finish within its own time. */
import { TimeoutError } from '../basics/timeout-error.ts';

/** `ms` is the tool's limit in milliseconds. */
export function toolTimeoutError(tool: string, ms: number): TimeoutError {
  return new TimeoutError(`tool "${tool}" did not finish within ${ms} ms`, {
    phase: `tool ${tool}`,
    limit: 'tool',
    ms,
    hint: 'Raise its timeout, or make it stop when ctx.signal aborts.',
  });
}
