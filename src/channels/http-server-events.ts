/** Event streams as text, and the comments that keep quiet ones alive. */
import type { Clock, Timer } from '../basics/clock.ts';
import { printMessage } from '../basics/json.ts';
import type { Message } from '../rpc/message.ts';
import type { ServerEvent } from './channel.ts';
import { replacementFor } from './unprintable.ts';

/** Headers of every event stream: it must reach the client as it is, and at once. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** One event. What has no JSON form is replaced by an error with the same id, or left out. */
export function printEvent({ data, event = 'message', id, retry }: ServerEvent): string {
  const text = typeof data === 'object' ? printBody(data) : data?.replace(/[\r\n]+/g, ' ');
  if (data !== undefined && text === undefined) return '';
  let block = text === undefined ? '' : `event: ${event}\n`;
  if (id !== undefined) block += `id: ${id}\n`;
  if (retry !== undefined) block += `retry: ${retry}\n`;
  // An id alone counts only in an event that is dispatched, and that takes data.
  if (text !== undefined || id !== undefined) block += `data: ${text ?? ''}\n`;
  return `${block}\n`;
}

/** A message, or several as one array, as JSON text; nothing when there is no JSON for it. */
export function printBody(body: object): string | undefined {
  if (!Array.isArray(body)) return printOrReplace(body as Message);
  const lines = body.map(message => printOrReplace(message as Message));
  return `[${lines.filter(line => line !== undefined).join(',')}]`;
}

/** What nobody can be told of is left out. */
function printOrReplace(message: Message): string | undefined {
  try {
    return printMessage(message);
  } catch (error) {
    return replacementFor(message, error).line;
  }
}

/** What a stream must be able to do to be kept alive. */
export interface Quiet {
  /** Sends a comment. */
  comment(): void;
}

/** Sends a comment to every open stream in turn; one timer for all that share it. */
export class Heartbeat {
  readonly #streams = new Set<Quiet>();
  readonly #clock: Clock;
  readonly #every: number;
  #timer: Timer | undefined;

  /** `every`: milliseconds. */
  constructor(clock: Clock, every: number) {
    this.#clock = clock;
    this.#every = every;
  }

  /** One with a timer of its own. Workers let a timer live only as long as the request that set it. */
  alone(): Heartbeat {
    return new Heartbeat(this.#clock, this.#every);
  }

  add(stream: Quiet): void {
    this.#streams.add(stream);
    this.#timer ??= this.#clock.after(this.#every, () => this.#beat());
  }

  delete(stream: Quiet): void {
    this.#streams.delete(stream);
  }

  /** No timer is left behind. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #beat(): void {
    for (const stream of this.#streams) stream.comment();
    this.#timer = this.#streams.size > 0 ? this.#clock.after(this.#every, () => this.#beat()) : undefined;
  }
}
