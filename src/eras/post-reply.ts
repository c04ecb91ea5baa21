/** The reply to one POST: whole when its answer is the first thing to say, an event stream in every other case. */
import type { Clock, Timer } from '../basics/clock.ts';
import type { EventStream, HttpReply } from '../channels/channel.ts';

/** How a reply is made; the era decides. */
export interface PostReplyOptions {
  readonly accepts: { readonly json: boolean; readonly stream: boolean; readonly prefersStream?: boolean };
  /** Read when the reply begins. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Whoever waits long gets a stream, so that the connection is seen to live. */
  readonly patience: Patience;
  /** What stands between this reply and its event stream, such as numbers for events. */
  readonly through?: (stream: EventStream) => EventStream;
}

export class PostReply {
  readonly #reply: HttpReply;
  readonly #options: PostReplyOptions;
  #stream: EventStream | undefined;
  #done = false;

  constructor(reply: HttpReply, options: PostReplyOptions) {
    this.#reply = reply;
    this.#options = options;
    if (options.accepts.stream) options.patience.add(this);
  }

  /** True once the answer was given. */
  get done(): boolean {
    return this.#done;
  }

  /** Says something that is not the answer; false when the client takes no event stream or the reply is complete. */
  say(message: object): boolean {
    const stream = this.begin();
    stream?.send({ data: message });
    return stream !== undefined;
  }

  /** Gives the answer; `status` counts only when nothing was said before. */
  answer(message: object, status = 200): void {
    if (this.#done) return;
    const { json, prefersStream = false } = this.#options.accepts;
    if (!this.#stream && ((json && !prefersStream) || status !== 200)) {
      this.#finish();
      this.#reply.whole(status, message, this.#options.headers?.());
      return;
    }
    const stream = this.begin();
    this.#finish();
    stream?.send({ data: message });
    stream?.end();
  }

  /** Completes the reply without a word. */
  empty(status: number): void {
    if (this.#done) return;
    this.#finish();
    if (this.#stream) this.#stream.end();
    else this.#reply.whole(status, undefined, this.#options.headers?.());
  }

  /** The event stream of this reply, begun if need be; nothing when the client takes none or the reply is complete. */
  begin(): EventStream | undefined {
    if (this.#done || !this.#options.accepts.stream) return undefined;
    if (!this.#stream) {
      const { patience, headers, through } = this.#options;
      patience.delete(this);
      const stream = this.#reply.stream(headers?.());
      this.#stream = through ? through(stream) : stream;
    }
    return this.#stream;
  }

  /** Nothing more will be said: the client has left. */
  drop(): void {
    this.#finish();
  }

  #finish(): void {
    this.#done = true;
    this.#options.patience.delete(this);
  }
}

/** How long, in milliseconds, a request may go unanswered before its event stream begins; at most twice as long. */
const enough = 15_000;

/** The replies that nothing was said on yet; one timer for all of them. */
export class Patience {
  readonly #clock: Clock;
  #fresh = new Set<PostReply>();
  #waiting = new Set<PostReply>();
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(reply: PostReply): void {
    this.#fresh.add(reply);
    this.#timer ??= this.#clock.after(enough, () => this.#look());
  }

  delete(reply: PostReply): void {
    this.#fresh.delete(reply);
    this.#waiting.delete(reply);
  }

  /** No timer is left behind. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    const late = [...this.#waiting];
    this.#waiting = this.#fresh;
    this.#fresh = new Set();
    for (const reply of late) reply.begin();
    if (this.#waiting.size > 0) this.#timer = this.#clock.after(enough, () => this.#look());
  }
}
