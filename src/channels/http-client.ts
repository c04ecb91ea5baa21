/** The client's end of HTTP: each message is a POST, each request has a reply of its own. */
import type { Timer } from '../basics/clock.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Id, Message, Request } from '../rpc/message.ts';
import type { Channel, Connection, OpenOptions, Receiver, SendOptions, StandingStream } from './channel.ts';
import { Deliveries } from './http-client-delivery.ts';
import { closedHere } from './http-client-failures.ts';
import { sayFarewell } from './http-client-farewell.ts';
import { type HttpOptions, type HttpSettings, readHttpOptions } from './http-client-options.ts';
import { Post, type PostEvents } from './http-client-post.ts';
import type { HttpSeat } from './http-client-seat.ts';
import { Standing } from './http-client-standing.ts';
import { openEvents } from './http-sse-client.ts';

export type { HeaderContext, HeaderSource, HeadersLike } from './http-client-headers.ts';
export type { HttpOptions } from './http-client-options.ts';

/** How long the rest of a stream whose answer came is read, so that its connection can be used again. */
const lingerMs = 1000;

/**
 * A server at a URL. Opening sends nothing: a server that is not there is noticed by the first request. A server that
 * only knows the older pair of endpoints is found out and spoken to that way. Throws a `TypeError` for options that
 * cannot be meant.
 */
export function http(url: string | URL, options: HttpOptions = {}): Channel {
  const settings = readHttpOptions(url, options);
  const { label } = settings;
  return {
    label,
    manyCallers: typeof options.headers === 'function',
    network: networkOf(settings.url),
    async open(receiver, { signal, clock }): Promise<Connection> {
      signal?.throwIfAborted();
      return new HttpConnection({ settings, transport: settings.transport(), receiver, clock });
    },
    older: { label, open: (receiver: Receiver, how: OpenOptions) => openEvents(settings, receiver, how) },
  };
}

/** Never the whole URL: a path or a query may hold a secret. */
function networkOf(url: string): Readonly<Record<string, string | number>> {
  const { hostname, port, protocol } = new URL(url);
  return {
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

class HttpConnection implements Connection, PostEvents {
  readonly replyStreams: boolean = true;
  readonly listensAlways: boolean;
  readonly listen?: (stream: StandingStream) => () => void;
  readonly #seat: HttpSeat;
  readonly #deliveries: Deliveries;
  readonly #posts = new Map<Id, Post>();
  /** Streams that are still open after their answer, by the period that it came in. */
  #lingering = new Set<Post>();
  #overdue = new Set<Post>();
  #lingerTimer: Timer | undefined;
  readonly #standing = new Set<Standing>();
  readonly #farewells: Promise<void>[] = [];
  #closing: Promise<void> | undefined;

  constructor(seat: HttpSeat) {
    this.#seat = seat;
    this.#deliveries = new Deliveries(seat);
    const { openStream }: HttpSettings = seat.settings;
    this.listensAlways = openStream === true;
    if (openStream !== false) this.listen = stream => this.#listen(stream);
  }

  send(message: Message, options?: SendOptions): void {
    if (this.#closing) return;
    if (!('method' in message && 'id' in message)) {
      this.#deliveries.send(message, options);
      return;
    }
    const post = new Post(this.#seat, message as Request, options, this);
    this.#posts.set(message.id as Id, post);
    this.#deliveries.after(() => post.begin());
  }

  abandon(of: Id): void {
    this.#posts.get(of)?.abort();
  }

  farewell(headers: Readonly<Record<string, string>>): Promise<void> {
    if (this.#closing) return Promise.resolve();
    const farewell = sayFarewell(this.#seat, headers);
    this.#farewells.push(farewell);
    return farewell;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  answered(post: Post): void {
    this.#lingering.add(post);
    this.#lingerTimer ??= this.#seat.clock.after(lingerMs, () => this.#sweep());
  }

  over(post: Post): void {
    this.#lingering.delete(post);
    this.#overdue.delete(post);
    const { id } = post.request;
    if (this.#posts.get(id) === post) this.#posts.delete(id);
  }

  /** One timer for all: a stream stays open between one and two periods after its answer. */
  #sweep(): void {
    const due = this.#overdue;
    this.#overdue = this.#lingering;
    this.#lingering = new Set();
    this.#lingerTimer =
      this.#overdue.size > 0 ? this.#seat.clock.after(lingerMs, () => this.#sweep()) : undefined;
    for (const post of [...due]) post.settle();
  }

  #listen(stream: StandingStream): () => void {
    const standing = new Standing(this.#seat, stream, () => void this.#standing.delete(standing));
    this.#standing.add(standing);
    if (this.#closing) standing.leave();
    else this.#deliveries.after(() => standing.begin());
    return () => standing.leave();
  }

  async #close(): Promise<void> {
    this.#deliveries.close();
    this.#lingerTimer?.cancel();
    for (const standing of [...this.#standing]) standing.leave();
    for (const post of [...this.#posts.values()]) post.abort();
    const error: ConnectionError = closedHere(this.#seat.settings.label);
    this.#seat.receiver.closed(error);
    await Promise.all(this.#farewells);
    this.#seat.transport.close();
  }
}
