/** Who is calling: the contract of `authenticate`, and the one for a fixed set of bearer tokens. */
import { isObject } from '../basics/json.ts';
import { sketch } from '../basics/sketch.ts';

/** The head of a request, before anything of it was trusted. */
export interface HttpHead {
  readonly method: string;
  /** Path and query, or the whole URL, as the runtime has it. */
  readonly url: string;
  /** The value of a header, its name in lower case. */
  header(name: string): string | undefined;
}

/** Who the caller proved to be: a stable name, never empty, that is never shown to others. */
export interface Identity {
  readonly principal: string;
}

/** Why the caller is not let in. */
export interface Denial {
  /** 401: it is not known who calls. 403: it is known, and may not. */
  readonly status: 401 | 403;
  /** The `WWW-Authenticate` header; `Bearer` for a 401 that has none. */
  readonly challenge?: string;
  /** For the caller to read. */
  readonly message?: string;
}

/**
 * Tells who sent a request. What it throws is answered with status 500 and reported, and so is whatever it gives that is
 * neither an identity nor a denial: nobody is let in by mistake.
 */
export type Authenticate = (request: HttpHead) => Identity | Denial | Promise<Identity | Denial>;

const utf8 = new TextEncoder();

/** What `authenticate` gave, checked, since it may be written without types. Throws when it says nothing that counts. */
export function readVerdict(given: unknown): Identity | Denial {
  const { principal, status, challenge, message }: Readonly<Record<string, unknown>> = isObject(given)
    ? given
    : {};
  if (status === undefined && typeof principal === 'string' && principal !== '') return { principal };
  if ((status === 401 || status === 403) && isText(challenge) && isText(message)) {
    return {
      status,
      ...(challenge === undefined ? {} : { challenge }),
      ...(message === undefined ? {} : { message }),
    };
  }
  throw new TypeError(
    `it gave ${sketch(given)}; give { principal } with a string that is not empty, or { status: 401 } or { status: 403 } with texts as challenge and message`,
  );
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/**
 * Knows callers by tokens of their own, compared in constant time: `bearer({ alice: 'token' })`. A principal may have
 * several, to change them without a gap. Throws a TypeError for an empty token, and when there is none at all.
 */
export function bearer(tokens: Readonly<Record<string, string | readonly string[]>>): Authenticate {
  const known = Object.entries(tokens).flatMap(([principal, own]) =>
    (typeof own === 'string' ? [own] : own).map(token => ({ principal, token: utf8.encode(token) })),
  );
  if (known.length === 0) throw new TypeError('bearer: no token is given, so that nobody could call');
  for (const { principal, token } of known) {
    if (token.length === 0) throw new TypeError(`bearer: the token of ${JSON.stringify(principal)} is empty`);
  }
  return request => {
    const header = request.header('authorization');
    if (header === undefined) {
      return { status: 401, challenge: 'Bearer', message: 'send a bearer token in the Authorization header' };
    }
    const [, given] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    const presented = utf8.encode(given ?? '');
    let principal: string | undefined;
    // Every token is looked at, whichever fits.
    for (const each of known) if (isSame(presented, each.token)) principal = each.principal;
    if (given !== undefined && principal !== undefined) return { principal };
    return { status: 401, challenge: 'Bearer error="invalid_token"', message: 'the token is not known here' };
  };
}

/** Takes as long for a wrong text as for the right one of the same length. */
function isSame(presented: Uint8Array, token: Uint8Array): boolean {
  let difference = presented.length ^ token.length;
  for (const [at, byte] of presented.entries()) difference |= byte ^ (token[at % token.length] ?? 0);
  return difference === 0;
}
