/** What the answer to the opening probe says about a server: a pure verdict per outcome. */
import { isTimeoutError } from '../basics/timeout-error.ts';
import { readObject } from '../protocol/identity.ts';
import { isConnectionError } from '../rpc/connection-error.ts';
import { isProtocolError } from '../rpc/protocol-error.ts';
import { statelessCodes, statelessRevisions } from './stateless/envelope.ts';
import { eraOf, latestOf } from './versions.ts';

/** How the probe ended. */
export type ProbeOutcome = { readonly result: unknown } | { readonly error: unknown };

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
  const { error } = outcome;
  if (isProtocolError(error)) return judgeError(error.code, error.data, error);
  if (isConnectionError(error)) return { era: 'gone' };
  if (isTimeoutError(error)) return { era: 'handshake' };
  return { era: 'unknown', error };
}

function judgeResult(result: unknown): Verdict {
  const offered = readObject(result)['supportedVersions'];
  // A lenient older server may answer anything with anything.
  if (!Array.isArray(offered) || !offered.some(each => typeof each === 'string')) return { era: 'handshake' };
  return choose(offered);
}

function judgeError(code: number, data: unknown, error: unknown): Verdict {
  if (code === statelessCodes.unsupportedVersion) {
    const { supported } = readObject(data);
    // What was asked for was just refused, whatever the list says.
    return choose(Array.isArray(supported) ? supported.filter(each => each !== latestOf('stateless')) : []);
  }
  const isStateless = code === statelessCodes.missingCapability || code === statelessCodes.headerMismatch;
  return isStateless ? { era: 'unknown', error } : { era: 'handshake' };
}

function choose(offered: readonly unknown[]): Verdict {
  const revision = statelessRevisions.find(ours => offered.includes(ours));
  if (revision !== undefined) return { era: 'stateless', revision };
  const named = offered.filter(theirs => typeof theirs === 'string');
  const era = named.some(theirs => eraOf(theirs) === 'handshake') ? 'handshake' : 'neither';
  return { era, offered: named };
}
