/** Writes what happens as lines of a recording: redacted, bounded, and never in the way of what it watches. */
import type { Clock } from '../../basics/clock.ts';
import type { Channel, Receiver } from '../../channels/channel.ts';
import type { RecordedLine } from './line.ts';
import { tidyValue } from './tidy-value.ts';

export interface RecorderOptions {
  /** Takes one line, with its newline. What it throws is dropped after the first time, which is told to `onFault`. */
  readonly write: (line: string) => void;
  readonly clock: Clock;
  readonly command: string;
  /** ISO 8601. */
  readonly started: string;
  /** Exact texts that must not be written, such as keys. */
  readonly secrets?: readonly string[] | undefined;
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #start: number;
  #broken = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#start = options.clock.now();
    this.#put({ type: 'recording', version: 1, command: options.command, started: options.started });
  }

  /** An event of a run or a pattern; give it as observer. */
  readonly event = (event: object): void => {
    this.#put({ type: 'event', at: this.#now(), event: event as Readonly<Record<string, unknown>> });
  };

  /** The same channel, each message of which is recorded under this name. */
  channel(server: string, channel: Channel): Channel {
    const note = (direction: 'sent' | 'received', message: unknown): void =>
      this.#put({ type: 'message', at: this.#now(), server, direction, message });
    const { older } = channel;
    return {
      ...facts(channel),
      ...(older === undefined ? {} : { older: this.channel(server, older) }),
      async open(receiver, options) {
        const connection = await channel.open(listening(receiver, note), options);
        return new Proxy(connection, {
          get(target, member) {
            const value: unknown = Reflect.get(target, member, target);
            if (typeof value !== 'function') return value;
            const bound = value.bind(target) as (...args: unknown[]) => unknown;
            if (member !== 'send') return bound;
            return (message: unknown, ...rest: unknown[]): unknown => {
              note('sent', message);
              return bound(message, ...rest);
            };
          },
        });
      },
    };
  }

  #now(): number {
    return Math.round(this.#options.clock.now() - this.#start);
  }

  #put(line: RecordedLine): void {
    if (this.#broken) return;
    const { write, secrets, onFault } = this.#options;
    try {
      write(`${JSON.stringify(tidyValue(line, secrets))}\n`);
    } catch (error) {
      this.#broken = true;
      onFault?.(error);
    }
  }
}

function facts({ label, manyCallers, network }: Channel): Omit<Channel, 'open'> {
  return {
    label,
    ...(manyCallers === undefined ? {} : { manyCallers }),
    ...(network === undefined ? {} : { network }),
  };
}

/** The receiver, with `note` before each message. */
function listening(receiver: Receiver, note: (direction: 'received', message: unknown) => void): Receiver {
  return new Proxy(receiver, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      const bound = value.bind(target) as (...args: unknown[]) => unknown;
      if (member !== 'message') return bound;
      return (message: unknown, ...rest: unknown[]): unknown => {
        note('received', message);
        return bound(message, ...rest);
      };
    },
  });
}
