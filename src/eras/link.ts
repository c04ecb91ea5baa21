/** One open connection of a client with its requests: sends, correlates, and hands on what the peer starts. */
import type { Clock, Timer } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import type {
  Channel,
  CloseOptions,
  Connection,
  Diagnostic,
  Receiver,
  ReplyHead,
  StandingStream,
} from '../channels/channel.ts';
import { ConnectionError, forRequest } from '../rpc/connection-error.ts';
import { Inflight, type OutgoingRequest } from '../rpc/inflight.ts';
import {
  type ErrorBody,
  type Id,
  type Message,
  type Notification,
  type Params,
  type Request,
  readMessage,
} from '../rpc/message.ts';
import { oddityOf } from '../rpc/oddity.ts';
import { codes } from '../rpc/protocol-error.ts';
import type { Dress } from './dress.ts';

/** How long an answer without id waits for the one in flight to be answered properly, in milliseconds. */
const strayErrorWait = 250;

/** What the peer starts by itself; an era takes these over once it is chosen. */
export interface PeerHandlers {
  request(request: Request, of: Id | undefined): void;
  notification(notification: Notification, of: Id | undefined): void;
}

export interface LinkOptions {
  readonly clock: Clock;
  diagnostic(diagnostic: Diagnostic): void;
  /** Any sign of life of the peer. */
  activity?(kind: 'output' | 'stderr'): void;
  /** The connection is gone; called once. */
  closed?(error: ConnectionError): void;
}

/** Opens with `Link.open`; use `request`, `notify`, `respond`. */
export class Link implements Receiver {
  readonly inflight: Inflight;
  readonly clock: Clock;
  handlers: PeerHandlers | undefined;
  /** Used only where each request has a reply of its own. */
  dress: Dress | undefined;
  readonly #options: LinkOptions;
  #connection: Connection | undefined;
  #closed: ConnectionError | undefined;
  readonly #gone = new AbortController();
  #lastId = 0;
  readonly #oddities = new Set<string>();
  /** What came before an era was chosen, in order. */
  #early: [Request | Notification, Id | undefined][] = [];
  readonly #strays = new Set<Timer>();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.inflight = new Inflight(options.clock);
  }

  static async open(channel: Channel, options: LinkOptions, signal: AbortSignal): Promise<Link> {
    const link = new Link(options);
    link.#connection = await channel.open(link, { signal, clock: options.clock });
    return link;
  }

  get replyStreams(): boolean {
    return this.#connection?.replyStreams ?? false;
  }

  /** Aborts when the connection is gone, for what waits without a request. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Why the connection is gone, once it is. */
  get lost(): ConnectionError | undefined {
    return this.#closed;
  }

  /** A fresh id: small integers, since some servers know no other. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  request(
    id: number,
    params: Params | undefined,
    request: OutgoingRequest,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const { method, signal, until } = request;
    if (this.#closed) return Promise.reject(forRequest(this.#closed, method, 'not-sent'));
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (until?.aborted) return Promise.reject(until.reason);
    const answer = this.inflight.start(id, request);
    const message =
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
    this.#send(message as Request, headers);
    return answer;
  }

  notify(method: string, params?: Params): void {
    if (this.#closed) return;
    const message = params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
    this.#send(message as Notification);
  }

  respond(id: Id, answer: { readonly result: unknown } | { readonly error: ErrorBody }): void {
    if (!this.#closed) this.#send({ jsonrpc: '2.0', id, ...answer });
  }

  abandon(id: Id): void {
    this.#connection?.abandon(id);
  }

  /** Opens the stream for what belongs to no request, where there is such a thing. Returns what leaves it. */
  listen(stream: StandingStream): (() => void) | undefined {
    return this.#closed ? undefined : this.#connection?.listen?.(stream);
  }

  /** Whether the user wants that stream whatever needs it. */
  get listensAlways(): boolean {
    return this.#connection?.listensAlways ?? false;
  }

  /** Says goodbye; `close` waits for it, within bounds. */
  farewell(headers: Readonly<Record<string, string>>): void {
    void this.#connection?.farewell?.(headers);
  }

  #send(message: Message, headers?: Readonly<Record<string, string>>): void {
    const connection = this.#connection;
    if (!connection) return;
    if (connection.replyStreams && this.dress) connection.send(message, this.dress.wear(message, headers));
    else connection.send(message, headers ? { headers } : undefined);
  }

  diagnostic(diagnostic: Diagnostic): void {
    this.#options.diagnostic(diagnostic);
  }

  async close(how?: CloseOptions): Promise<void> {
    await this.#connection?.close(how);
    this.closed(new ConnectionError('the connection was closed by this client', closedHere));
  }

  /** Lets the chosen era take over, beginning with what came while none was chosen. */
  handOver(handlers: PeerHandlers): void {
    this.handlers = handlers;
    const early = this.#early;
    this.#early = [];
    for (const [message, of] of early) this.#dispatch(message, of);
  }

  message(value: unknown, of?: Id): void {
    if (of !== undefined) this.inflight.touch(of);
    const inbound = readMessage(value);
    switch (inbound.kind) {
      case 'response':
        this.#noteOddity(value);
        this.#answered(inbound, of);
        return;
      case 'request':
      case 'notification':
        this.#dispatch(inbound.message, of);
        return;
      case 'batch':
        for (const member of inbound.members) if (!Array.isArray(member)) this.message(member, of);
        return;
      case 'invalid':
        this.diagnostic({
          kind: 'invalid-message',
          message: `skipped what is no JSON-RPC message: ${inbound.reason}`,
        });
        if (inbound.id !== null && !hasMethod(value)) this.#emptyAnswer(inbound.id);
    }
  }

  reply(of: Id, head: ReplyHead): void {
    this.dress?.replied?.(of, head);
  }

  touched(of: Id): void {
    this.inflight.touch(of);
  }

  ended(of: Id, error?: ConnectionError): void {
    const why =
      error ??
      new ConnectionError('the reply stream ended without an answer', {
        phase: 'read',
        reason: 'stream-ended',
        outcome: 'unknown',
      });
    this.inflight.fail(of, why);
  }

  closed(error: ConnectionError): void {
    if (this.#closed) return;
    this.#closed = error;
    for (const timer of this.#strays) timer.cancel();
    this.#strays.clear();
    this.inflight.failAll(error);
    this.#gone.abort(error);
    this.#options.closed?.(error);
  }

  activity(kind: 'output' | 'stderr'): void {
    this.#options.activity?.(kind);
  }

  #dispatch(message: Request | Notification, of: Id | undefined): void {
    const { handlers } = this;
    try {
      if (!handlers) this.#keepEarly(message, of);
      else if ('id' in message) handlers.request(message, of);
      else handlers.notification(message, of);
    } catch (thrown) {
      // A callback of the user's failed, which is no reason to stop reading.
      this.diagnostic({
        kind: 'handler-failed',
        message: `a handler of ${message.method} failed: ${messageOf(thrown)}`,
        data: thrown,
      });
    }
  }

  /** A ping is answered at once: the server may wait for it before it goes on. */
  #keepEarly(message: Request | Notification, of: Id | undefined): void {
    if ('id' in message && message.method === 'ping') this.respond(message.id, { result: {} });
    else if (this.#early.length < 1000) this.#early.push([message, of]);
  }

  /** What names a request of ours and neither answers nor asks would leave it waiting for ever. */
  #emptyAnswer(id: Id): void {
    const message = 'the answer has neither a result nor an error';
    this.inflight.settle(id, { error: { code: codes.internalError, message } });
  }

  /** Each oddity is told once: the peer has it in every answer. */
  #noteOddity(response: unknown): void {
    const oddity = oddityOf(response as object);
    if (!oddity || this.#oddities.has(oddity.word)) return;
    this.#oddities.add(oddity.word);
    this.diagnostic({ kind: 'odd-answer', message: oddity.message, data: oddity.word });
  }

  #answered(
    answer: { readonly id: Id | null; readonly result?: unknown; readonly error?: ErrorBody },
    of?: Id,
  ): void {
    if (answer.id !== null) {
      if (this.inflight.settle(answer.id, answer)) return;
      this.diagnostic({
        kind: 'unknown-response',
        message: `dropped an answer to ${JSON.stringify(answer.id)}, for which no request is waiting`,
      });
    } else if (answer.error && of !== undefined) {
      this.inflight.settle(of, answer);
    } else if (answer.error) this.#strayError(answer.error);
    else this.diagnostic({ kind: 'unknown-response', message: 'dropped a result without an id' });
  }

  /** An error that names no request fails the only one in flight, unless its own answer follows shortly. */
  #strayError(error: ErrorBody): void {
    this.diagnostic({
      kind: 'error-without-id',
      message: `the peer sent an error without an id: ${error.message} (${error.code})`,
    });
    const suspect = this.inflight.only;
    if (suspect === undefined) return;
    const timer = this.clock.after(strayErrorWait, () => {
      this.#strays.delete(timer);
      this.inflight.settle(suspect, { error });
    });
    this.#strays.add(timer);
  }
}

function hasMethod(value: unknown): boolean {
  const { method } = value as { readonly method?: unknown };
  return method !== undefined && method !== null;
}

const closedHere = { phase: 'close', reason: 'closed', outcome: 'unknown' } as const;
