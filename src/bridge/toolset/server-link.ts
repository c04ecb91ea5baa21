/** The connection to one server of a toolset: made when it is needed, made anew when it was lost, watched meanwhile. */
import { linkAbort, onAbort, raceAbort } from '../../basics/abort.ts';
import type { Clock } from '../../basics/clock.ts';
import { messageOf, summaryOf } from '../../basics/failure.ts';
import { runWithin } from '../../basics/time-limit.ts';
import { TimeoutError } from '../../basics/timeout-error.ts';
import type { Client } from '../../client/client.ts';
import { ConnectionError, isConnectionError } from '../../rpc/connection-error.ts';
import type { ConnectClient, KeyedSource } from './server-sources.ts';
import { checkClient } from './server-sources.ts';
import { SharedWork } from './shared-work.ts';

export interface LinkFacts {
  readonly clock: Clock;
  /** Milliseconds for connecting. */
  readonly timeout: number;
  /** Aborts when the toolset is closed. */
  readonly life: AbortSignal;
  /** The connection was lost, or closed by its owner. */
  readonly onLost: (error: unknown, isClosed: boolean) => void;
}

export class ServerLink {
  readonly key: string;
  readonly #source: KeyedSource['source'];
  /** Whether what was connected here is closed here. */
  readonly #owns: boolean;
  readonly #facts: LinkFacts;
  readonly #connecting: SharedWork<Client>;
  #client: Client | undefined;
  /** Aborts when the connection of the client in use is gone. */
  #gone: AbortSignal | undefined;
  #forget: () => void = () => {};
  /** Ends what is being closed, so that closing the toolset can wait for it. */
  readonly #endings = new Set<Promise<void>>();

  constructor({ key, source, isShared = false }: KeyedSource, facts: LinkFacts) {
    this.key = key;
    this.#source = source;
    this.#owns = typeof source === 'function' && !isShared;
    this.#facts = facts;
    this.#connecting = new SharedWork(signal => this.#connect(signal));
  }

  /** Whether a lost connection can be made again. */
  get canReconnect(): boolean {
    return typeof this.#source === 'function';
  }

  /** The client in use, dead or alive. */
  get client(): Client | undefined {
    return this.#client;
  }

  get isLive(): boolean {
    return this.live !== undefined;
  }

  /** The client in use, while its connection stands. */
  get live(): Client | undefined {
    return this.#gone?.aborted === false ? this.#client : undefined;
  }

  /** A live client. Rejects with what connecting fails with. */
  async open(signal: AbortSignal | undefined): Promise<Client> {
    this.#facts.life.throwIfAborted();
    return this.live ?? this.#connecting.join(signal);
  }

  /** Closes what was connected here; a client that was given stays open. */
  async close(): Promise<void> {
    this.#forget();
    this.#end(this.#client);
    await Promise.all(this.#endings);
  }

  async #connect(signal: AbortSignal): Promise<Client> {
    const { clock, timeout, life } = this.#facts;
    const source = this.#source;
    if (typeof source !== 'function') {
      if (this.#client === undefined && !goneOf(source).aborted) return this.#take(source);
      throw closedError(this.key, goneOf(source).reason);
    }
    const stop = new AbortController();
    const unlink = linkAbort([signal, life], stop);
    const expired = (ms: number): Error => connectTimeout(this.key, ms);
    let made: Client | undefined;
    try {
      const limit = { ms: timeout, clock, signal: stop.signal, expired };
      const ask = async (own: AbortSignal): Promise<Client> => {
        made = await this.#ask(source, own);
        return made;
      };
      return this.#take(await runWithin(limit, ask));
    } catch (error) {
      this.#end(made);
      throw error;
    } finally {
      unlink();
    }
  }

  /** A client that comes too late is closed. */
  async #ask(connect: ConnectClient, signal: AbortSignal): Promise<Client> {
    const coming = (async () => connect({ signal }))();
    try {
      const client = await raceAbort(coming, signal);
      signal.throwIfAborted();
      checkClient('toolset', `what servers[${JSON.stringify(this.key)}] connects`, client);
      if (goneOf(client).aborted) throw closedError(this.key, goneOf(client).reason);
      return client;
    } catch (error) {
      if (signal.aborted) coming.then(late => this.#end(late)).catch(() => undefined);
      throw error;
    }
  }

  #take(client: Client): Client {
    this.#forget();
    if (this.#client !== client) this.#end(this.#client);
    this.#client = client;
    const gone = goneOf(client);
    this.#gone = gone;
    this.#forget = onAbort(gone, () => {
      if (this.#client !== client || this.#facts.life.aborted) return;
      this.#facts.onLost(gone.reason, wasClosedHere(gone.reason) && !this.canReconnect);
    });
    return client;
  }

  #end(client: Client | undefined): void {
    if (!this.#owns || client === undefined || typeof client.close !== 'function') return;
    const ending = (async () => client.close())().catch(() => undefined);
    this.#endings.add(ending);
    void ending.then(() => this.#endings.delete(ending));
  }
}

/** Aborts when the connection of a client is gone. */
function goneOf(client: Client): AbortSignal {
  return client.access().gone;
}

function wasClosedHere(reason: unknown): boolean {
  return isConnectionError(reason) && reason.phase === 'close' && reason.reason === 'closed';
}

function closedError(key: string, cause: unknown): ConnectionError {
  const what = `server "${key}": its client has no connection any more`;
  return new ConnectionError(`${what}: ${messageOf(cause)}`, {
    summary: `${what}: ${summaryOf(cause)}`,
    phase: 'connect',
    reason: 'closed',
    outcome: 'not-sent',
    cause,
    hint: `Give the toolset a function that connects, as in toolset({ "${key}": () => connect(…) }), and it connects anew.`,
  });
}

function connectTimeout(key: string, ms: number): TimeoutError {
  return new TimeoutError(`server "${key}" was not connected within ${ms} ms`, {
    phase: `connect ${key}`,
    limit: 'connect',
    ms,
    hint: 'Raise "loadTimeout", or look at why the server does not start.',
  });
}
