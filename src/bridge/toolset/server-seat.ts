/** One server of a toolset: its list of tools kept up to date, its state, and when it is tried again. */
import type { Clock } from '../../basics/clock.ts';
import { messageOf, summaryOf, TenonError } from '../../basics/failure.ts';
import { runWithin } from '../../basics/time-limit.ts';
import { TimeoutError } from '../../basics/timeout-error.ts';
import type { Client } from '../../client/client.ts';
import type { ToolListing } from '../../protocol/tool-listing.ts';
import { ConnectionError, isConnectionError } from '../../rpc/connection-error.ts';
import type { DroppedTool } from './served-tool.ts';
import { ServerLink } from './server-link.ts';
import type { KeyedSource } from './server-sources.ts';
import type { ServerState } from './server-status.ts';
import { ServerWatch } from './server-watch.ts';
import { SharedWork } from './shared-work.ts';

export interface SeatFacts {
  readonly clock: Clock;
  /** Milliseconds for connecting, and for reading a list. */
  readonly timeout: number;
  /** Milliseconds after which a list is read again although nothing was said to have changed. */
  readonly maxAge: number;
  /** Aborts when the toolset is closed. */
  readonly life: AbortSignal;
  readonly onState: () => void;
  /** The server said that its tools changed. */
  readonly onStale: () => void;
}

/** Lists read again because they changed while they were being read; then the newest has to do until the next turn. */
const mostRounds = 3;
const firstRest = 1_000;
const longestRest = 60_000;

export class ServerSeat {
  readonly key: string;
  readonly link: ServerLink;
  readonly #facts: SeatFacts;
  readonly #loading: SharedWork<void>;
  readonly #watch: ServerWatch;
  #state: ServerState = 'idle';
  #since: number;
  #error: unknown;
  /** The last list, also of a server that failed since: what its tools are called must not hang on who is up. */
  #list: readonly ToolListing[] | undefined;
  #leftOut: readonly DroppedTool[] = [];
  #cut: string | undefined;
  #version = 0;
  /** Grows with each sign that the list is out of date; a list counts as of the sign before it was asked for. */
  #wanted = 1;
  #have = 0;
  #readAt = 0;
  #failures = 0;
  #retryAt = 0;

  constructor(source: KeyedSource, facts: SeatFacts) {
    this.key = source.key;
    this.#facts = facts;
    this.#since = facts.clock.now();
    const { clock, timeout, life } = facts;
    const onLost = (error: unknown, isClosed: boolean): void => this.#lost(error, isClosed);
    this.link = new ServerLink(source, { clock, timeout, life, onLost });
    this.#loading = new SharedWork(signal => this.#load(signal));
    this.#watch = new ServerWatch(() => {
      this.outdate();
      facts.onStale();
    });
  }

  get state(): { readonly state: ServerState; readonly since: number; readonly error?: unknown } {
    const error = this.#error === undefined ? {} : { error: this.#error };
    return { state: this.#state, since: this.#since, ...error };
  }

  /** The list as it was read last; whether it counts says the state. */
  get list(): readonly ToolListing[] | undefined {
    return this.#list;
  }

  /** What of the list could not be told apart or had no name. */
  get leftOut(): readonly DroppedTool[] {
    return this.#leftOut;
  }

  /** Why the list was not read to its end; nothing when it was. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /** Another number whenever list or state changed. */
  get version(): number {
    return this.#version;
  }

  /** The list is out of date. */
  outdate(): void {
    this.#wanted += 1;
  }

  /** Whether the list has to be read before the tools are given out. */
  get isDue(): boolean {
    if (this.#state === 'closed' || this.#isResting()) return false;
    const { clock, maxAge } = this.#facts;
    return this.#have !== this.#wanted || this.#watch.isDeaf || clock.now() - this.#readAt >= maxAge;
  }

  /** The list is out of date, and a server that failed is tried without further rest. */
  retry(): void {
    this.outdate();
    this.#retryAt = this.#facts.clock.now();
  }

  /** Brings the list up to date if it is not. What fails becomes the state; rejects only when `signal` aborts. */
  async load(signal: AbortSignal): Promise<void> {
    if (this.isDue) await this.#loading.join(signal);
  }

  /** A live client, for a call. Rejects with a ConnectionError while a failed server rests. */
  async connection(signal: AbortSignal): Promise<Client> {
    if (!this.link.isLive && this.#isResting()) throw unreachable(this.key, this.#error, true);
    const before = this.link.client;
    try {
      const client = await this.link.open(signal);
      // What a server offers after it came back is not known.
      if (before !== undefined && client !== before && this.#state !== 'ready') {
        this.outdate();
        this.#enter('ready');
      }
      return client;
    } catch (error) {
      if (signal.aborted || this.#facts.life.aborted) throw error;
      this.#fail(error);
      throw unreachable(this.key, error, false);
    }
  }

  async close(reason: unknown): Promise<void> {
    this.#watch.stop();
    this.#enter('closed', reason);
    await this.link.close();
  }

  #isResting(): boolean {
    return this.#state === 'failed' && this.#facts.clock.now() < this.#retryAt;
  }

  async #load(signal: AbortSignal): Promise<void> {
    if (this.#state !== 'ready') this.#enter('connecting');
    const { clock, timeout } = this.#facts;
    try {
      const client = await this.link.open(signal);
      this.#watch.begin(client);
      const expired = (ms: number): Error => listTimeout(this.key, ms);
      const limit = { ms: timeout, clock, signal, expired };
      for (let round = 0; round < mostRounds; round += 1) {
        const wanted = this.#wanted;
        const before = new Set(client.diagnostics);
        const list = await runWithin(limit, own => client.tools({ signal: own }).all());
        this.#note(client.diagnostics.filter(each => !before.has(each)));
        this.#take(list, wanted);
        if (this.#wanted === wanted) break;
      }
    } catch (error) {
      // Whoever waited has left: nothing is known of the server.
      if (signal.aborted && !this.#facts.life.aborted) {
        if (this.#state === 'connecting') this.#enter('idle');
      } else this.#fail(error);
    }
  }

  /** The client tells of what it left out as it reads the list. */
  #note(diagnostics: Client['diagnostics']): void {
    this.#leftOut = leftOutOf(diagnostics, this.key);
    const [cut] = ofList(diagnostics, 'list-cut');
    this.#cut = cut?.reason;
  }

  #take(list: readonly ToolListing[], wanted: number): void {
    this.#list = list;
    this.#have = wanted;
    this.#readAt = this.#facts.clock.now();
    this.#failures = 0;
    this.#enter('ready');
  }

  #fail(error: unknown): void {
    // Several may have waited for the same attempt.
    if (this.#state === 'failed' && error === this.#error) return;
    this.#failures += 1;
    const rest = Math.min(firstRest * 2 ** Math.min(this.#failures - 1, 16), longestRest);
    this.#retryAt = this.#facts.clock.now() + rest;
    this.outdate();
    if (this.#state !== 'closed') this.#enter('failed', error);
  }

  /** The connection went away by itself: the next that needs it may try at once. */
  #lost(error: unknown, isClosed: boolean): void {
    this.outdate();
    this.#retryAt = this.#facts.clock.now();
    if (this.#state !== 'closed') this.#enter(isClosed ? 'closed' : 'failed', error);
  }

  #enter(state: ServerState, error?: unknown): void {
    this.#version += 1;
    this.#error = error;
    if (state === this.#state && error === undefined) return;
    this.#state = state;
    this.#since = this.#facts.clock.now();
    this.#facts.onState();
  }
}

function leftOutOf(diagnostics: Client['diagnostics'], server: string): readonly DroppedTool[] {
  return [...ofList(diagnostics, 'tool-dropped'), ...ofList(diagnostics, 'list-cut')].map(
    ({ data, reason }) => ({ server, tool: typeof data === 'string' ? data : '*', reason }),
  );
}

/** Other lists may have been read meanwhile. */
function ofList(
  diagnostics: Client['diagnostics'],
  kind: string,
): readonly { readonly data?: unknown; readonly reason: string }[] {
  const prefix = 'tools/list: ';
  return diagnostics.flatMap(({ kind: own, message, data }) =>
    own === kind && message.startsWith(prefix) ? [{ data, reason: message.slice(prefix.length) }] : [],
  );
}

function listTimeout(key: string, ms: number): TimeoutError {
  return new TimeoutError(`server "${key}" did not list its tools within ${ms} ms`, {
    phase: `tools/list of ${key}`,
    limit: 'total',
    ms,
    hint: 'Raise "loadTimeout", or look at why the server does not answer.',
  });
}

/** What a call fails with that has no connection. */
function unreachable(key: string, cause: unknown, isResting: boolean): ConnectionError {
  const when = isResting ? ' and is tried again later' : '';
  const [message, summary] = [messageOf(cause), summaryOf(cause)].map(
    why => `server "${key}" cannot be reached${when}: ${why.replace(`server "${key}": `, '')}`,
  ) as [string, string];
  return new ConnectionError(message, {
    summary,
    phase: 'connect',
    reason: isConnectionError(cause) ? cause.reason : 'unreachable',
    outcome: 'not-sent',
    retryable: true,
    cause,
    hint: cause instanceof TenonError ? cause.hint : undefined,
  });
}
