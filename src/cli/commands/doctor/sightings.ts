/** Watches a channel while it is opened and used: what came, without touching what passes. */
import type { Channel, Diagnostic, Receiver } from '../../../channels/channel.ts';

export interface ReplySeen {
  readonly status: number;
  /** Media type, in lower case; empty when there is none. */
  readonly type: string;
  /** How the server wants callers to identify themselves. */
  readonly challenge: string | undefined;
}

/** What was seen so far. */
export interface Sightings {
  /** Anything on stdout. */
  readonly output: boolean;
  readonly message: boolean;
  readonly replies: readonly ReplySeen[];
  /** Lines on stdout that are no messages. */
  readonly noise: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export type Sight = 'opened' | 'output' | 'message' | 'reply';

const mostKept = 200;
const noiseKinds = new Set(['stdout-noise', 'not-utf8']);

export class Watch {
  readonly #told = new Set<Sight>();
  readonly #tell: (sight: Sight) => void;
  readonly #replies: ReplySeen[] = [];
  readonly #noise: string[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  /** `tell` hears of each kind of sight once. */
  constructor(tell: (sight: Sight) => void) {
    this.#tell = tell;
  }

  get seen(): Sightings {
    return {
      output: this.#told.has('output'),
      message: this.#told.has('message'),
      replies: this.#replies,
      noise: this.#noise,
      diagnostics: this.#diagnostics,
    };
  }

  /** The same channel, watched. */
  channel(channel: Channel): Channel {
    const { label, manyCallers, network, older } = channel;
    return {
      label,
      ...(manyCallers === undefined ? {} : { manyCallers }),
      ...(network === undefined ? {} : { network }),
      ...(older === undefined ? {} : { older: this.channel(older) }),
      open: async (receiver, options) => {
        const connection = await channel.open(this.#listening(receiver), options);
        this.#first('opened');
        return connection;
      },
    };
  }

  /** Takes what the client noticed itself. */
  diagnostic(diagnostic: Diagnostic): void {
    if (this.#diagnostics.length < mostKept) this.#diagnostics.push(diagnostic);
    if (noiseKinds.has(diagnostic.kind) && this.#noise.length < mostKept)
      this.#noise.push(String(diagnostic.data));
  }

  #listening(receiver: Receiver): Receiver {
    return {
      message: (value, of) => {
        this.#first('message');
        receiver.message(value, of);
      },
      activity: kind => {
        if (kind === 'output') this.#first('output');
        receiver.activity(kind);
      },
      reply: (of, head) => {
        const type = head.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
        const challenge = head.header('www-authenticate');
        this.#replies.push({ status: head.status, type, challenge });
        if (this.#replies.length > mostKept) this.#replies.shift();
        this.#first('reply');
        receiver.reply?.(of, head);
      },
      touched: of => receiver.touched?.(of),
      ended: (of, error) => receiver.ended(of, error),
      closed: error => receiver.closed(error),
      diagnostic: diagnostic => receiver.diagnostic(diagnostic),
    };
  }

  #first(sight: Sight): void {
    if (this.#told.has(sight)) return;
    this.#told.add(sight);
    this.#tell(sight);
  }
}
