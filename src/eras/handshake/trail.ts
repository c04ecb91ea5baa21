/** Event streams that a client can come back to: every event has a number and is kept, whoever listens. */
import { messageOf } from '../../basics/failure.ts';
import type { EventStore, EventStream, ServerEvent } from '../../channels/channel.ts';

/** What the streams of one session share. */
export interface TrailSeat {
  readonly store: EventStore;
  /** Milliseconds after which a client is told to come back. */
  readonly retry: number;
  /** Whether the session's revision lets a stream begin with an event without data. */
  readonly primes: () => boolean;
  report(message: string, cause: unknown): void;
}

/** The streams of one session by their names, which nobody can guess. */
export class Trails {
  readonly #seat: TrailSeat;
  readonly #stem = crypto.randomUUID();
  readonly #live = new Map<string, Trail>();
  #last = 0;

  constructor(seat: TrailSeat) {
    this.#seat = seat;
  }

  /** A new stream that goes to `stream` for now. */
  open(stream: EventStream): Trail {
    this.#last += 1;
    const name = `${this.#stem}-${this.#last}`;
    const trail = new Trail(name, this.#seat, () => this.#live.delete(name));
    this.#live.set(name, trail);
    trail.begin(stream);
    return trail;
  }

  /**
   * Sends what follows the event of this id to the stream that `attach` opens, and what is still to come. False when
   * the id is none of this session's, or when not all that followed is kept.
   */
  async resume(lastEventId: string, attach: (trail: Trail | undefined) => EventStream): Promise<boolean> {
    const [, name, digits] = /^(.+)\.(\d{1,15})$/.exec(lastEventId) ?? [];
    if (name === undefined || !name.startsWith(`${this.#stem}-`)) return false;
    const number = Number(digits);
    const trail = this.#live.get(name);
    if (trail) return await trail.resume(number, newest => attach(newest ? trail : undefined));
    const kept = await this.#seat.store.after(name, number);
    if (!kept) return false;
    const stream = attach(undefined);
    for (const event of kept) stream.send({ data: event.message, id: `${name}.${event.number}` });
    stream.end();
    return true;
  }
}

interface Numbered {
  readonly number: number;
  readonly message: object;
}

/** One stream; `send` and `end` are the server's, whoever is connected. */
export class Trail implements EventStream {
  readonly #name: string;
  readonly #seat: TrailSeat;
  readonly #ended: () => void;
  #stream: EventStream | undefined;
  #number = 0;
  #over = false;
  /** What was sent while a client is being brought up to date; another list for each that comes back. */
  #meanwhile: Numbered[] | undefined;
  /** What the store may not give back yet. */
  readonly #unkept = new Map<number, object>();

  constructor(name: string, seat: TrailSeat, ended: () => void) {
    this.#name = name;
    this.#seat = seat;
    this.#ended = ended;
  }

  begin(stream: EventStream): void {
    this.#stream = stream;
    // Lets a client that loses the stream before its first message come back to it.
    if (this.#seat.primes()) stream.send({ id: this.#id(0), retry: this.#seat.retry });
  }

  send({ data }: ServerEvent): void {
    if (this.#over || typeof data !== 'object') return;
    this.#number += 1;
    const number = this.#number;
    this.#keep(number, data);
    if (this.#meanwhile) this.#meanwhile.push({ number, message: data });
    else this.#stream?.send({ data, id: this.#id(number) });
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    if (!this.#meanwhile) this.#stream?.end();
    this.#ended();
  }

  /** Sends the client away to come back later; what is said meanwhile is kept for it. */
  detach(): void {
    this.#stream?.send({ retry: this.#seat.retry });
    this.#stream?.end();
    this.#stream = undefined;
  }

  /** The one that came back last has the stream; `attach` is told whether it still is that one. */
  async resume(after: number, attach: (newest: boolean) => EventStream): Promise<boolean> {
    // The client would not be here if it still had the stream.
    this.#stream?.end();
    this.#stream = undefined;
    const missed: Numbered[] = [...this.#unkept].map(([number, message]) => ({ number, message }));
    this.#meanwhile = missed;
    let superseded = false;
    let kept: readonly Numbered[] | undefined;
    try {
      kept = after >= this.#number ? [] : await this.#seat.store.after(this.#name, after);
    } finally {
      if (this.#meanwhile === missed) this.#meanwhile = undefined;
      else superseded = true;
    }
    if (superseded) {
      attach(false).end();
      return true;
    }
    if (!kept) return false;
    const stream = attach(true);
    let last = after;
    for (const { number, message } of [...kept, ...missed].sort((one, other) => one.number - other.number)) {
      if (number <= last) continue;
      last = number;
      stream.send({ data: message, id: this.#id(number) });
    }
    if (this.#over) stream.end();
    else this.#stream = stream;
    return true;
  }

  #id(number: number): string {
    return `${this.#name}.${number}`;
  }

  #keep(number: number, message: object): void {
    const { store, report } = this.#seat;
    const failed = (cause: unknown): void => report(`an event could not be kept: ${messageOf(cause)}`, cause);
    try {
      const keeping = store.append(this.#name, number, message);
      if (!(keeping instanceof Promise)) return;
      this.#unkept.set(number, message);
      void keeping.catch(failed).then(() => this.#unkept.delete(number));
    } catch (thrown) {
      failed(thrown);
    }
  }
}
