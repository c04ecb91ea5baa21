/** Writes what happens as lines of a recording: redacted, bounded, and never in the way of what it watches. */
import type { Clock } from '../../basics/clock.ts';
import type { Channel, Connection, OpenOptions, Receiver } from '../../channels/channel.ts';
import { JoinedDeltas } from './joined-deltas.ts';
import type { CommandEvent, ConnectionEvent, RecordedLine } from './line.ts';
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
  readonly #deltas = new JoinedDeltas(event => this.#put({ type: 'event', at: this.#now(), event }));
  /** How many connections were opened under each name. */
  readonly #opened = new Map<string, number>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#start = options.clock.now();
    this.#put({ type: 'recording', version: 1, command: options.command, started: options.started });
  }

  /** An event of a run, a pattern, a toolset or the command; give it as observer. */
  readonly event = (event: object): void => {
    this.#deltas.take(event as Readonly<Record<string, unknown>>);
  };

  /** Writes what is held back. */
  end(): void {
    this.#deltas.end();
  }

  /** What the command tells of itself. */
  command(event: CommandEvent): void {
    this.event(event);
  }

  /**
   * The same channel: each message is recorded under this name, and so is what becomes of the connection. A further
   * connection of the name has a number behind it, as ids are those of one connection.
   */
  channel(name: string, channel: Channel): Channel {
    const { older } = channel;
    return {
      ...facts(channel),
      ...(older === undefined ? {} : { older: this.channel(name, older) }),
      open: (receiver, options) => {
        const number = (this.#opened.get(name) ?? 0) + 1;
        this.#opened.set(name, number);
        return this.#open(number === 1 ? name : `${name} #${number}`, channel, receiver, options);
      },
    };
  }

  async #open(
    server: string,
    channel: Channel,
    receiver: Receiver,
    options: OpenOptions,
  ): Promise<Connection> {
    const note = (direction: 'sent' | 'received', message: unknown): void =>
      this.#put({ type: 'message', at: this.#now(), server, direction, message });
    const tell = (event: ConnectionEvent): void => this.event(event);
    const watched: Watched = {
      message: value => note('received', value),
      ended: (id, error) =>
        void (error && tell({ type: 'connection', server, state: 'unanswered', id, error })),
      closed: error => tell({ type: 'connection', server, state: 'closed', error }),
      diagnostic: ({ kind, message }) => tell({ type: 'diagnostic', server, kind, message }),
    };
    const connection = await channel.open(watching(receiver, watched), options).catch((error: unknown) => {
      tell({ type: 'connection', server, state: 'failed', error });
      throw error;
    });
    return watching(connection, { send: message => note('sent', message) });
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

type Watched = {
  readonly [Name in keyof Receiver]?: (...args: Parameters<NonNullable<Receiver[Name]>>) => void;
};

function facts({ label, manyCallers, network }: Channel): Omit<Channel, 'open'> {
  return {
    label,
    ...(manyCallers === undefined ? {} : { manyCallers }),
    ...(network === undefined ? {} : { network }),
  };
}

/** The same object, but before each of these functions that it has, the one here is called. */
function watching<Watchable extends object>(
  object: Watchable,
  before: { readonly [Name in keyof Watchable]?: (...args: never) => void },
): Watchable {
  return new Proxy(object, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      const bound = value.bind(target) as (...args: readonly unknown[]) => unknown;
      const first = before[member as keyof Watchable] as ((...args: readonly unknown[]) => void) | undefined;
      if (first === undefined) return bound;
      return (...args: readonly unknown[]): unknown => {
        first(...args);
        return bound(...args);
      };
    },
  });
}
