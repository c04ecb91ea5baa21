/** Why an HTTP request failed, in full: what was sent where, what came back in one line, and what to try. */
import { messageOf } from '../basics/failure.ts';
import { excerpt } from '../basics/redact.ts';
import { ConnectionError, forRequest, type Outcome } from '../rpc/connection-error.ts';
import type { ReplyHead } from './channel.ts';
import { showUrl } from './http-client-options.ts';
import type { TransportFault } from './http-transport.ts';

/** What is known of a request that failed. */
export interface TripFacts {
  /** A method name, or what the request was for. */
  readonly phase: string;
  readonly verb: string;
  readonly url: string;
  /** Masked wherever the peer repeats them. */
  readonly secrets: readonly string[];
}

const shown = ({ verb, url }: TripFacts): string => `${verb} ${showUrl(url)}`;

/** The reply says by its status that the request was not carried out, or carried nothing that answers it. */
export function failureOfReply(facts: TripFacts, head: ReplyHead, body: string): ConnectionError {
  const { status } = head;
  const words = excerpt(body, facts.secrets);
  const said = words === '' ? '' : `: ${words}`;
  const retryAfterMs = readRetryAfter(head);
  return new ConnectionError(`${shown(facts)} was answered with status ${status}${said}`, {
    phase: facts.phase,
    reason: reasonOf(status),
    outcome: outcomeOf(status),
    retryable: [408, 429, 502, 503, 504].includes(status),
    status,
    retryAfterMs,
    hint: hintOf(status),
  });
}

function reasonOf(status: number): string {
  if (status === 401) return 'unauthorized';
  return status === 403 ? 'forbidden' : 'http-status';
}

/** A server that refuses says so; one that fails, or a gateway before it, may have begun. */
function outcomeOf(status: number): Outcome {
  if (status >= 400 && status < 500) return 'failed';
  return status === 503 ? 'failed' : 'unknown';
}

function hintOf(status: number): string {
  if (status === 401) return 'The server wants credentials: give them in the option "headers".';
  if (status === 403)
    return 'The credentials, or the host or origin of the request, are not allowed to do this.';
  if (status === 404 || status === 405)
    return 'Check the path of the URL: it must be the one MCP endpoint of the server.';
  if (status === 429 || status === 503)
    return 'The server is busy; try again later (`retryAfterMs` when it says when).';
  return 'The log of the server, or of the gateway before it, says more.';
}

/** A status that promises an answer, with a body that holds none; `body` is absent when it was JSON all the same. */
export function unusableReply(facts: TripFacts, head: ReplyHead, body: string | undefined): ConnectionError {
  const { status } = head;
  const type = head.header('content-type') ?? 'no content type';
  const empty = body?.trim() === '';
  // Of a page without words nothing is left to show.
  const sample = excerpt(body ?? '', facts.secrets);
  const found =
    body === undefined
      ? 'JSON that does not answer it'
      : `what is no JSON-RPC message (${type})${sample === '' ? '' : `: ${sample}`}`;
  const what = `with ${empty ? 'nothing' : found}`;
  return new ConnectionError(`${shown(facts)} was answered with status ${status} and ${what}`, {
    phase: facts.phase,
    reason: empty ? 'empty-reply' : 'unreadable-reply',
    outcome: 'unknown',
    status,
    hint: 'Something other than an MCP server may answer at this URL.',
  });
}

/** The reply stream is over and its answer never came. */
export function streamEnded(facts: TripFacts, head: ReplyHead, fault?: TransportFault): ConnectionError {
  const how = fault ? `was cut (${describe(fault.error, facts.secrets)})` : 'ended';
  return new ConnectionError(`${shown(facts)}: the reply stream ${how} before the answer came`, {
    phase: facts.phase,
    reason: fault ? 'stream-cut' : 'stream-ended',
    outcome: 'unknown',
    status: head.status,
    cause: fault?.error,
    hint: 'The server may have carried the request out all the same; a proxy between may cut streams that are idle.',
  });
}

/** The request was taken, and what failed is only to fetch the rest of its reply: sending it again could do it twice. */
export function restLost(error: ConnectionError): ConnectionError {
  return forRequest(error, error.phase, 'unknown', false);
}

/** No reply, or not all of one. */
export function unreachable(facts: TripFacts, fault: TransportFault): ConnectionError {
  const { unsent, error } = fault;
  const what = unsent ? 'could not be sent' : 'was sent, and the connection failed before the reply';
  return new ConnectionError(`${shown(facts)} ${what}: ${describe(error, facts.secrets)}`, {
    phase: facts.phase,
    reason: unsent ? 'connect-failed' : 'network',
    outcome: unsent ? 'not-sent' : 'unknown',
    retryable: unsent,
    cause: error,
    hint: unsent
      ? 'Check that the server runs, and that host, port and certificate are right.'
      : 'The server may have carried the request out all the same.',
  });
}

export function tooLong(facts: TripFacts, head: ReplyHead, limit: number): ConnectionError {
  return new ConnectionError(`${shown(facts)}: the reply is longer than ${limit} bytes, which is the limit`, {
    phase: facts.phase,
    reason: 'reply-too-long',
    outcome: 'unknown',
    status: head.status,
    hint: 'Raise the option "replyLimit" if the server really answers with that much.',
  });
}

export function refusedRedirect(facts: TripFacts, status: number, to: string): ConnectionError {
  const target = URL.canParse(to, facts.url) ? showUrl(new URL(to, facts.url)) : 'nowhere that can be read';
  return new ConnectionError(
    `${shown(facts)} was redirected (status ${status}) to ${target}, which is not followed`,
    {
      phase: facts.phase,
      reason: 'redirected',
      outcome: 'failed',
      status,
      hint: 'Only 307 and 308 within the same origin are followed, five times; give the final URL if you trust it.',
    },
  );
}

export function headersFailed(facts: TripFacts, error: unknown): ConnectionError {
  return new ConnectionError(
    `${shown(facts)} was not sent: its headers could not be had: ${messageOf(error)}`,
    {
      phase: facts.phase,
      reason: 'headers-failed',
      outcome: 'not-sent',
      cause: error,
      hint: 'The function given as "headers" failed.',
    },
  );
}

/** We closed the connection ourselves. */
export function closedHere(label: string): ConnectionError {
  const facts = { phase: 'close', reason: 'closed', outcome: 'unknown' } as const;
  return new ConnectionError(`the connection to ${label} was closed`, facts);
}

/** `fetch failed` says nothing; the code and the message behind it do. */
function describe(error: unknown, secrets: readonly string[]): string {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const inner = cause instanceof Error ? cause : error;
  const { code } = (inner ?? {}) as { readonly code?: unknown };
  const message = messageOf(inner);
  return excerpt(
    typeof code === 'string' && !message.includes(code) ? `${code} ${message}` : message,
    secrets,
  );
}

/** Seconds, or a date, which counts from the server's own when it gives one. */
function readRetryAfter(head: ReplyHead): number | undefined {
  const text = head.header('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  const from = Date.parse(head.header('date') ?? '');
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Number.isNaN(from) ? Date.now() : from));
}
