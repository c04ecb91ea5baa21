/** The stateless era on a server: each request on its own, with all that is known of its client in its envelope. */
import { onAbort } from '../../basics/abort.ts';
import type { Exchange } from '../../channels/channel.ts';
import type { Outcome } from '../../protocol/call.ts';
import type { Change } from '../../protocol/change.ts';
import type { Notification, Request } from '../../rpc/message.ts';
import { codes } from '../../rpc/protocol-error.ts';
import type { ServerEra, Visitor } from '../era.ts';
import { StatelessCall, type StatelessSeat } from './call.ts';
import { DiscoverCall } from './discover-call.ts';
import { type Envelope, metaKeys, readEnvelope, statelessRevisions, wrapResult } from './envelope.ts';
import { type WatchedTopics, watchTopics } from './topics.ts';
import { acknowledgement, readFilter, tagged } from './watch.ts';

/** A subscription that stands on this connection. */
interface Subscription {
  readonly call: StatelessCall;
  readonly stop: () => void;
}

export class StatelessServer implements ServerEra {
  readonly batches = false;
  readonly #seat: StatelessSeat;
  readonly #subscriptions = new Set<Subscription>();

  constructor(seat: StatelessSeat) {
    this.#seat = seat;
  }

  request(request: Request, exchange: Exchange): void {
    const read = readEnvelope(request);
    if ('error' in read) {
      exchange.send({ jsonrpc: '2.0', id: request.id, error: read.error });
      return;
    }
    this.serve(request, exchange, read.envelope);
  }

  /** As `request`, with the envelope that was read from it. */
  serve(request: Request, exchange: Exchange, envelope: Envelope): void {
    if (request.method === 'server/discover') this.#discover(request, exchange, envelope);
    else if (request.method === 'subscriptions/listen') this.#listen(request, exchange, envelope);
    else this.#run(request, exchange, envelope);
  }

  notification(_notification: Notification, _exchange: Exchange): void {
    // The only one this era knows is a cancellation, which the connection deals with.
  }

  response(): boolean {
    return false;
  }

  close(): void {
    for (const subscription of [...this.#subscriptions]) this.#end(subscription);
  }

  #run(request: Request, exchange: Exchange, envelope: Envelope): void {
    const call = new StatelessCall(request, exchange, envelope, this.#seat);
    // Leaving a reply stream is how a client cancels where it has one.
    whenGone(exchange, reason => this.#seat.calls.cancel(call, reason));
    this.#seat.calls.run(call);
  }

  #discover(request: Request, exchange: Exchange, envelope: Envelope): void {
    const { router, calls } = this.#seat;
    if (router.prepare) {
      const call = new DiscoverCall(request, exchange, envelope, this.#seat, async signal => {
        await router.prepare?.(visitorOf(envelope, exchange), signal);
        return this.#describe(request);
      });
      whenGone(exchange, reason => calls.cancel(call, reason));
      calls.run(call);
    } else exchange.send({ jsonrpc: '2.0', id: request.id, result: this.#describe(request) });
  }

  #describe(request: Request): object {
    const { info, capabilities, instructions } = this.#seat.router.describe();
    const value = {
      supportedVersions: statelessRevisions,
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
    };
    return wrapResult(request.method, { value } satisfies Outcome, info);
  }

  #listen(request: Request, exchange: Exchange, envelope: Envelope): void {
    const { router, calls } = this.#seat;
    const call = new StatelessCall(request, exchange, envelope, this.#seat);
    const visitor = visitorOf(envelope, exchange);
    const preparing = router.prepare?.(visitor, call.signal);
    // At once where that can be, so that what is sent next comes after it.
    if (!preparing) {
      this.#subscribe(request, call, visitor);
      return;
    }
    calls.keep(call);
    whenGone(exchange, reason => calls.cancel(call, reason));
    preparing.then(
      () => {
        calls.release(call);
        if (!call.settled) this.#subscribe(request, call, visitor);
      },
      thrown => {
        if (!call.settle()) return;
        calls.release(call);
        const error = call.failure(thrown);
        if (!error) router.report(`${request.method}: internal error`, thrown);
        const hidden = { code: codes.internalError, message: 'the server could not be made ready' };
        exchange.send({ jsonrpc: '2.0', id: request.id, error: error ?? hidden });
      },
    );
  }

  #subscribe(request: Request, call: StatelessCall, visitor: Visitor): void {
    const { router, calls } = this.#seat;
    const { exchange, id } = call;
    const filter = readFilter(request.params, router.describe().capabilities);
    const topics = this.#watchTopics(call);
    if (!topics) return;
    exchange.send({ jsonrpc: '2.0', ...acknowledgement(id, filter, topics.members) });
    const watcher = {
      tell(change: Change): void {
        const message = tagged(id, filter, change);
        if (message) exchange.send({ jsonrpc: '2.0', ...message });
      },
    };
    const unwatch = router.watch?.(filter, change => watcher.tell(change), visitor);
    if (!unwatch) router.watchers.add(watcher);
    const unlisten = topics.listen(message => exchange.send({ jsonrpc: '2.0', ...message }));
    const stop = (): void => {
      router.watchers.delete(watcher);
      unwatch?.();
      unlisten();
    };
    const subscription: Subscription = { call, stop };
    this.#subscriptions.add(subscription);
    calls.keep(call);
    onAbort(call.signal, () => {
      stop();
      this.#subscriptions.delete(subscription);
    });
    whenGone(exchange, reason => calls.cancel(call, reason));
  }

  /** What extensions are asked to tell of; nothing when one refused, and the call is answered with that. */
  #watchTopics(call: StatelessCall): WatchedTopics | undefined {
    try {
      return watchTopics(this.#seat.router.topics ?? {}, call);
    } catch (thrown) {
      const error = call.failure(thrown);
      if (!error) throw thrown;
      call.exchange.send({ jsonrpc: '2.0', id: call.id, error });
      return undefined;
    }
  }

  /** Ends a subscription from our side: the empty result says that no more will come. */
  #end(subscription: Subscription): void {
    const { call, stop } = subscription;
    this.#subscriptions.delete(subscription);
    stop();
    if (!call.settle()) return;
    this.#seat.calls.release(call);
    const value = { _meta: { [metaKeys.subscription]: call.id } };
    const result = wrapResult(call.method, { value }, this.#seat.router.describe().info);
    call.exchange.send({ jsonrpc: '2.0', id: call.id, result });
  }
}

function visitorOf({ client }: Envelope, { principal }: Exchange): Visitor {
  return { client, principal };
}

function whenGone(exchange: Exchange, gone: (reason: unknown) => void): void {
  const { signal } = exchange;
  if (exchange.onGone) exchange.onGone(gone);
  else if (signal) onAbort(signal, () => gone(signal.reason));
}
