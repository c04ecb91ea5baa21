/** The standing streams of one session: what belongs to no request goes to the newest that is open, and to no other. */
import type { EventStream, Exchange, HttpReply } from '../../channels/channel.ts';
import type { Message } from '../../rpc/message.ts';
import type { Trail, Trails } from './trail.ts';

/**
 * A client needs one. It may have more for a while, when it noticed that a stream broke and this end did not; beyond
 * these the oldest is ended.
 */
const mostStreams = 4;

/** Of all sessions whose client listens to nothing. */
const none: readonly EventStream[] = [];

export class StandingStreams implements Exchange {
  readonly #trails: Trails | undefined;
  #open: readonly EventStream[] = none;
  /** Where messages are kept while no stream is open, for a client that comes back. */
  #last: Trail | undefined;
  /** Whoever waits for a stream; made for the first one. */
  #openers: Set<() => void> | undefined;

  constructor(trails: Trails | undefined) {
    this.#trails = trails;
  }

  /** True when a message would reach the client now. */
  get open(): boolean {
    return this.#open.length > 0;
  }

  onOpen(opened: () => void): () => void {
    this.#openers ??= new Set();
    const openers = this.#openers.add(opened);
    return () => void openers.delete(opened);
  }

  send(message: Message | readonly Message[]): void {
    const stream = this.#open.at(-1) ?? this.#last;
    for (const data of Array.isArray(message) ? message : [message]) stream?.send({ data });
  }

  /** A client opens a stream. */
  listen(reply: HttpReply): void {
    const stream = reply.stream();
    // A client that opens another instead of coming back has given that one up.
    if (this.#last && !this.#open.includes(this.#last)) this.#last.end();
    this.#last = this.#trails?.open(stream);
    this.#add(this.#last ?? stream, reply);
  }

  /** A client came back to a stream of its own. */
  returned(trail: Trail, reply: HttpReply): void {
    this.#remove(trail);
    this.#add(trail, reply);
  }

  /** True for the trail of a standing stream, rather than of a request's. */
  owns(trail: Trail): boolean {
    return trail === this.#last || this.#open.includes(trail);
  }

  end(): void {
    const open = this.#open;
    this.#open = none;
    for (const stream of open) stream.end();
    this.#last?.end();
  }

  #add(stream: EventStream, reply: HttpReply): void {
    const [oldest] = this.#open;
    const isFull = this.#open.length >= mostStreams;
    this.#open = [...this.#open.slice(isFull ? 1 : 0), stream];
    reply.onLeave(() => this.#leave(stream));
    if (isFull) oldest?.end();
    for (const opened of this.#openers ?? []) {
      this.#openers?.delete(opened);
      opened();
    }
  }

  /** Only the newest waits for its client to come back; what the others said is in the store. */
  #leave(stream: EventStream): void {
    this.#remove(stream);
    if (stream !== this.#last) stream.end();
  }

  #remove(stream: EventStream): void {
    const others = this.#open.filter(each => each !== stream);
    this.#open = others.length === 0 ? none : others;
  }
}
