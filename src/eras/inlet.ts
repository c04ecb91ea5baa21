/** The server's end of one connection: tells what came, decides the era per message, and keeps the two apart. */
import { type Clock, systemClock, type Timer } from '../basics/clock.ts';
import { nextTurn } from '../basics/next-turn.ts';
import type { AcceptOptions, Exchange, Inlet } from '../channels/channel.ts';
import type { Id, Message, Notification, Request } from '../rpc/message.ts';
import { readMessage } from '../rpc/message.ts';
import { codes, errorResponse } from '../rpc/protocol-error.ts';
import { CallTable } from './call-table.ts';
import type { Calls, Router, ServerEra } from './era.ts';

/** Makes an era for one connection. */
export type ServeEra = (seat: {
  router: Router;
  calls: Calls;
  standing: Exchange;
  clock: Clock;
}) => ServerEra;

/** The eras beside the one that a connection begins in, and how a message shows that it belongs to one of them. */
export interface OtherEras {
  readonly stateless: ServeEra;
  isStateless(request: Request): boolean;
}

/** Where a connection came to. */
interface InletSeat {
  readonly handshake: ServeEra;
  readonly others: OtherEras;
  /** Where messages go that belong to no request. */
  readonly standing: Exchange;
}

/** The most messages in one batch: each may be answered, with more than it took to send it. */
export const mostInBatch = 1_000;

export class EraInlet implements Inlet {
  readonly #calls: CallTable;
  readonly #handshake: ServerEra;
  readonly #eras: OtherEras;
  readonly #router: Router;
  readonly #standing: Exchange;
  readonly #clock: Clock;
  /** Made with its first request: a connection speaks one era as a rule. */
  #stateless: ServerEra | undefined;
  #open = true;
  #closing: Promise<void> | undefined;
  #drained = false;
  #drainTimer: Timer | undefined;
  #giveUp: (() => void) | undefined;

  /** `handshake` is not kept, so that it may know what this one connection is for. */
  constructor(router: Router, { handshake, others, standing }: InletSeat, options: AcceptOptions = {}) {
    this.#calls = new CallTable(router);
    this.#router = router;
    this.#standing = standing;
    this.#clock = options.clock ?? systemClock;
    this.#eras = others;
    this.#handshake = handshake(this.#seat());
  }

  get running(): number {
    return this.#calls.size;
  }

  receive(value: unknown, exchange: Exchange, bytes = 0): void {
    if (!this.#open) return;
    const inbound = readMessage(value);
    switch (inbound.kind) {
      case 'request': {
        const request = inbound.message;
        this.#calls.bytes = bytes;
        if (this.#calls.has(request.id)) this.#refuse(request, exchange);
        else if (this.#eras.isStateless(request)) this.#toStateless(request, exchange);
        else this.#handshake.request(request, exchange);
        return;
      }
      case 'notification':
        this.#notification(inbound.message, exchange);
        return;
      case 'response':
        // One that answers nothing is dropped: a response is never answered.
        if (inbound.id !== null && !this.#handshake.response(inbound.id, inbound)) {
          this.#stateless?.response(inbound.id, inbound);
        }
        return;
      case 'batch':
        this.#batch(inbound.members, exchange, bytes);
        return;
      case 'invalid':
        if (isUnanswerable(value)) return;
        exchange.send(errorResponse(this.#echo(inbound.id), codes.invalidRequest, inbound.reason));
    }
  }

  unreadable(reason: string, exchange: Exchange): void {
    if (this.#open) exchange.send(errorResponse(null, codes.parseError, reason));
  }

  /** Called again with a shorter grace it cuts the first one short. */
  close(reason: unknown, grace = 0): Promise<void> {
    this.#closing ??= this.#close(reason);
    this.#drainTimer?.cancel();
    if (grace <= 0) this.#giveUp?.();
    else if (!this.#drained) this.#drainTimer = this.#clock.after(grace, () => this.#giveUp?.(), true);
    return this.#closing;
  }

  async #close(reason: unknown): Promise<void> {
    this.#open = false;
    // Subscriptions and questions to a client that is gone would never end by themselves.
    this.#handshake.close(reason);
    this.#stateless?.close(reason);
    const given = new Promise<void>(resolve => {
      this.#giveUp = resolve;
    });
    await Promise.race([this.#calls.drained(), given]);
    this.#drained = true;
    this.#drainTimer?.cancel();
    this.#calls.abortAll(reason);
    // Handlers that heed their signal get the rest of this turn; others are given up.
    if (this.#calls.size > 0) await new Promise<void>(resolve => nextTurn(resolve));
    this.#router.left?.(reason);
  }

  #seat(): Parameters<ServeEra>[0] {
    return { router: this.#router, calls: this.#calls, standing: this.#standing, clock: this.#clock };
  }

  /** The id to answer a faulty message with: one that is in use would pass for the answer to that request. */
  #echo(id: Id | null): Id | null {
    return id !== null && this.#calls.has(id) ? null : id;
  }

  #refuse({ id }: Request, exchange: Exchange): void {
    const why = `the id ${JSON.stringify(id)} is in use by a request that has no answer yet`;
    exchange.send(errorResponse(null, codes.invalidRequest, why));
  }

  #toStateless(request: Request, exchange: Exchange): void {
    this.#stateless ??= this.#eras.stateless(this.#seat());
    this.#stateless.request(request, exchange);
  }

  #notification(notification: Notification, exchange: Exchange): void {
    if (notification.method === 'notifications/cancelled') {
      const id = notification.params?.['requestId'];
      const call = this.#calls.get(id as Id);
      if (call) this.#calls.cancel(call, new DOMException('the caller cancelled the request', 'AbortError'));
      return;
    }
    this.#handshake.notification(notification, exchange);
  }

  #batch(members: readonly unknown[], exchange: Exchange, bytes: number): void {
    if (!this.#handshake.batches || members.length === 0) {
      const why =
        members.length === 0 ? 'an empty batch' : 'batches are not part of this connection’s revision';
      exchange.send(errorResponse(null, codes.invalidRequest, `${why}; send one message at a time`));
      return;
    }
    if (members.length > mostInBatch) {
      const why = `a batch of ${members.length} messages; send ${mostInBatch} at most`;
      exchange.send(errorResponse(null, codes.invalidRequest, why));
      return;
    }
    const gathered = new BatchExchange(exchange);
    for (const member of members) {
      const inbound = Array.isArray(member) ? undefined : readMessage(member);
      if (inbound === undefined)
        gathered.send(errorResponse(null, codes.invalidRequest, 'a batch within a batch'));
      else if (inbound.kind === 'request' && this.#standsAlone(inbound.message)) {
        const why = 'initialize, and a request with an envelope of its own, must not be part of a batch';
        gathered.send(errorResponse(this.#echo(inbound.message.id), codes.invalidRequest, why));
      } else {
        if (inbound.kind === 'request' && !this.#calls.has(inbound.message.id))
          gathered.expect(inbound.message.id);
        this.receive(member, gathered, bytes / members.length);
      }
    }
    gathered.complete();
  }

  /** What opens a session, and what belongs to an era that knows no batches. */
  #standsAlone(request: Request): boolean {
    return request.method === 'initialize' || this.#eras.isStateless(request);
  }
}

/** Gathers the answers to one batch and sends them as one array when all are there; all else passes through. */
class BatchExchange implements Exchange {
  readonly #exchange: Exchange;
  readonly #expected = new Set<Id>();
  readonly #answers: Message[] = [];
  #read = false;
  #ended = false;
  /** One that was cancelled. */
  #dropped: Id | undefined;

  readonly principal?: string;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    if (exchange.principal !== undefined) this.principal = exchange.principal;
  }

  expect(id: Id): void {
    this.#expected.add(id);
  }

  send(message: Message | readonly Message[]): void {
    if (Array.isArray(message) || 'method' in message) {
      this.#exchange.send(message);
      return;
    }
    const answer = message as Message & { id: Id | null };
    this.#answers.push(answer);
    if (answer.id !== null) this.#expected.delete(answer.id);
    this.#flush();
  }

  dropped(id: Id): void {
    this.#expected.delete(id);
    this.#dropped = id;
    this.#flush();
  }

  complete(): void {
    this.#read = true;
    this.#flush();
  }

  #flush(): void {
    if (!this.#read || this.#expected.size > 0 || this.#ended) return;
    this.#ended = this.#answers.length > 0 || this.#dropped !== undefined;
    if (this.#answers.length > 0) this.#exchange.send(this.#answers.splice(0));
    // All were cancelled, so that the batch has no answer.
    else if (this.#dropped !== undefined) this.#exchange.dropped?.(this.#dropped);
  }
}

/** A faulty notification (a method and no id) or a faulty response: neither is ever answered. */
function isUnanswerable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { method } = value as { readonly method?: unknown };
  if (method === undefined || method === null) return 'result' in value || 'error' in value;
  return typeof method === 'string' && !('id' in value);
}
