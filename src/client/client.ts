/** A client of one server: connect, list tools, call them, watch, close; blind to eras and transports. */
import { systemClock } from '../basics/clock.ts';
import { notify } from '../basics/notify.ts';
import type { Channel, Diagnostic } from '../channels/channel.ts';
import {
  type CallResult,
  type ClientEra,
  type ClientSeat,
  type Negotiated,
  negotiate,
} from '../eras/index.ts';
import type { Change, ChangeFilter } from '../protocol/change.ts';
import type { Capabilities } from '../protocol/identity.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Params } from '../rpc/message.ts';
import type { ImplementationInfo } from '../tools/context.ts';
import { answerQuestion } from './answers.ts';
import { type CallToolResult, readCallResult } from './call-result.ts';
import { DiagnosticLog } from './diagnostics.ts';
import {
  type ClientOptions,
  capabilitiesOf,
  checkOptions,
  checkTimeouts,
  defaultInfo,
  defaultTimeouts,
  limitsOf,
  type RequestOptions,
} from './options.ts';
import { OutputCheck } from './output-check.ts';
import { Paged } from './pages.ts';
import { Slots } from './slots.ts';
import { readTools } from './tool-listing.ts';

/**
 * Connects to a server: a channel such as `stdio(…)`, a `Server` of this process, or any channel of others. Rejects
 * with `ConnectionError`, `TimeoutError`, `VersionError`, `ProtocolError` or the signal's reason, and leaves nothing
 * behind when it does.
 */
export async function connect(target: Channel, options: ClientOptions = {}): Promise<Client> {
  checkOptions(options);
  const log = new DiagnosticLog(options.onDiagnostic);
  let era: ClientEra | undefined;
  let lost: ConnectionError | undefined;
  const seat = seatOf(options);
  const negotiated = await negotiate(target, seat, {
    clock: options.clock ?? systemClock,
    protocol: options.protocol ?? 'auto',
    limits: { ...defaultTimeouts, ...options.timeouts },
    signal: options.signal,
    memory: options.eraMemory,
    ...(options.probeTimes ? { probeTimes: options.probeTimes } : {}),
    diagnostic: diagnostic => log.add(diagnostic),
    closed: error => {
      lost = error;
      era?.lost(error);
    },
  });
  era = negotiated.era;
  if (lost) era.lost(lost);
  return new Client(negotiated, options, log);
}

function seatOf(options: ClientOptions): ClientSeat {
  const results = (options.extensions ?? []).flatMap(extension => Object.entries(extension.results ?? {}));
  return {
    info: options.info ?? defaultInfo,
    capabilities: capabilitiesOf(options),
    logLevel: options.logLevel ?? (options.onLog ? 'info' : undefined),
    results: Object.fromEntries(results),
    maxRounds: options.maxRounds ?? 16,
    limits: limitsOf(options.timeouts, undefined),
    answer: (question, signal) => answerQuestion(question, options, signal),
    log: entry => notify(options.onLog, entry),
  };
}

/** An open connection to one server; made by `connect`. Safe to share; calls run at once unless `maxInFlight` says. */
export class Client {
  readonly #negotiated: Negotiated;
  readonly #options: ClientOptions;
  readonly #log: DiagnosticLog;
  readonly #slots: Slots | undefined;
  readonly #outputs: OutputCheck;
  #closing: Promise<void> | undefined;

  constructor(negotiated: Negotiated, options: ClientOptions, log: DiagnosticLog) {
    this.#negotiated = negotiated;
    this.#options = options;
    this.#log = log;
    this.#slots = options.maxInFlight === undefined ? undefined : new Slots(options.maxInFlight);
    this.#outputs = new OutputCheck(diagnostic => log.add(diagnostic));
  }

  /** What the server says of itself; never base security on it. */
  get server(): ImplementationInfo {
    return this.#negotiated.era.server.info;
  }

  /** The protocol revision in use, for display. */
  get revision(): string {
    return this.#negotiated.era.revision;
  }

  /** What the server can do. */
  get capabilities(): Capabilities {
    return this.#negotiated.era.server.capabilities;
  }

  /** How the server wants to be used, for a model to read. */
  get instructions(): string | undefined {
    return this.#negotiated.era.server.instructions;
  }

  /** What was noticed and tolerated: the last 200, oldest first. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#log.entries;
  }

  /** The server's tools, page by page. A server without tools has none, which is no error. */
  tools(options: RequestOptions = {}): Paged<ToolListing> {
    return this.#list('tools/list', 'tools', options, () => {
      const names = new Set<string>();
      return page => readTools(page, names, diagnostic => this.#log.add(diagnostic));
    });
  }

  /**
   * Calls a tool. A failure of the tool is a result with `isError`; what is thrown is the protocol's (`ProtocolError`),
   * the connection's (`ConnectionError`), a limit's (`TimeoutError`) or the signal's reason.
   */
  async call(name: string, args: Params = {}, options: RequestOptions = {}): Promise<CallToolResult> {
    const { value } = await this.#request('tools/call', { name, arguments: args }, options);
    const result = readCallResult(value);
    await this.#outputs.check(name, result);
    return result;
  }

  /** Changes on the server as they happen. Ends with the signal, with `close()`, or when its reader leaves. */
  watch(filter: ChangeFilter, options: { readonly signal?: AbortSignal } = {}): AsyncIterable<Change> {
    return this.#negotiated.era.watch(filter, options.signal ?? new AbortController().signal);
  }

  /** Ends the connection and all that belongs to it. Safe to call twice; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { era, link, leftovers } = this.#negotiated;
    era.close();
    await Promise.all([link.close(), leftovers]);
  }

  #list<Item extends { readonly name: string }>(
    method: string,
    capability: string,
    options: RequestOptions,
    begin: () => (page: Params) => readonly Item[],
  ): Paged<Item> {
    const offered = this.capabilities[capability] !== undefined;
    return new Paged({
      method,
      fetch: async cursor => {
        if (!offered) {
          const message = `${method}: not asked, since the server does not offer ${capability}`;
          this.#log.add({ kind: 'not-offered', message });
          return {};
        }
        return (await this.#request(method, cursor === undefined ? {} : { cursor }, options)).value;
      },
      begin: offered ? begin : () => () => [],
      diagnostic: diagnostic => this.#log.add(diagnostic),
      complete: items => this.#outputs.learn(items),
    });
  }

  async #request(method: string, params: Params, options: RequestOptions): Promise<CallResult> {
    const { signal, onProgress, headers, meta, timeouts } = options;
    checkTimeouts(method, timeouts);
    const limits = limitsOf(this.#options.timeouts, timeouts);
    const call = { limits, signal, onProgress, headers, meta };
    if (!this.#slots) return this.#negotiated.era.call(method, params, call);
    const release = await this.#slots.take(signal);
    try {
      return await this.#negotiated.era.call(method, params, call);
    } finally {
      release();
    }
  }
}
