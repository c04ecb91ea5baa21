/** Failures of a server in the words of the command: its options instead of those of the library. */
import { TenonError } from '../../basics/failure.ts';
import { isTimeoutError } from '../../basics/timeout-error.ts';
import { isConnectionError } from '../../rpc/connection-error.ts';

const examine = 'tenon doctor with the same server says at which step it fails, and what mends it.';

/** The same failure with a hint that helps whoever typed the command; anything else as it is. */
export function explainFailure(thrown: unknown, configured: boolean): unknown {
  if (isTimeoutError(thrown)) {
    const hint = `A first run may still be installing: raise --timeout, or start the server once by hand. ${examine}`;
    return new TenonError(thrown.message, { cause: thrown, hint });
  }
  if (!isConnectionError(thrown) || thrown.reason !== 'exited') return thrown;
  const hint = configured
    ? `It gets the safe part of the environment alone: what it needs must stand in the "env" of its entry. ${examine}`
    : examine;
  return new TenonError(thrown.message, { cause: thrown, hint });
}
