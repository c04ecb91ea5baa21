/** What the answer to the opening probe says about a server: a pure verdict per outcome. */
import { isTimeoutError } from '../basics/timeout-error.ts';
import { readObject } from '../protocol/identity.ts';
import { isConnectionError } from '../rpc/connection-error.ts';
import { isProtocolError } from '../rpc/protocol-error.ts';
import { statelessCodes, statelessRevisions } from './stateless/envelope.ts';
import { eraOf, latestOf } from './versions.ts';

/** How the probe ended. */
export type ProbeOutcome =
  | { readonly result: unknown }
  | {
      readonly error: unknown;
      /** Status of the HTTP reply, where there was one. */
      readonly status?: number | undefined;
      /** The failure concerns this request alone; the connection is still there. */
      readonly alive?: boolean;
    };

export type Verdict =
  /** The server speaks the stateless era in a revision we know. */
  | { readonly era: 'stateless'; readonly revision: string }
  /** It does not, or not recognisably; `initialize` on the same connection is worth a try. */
  | { readonly era: 'handshake'; readonly offered?: readonly string[] }
  /** It speaks the stateless era, but no revision of it that we know, and none of the other era. */
  | { readonly era: 'neither'; readonly offered: readonly string[] }
  /** The connection is gone; a fresh one may do better when it begins with `initialize`. */
  | { readonly era: 'gone' }
  /** No evidence either way: the failure is the caller's business. */
  | { readonly era: 'unknown'; readonly error: unknown };

/** Judges one outcome. Everything that is not recognisably of the stateless era counts as the handshake era. */
export function judgeProbe(outcome: ProbeOutcome): Verdict {
  if ('result' in outcome) return judgeResult(outcome.result);
  const { error, status, alive } = outcome;
  if (isProtocolError(error)) return judgeError(error.code, error.data, error, status);
  if (isConnectionError(error)) {
    if (alive !== true) return { era: 'gone' };
    const told = error.status ?? status;
    // Without any reply there is nothing to judge, unless the reply was there and merely broke off.
    const isEvidence = told === undefined ? error.reason === 'stream-ended' : isEvidenceStatus(told);
    return isEvidence ? { era: 'handshake' } : { era: 'unknown', error };
  }
  if (isTimeoutError(error)) return { era: 'handshake' };
  return { era: 'unknown', error };
}

function judgeResult(result: unknown): Verdict {
  const offered = readObject(result)['supportedVersions'];
  // A lenient older server may answer anything with anything.
  if (!Array.isArray(offered) || !offered.some(each => typeof each === 'string')) return { era: 'handshake' };
  return choose(offered);
}

/** Who may not come in, a server that fails, a busy one and a redirect say nothing of what the server speaks. */
function isEvidenceStatus(status: number): boolean {
  if (status >= 200 && status < 300) return true;
  return status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status);
}

function judgeError(code: number, data: unknown, error: unknown, status = 200): Verdict {
  if (code === statelessCodes.unsupportedVersion) {
    const { supported } = readObject(data);
    // What was asked for was just refused, whatever the list says.
    return choose(Array.isArray(supported) ? supported.filter(each => each !== latestOf('stateless')) : []);
  }
  const isStateless = code === statelessCodes.missingCapability || code === statelessCodes.headerMismatch;
  return isStateless || !isEvidenceStatus(status) ? { era: 'unknown', error } : { era: 'handshake' };
}

function choose(offered: readonly unknown[]): Verdict {
  const revision = statelessRevisions.find(ours => offered.includes(ours));
  if (revision !== undefined) return { era: 'stateless', revision };
  const named = offered.filter(theirs => typeof theirs === 'string');
  const era = named.some(theirs => eraOf(theirs) === 'handshake') ? 'handshake' : 'neither';
  return { era, offered: named };
}
