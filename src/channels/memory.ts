/** A client and a server in one process, joined in either shape: one shared pipe, or a reply stream per request. */
import { ConnectionError } from '../rpc/connection-error.ts';
import type { Id, Message, Request } from '../rpc/message.ts';
import type { Acceptor, Channel, Connection, Exchange, Inlet, OpenOptions, Receiver } from './channel.ts';

export interface MemoryOptions {
  /** For people and errors; `memory` by default. */
  readonly label?: string;
  /** Gives each request a reply stream of its own, as HTTP does; false by default. */
  readonly replyStreams?: boolean;
}

/**
 * A channel to a server of this process. Messages are handed over as they are, without a trip through JSON: neither
 * end may change what it sent or received.
 */
export function memoryChannel(acceptor: Acceptor, options: MemoryOptions = {}): Channel {
  const { label = 'memory', replyStreams = false } = options;
  return {
    label,
    async open(receiver: Receiver, { signal, clock }: OpenOptions): Promise<Connection> {
      signal?.throwIfAborted();
      const delivery = new Delivery(receiver);
      const standing: Exchange = { send: message => delivery.each(message) };
      const inlet = acceptor.accept(standing, { clock, replyStreams });
      return new MemoryConnection(inlet, delivery, replyStreams, standing);
    },
  };
}

const soon = Promise.resolve();

/** As `queueMicrotask` does, at half of what that costs on Node. */
function later(run: () => void): void {
  void soon.then(() => {
    try {
      run();
    } catch (bug) {
      queueMicrotask(() => {
        throw bug;
      });
    }
  });
}

/** Hands messages to the client in order and never inside the server's own call. */
class Delivery {
  readonly #receiver: Receiver;
  #open = true;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  each(message: Message | readonly Message[], of?: Id): void {
    later(() => {
      if (this.#open) this.#receiver.message(message, of);
    });
  }

  ended(of: Id): void {
    later(() => {
      if (this.#open) this.#receiver.ended(of);
    });
  }

  close(error: ConnectionError): void {
    if (!this.#open) return;
    this.#open = false;
    this.#receiver.closed(error);
  }
}

class MemoryConnection implements Connection {
  readonly replyStreams: boolean;
  readonly #inlet: Inlet;
  readonly #delivery: Delivery;
  readonly #standing: Exchange;
  readonly #streams = new Map<Id, AbortController>();
  #closing: Promise<void> | undefined;

  constructor(inlet: Inlet, delivery: Delivery, replyStreams: boolean, standing: Exchange) {
    this.#inlet = inlet;
    this.#delivery = delivery;
    this.replyStreams = replyStreams;
    this.#standing = standing;
  }

  send(message: Message): void {
    if (this.#closing) return;
    const exchange = this.replyStreams ? this.#exchangeFor(message) : this.#standing;
    later(() => {
      if (!this.#closing) this.#inlet.receive(message, exchange);
    });
  }

  abandon(of: Id): void {
    const stream = this.#streams.get(of);
    this.#streams.delete(of);
    stream?.abort(new DOMException('the client left the reply stream', 'AbortError'));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const facts = { phase: 'close', reason: 'closed', outcome: 'unknown' } as const;
    const error = new ConnectionError('the in-memory connection was closed by the client', facts);
    this.#delivery.close(error);
    for (const id of [...this.#streams.keys()]) this.abandon(id);
    await this.#inlet.close(error);
  }

  #exchangeFor(message: Message): Exchange {
    if (!('method' in message) || !('id' in message)) return { send: () => {} };
    const { id } = message as Request;
    const stream = new AbortController();
    this.#streams.set(id, stream);
    return {
      signal: stream.signal,
      dropped: () => {
        this.#streams.delete(id);
        this.#delivery.ended(id);
      },
      send: sent => {
        if (stream.signal.aborted) return;
        this.#delivery.each(sent, id);
        if (Array.isArray(sent) || 'method' in sent || !('id' in sent) || sent.id !== id) return;
        this.#streams.delete(id);
        this.#delivery.ended(id);
      },
    };
  }
}
