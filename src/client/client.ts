/** A client of one server: connect, list tools, call them, watch, close; blind to eras and transports. */
import { eitherSignal } from '../basics/abort.ts';
import { systemClock } from '../basics/clock.ts';
import { notify } from '../basics/notify.ts';
import { checkHas } from '../basics/option-checks.ts';
import type { Channel, Diagnostic } from '../channels/channel.ts';
import { type Negotiated, negotiate } from '../eras/for-clients.ts';
import type { ClientEra, ClientSeat } from '../eras/index.ts';
import type { Change, ChangeFilter } from '../protocol/change.ts';
import type { ClientAccess } from '../protocol/extension.ts';
import type { Capabilities } from '../protocol/identity.ts';
import type {
  Completion,
  PromptListing,
  ReadResult,
  ResourceListing,
  ResourceTemplateListing,
} from '../protocol/listings.ts';
import type { AnyCatalogue, ArgumentsOf, Catalogued, StructuredOf } from '../protocol/tool-catalogue.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Params } from '../rpc/message.ts';
import { codes, isProtocolError } from '../rpc/protocol-error.ts';
import type { ImplementationInfo } from '../tools/context.ts';
import { ResultCache } from './cache.ts';
import { type CallArguments, type CallResult, type CallToolResult, readCallResult } from './call-result.ts';
import type { Catalogue } from './catalogue.ts';
import { type CompletionTarget, completionParams } from './completion-params.ts';
import { DiagnosticLog } from './diagnostics.ts';
import { DriftCheck } from './drift-check.ts';
import { readPrompts, readResources, readTemplates } from './listing.ts';
import { type ClientOptions, checkOptions, connectLimitsOf, type RequestOptions } from './options.ts';
import { OutputCheck } from './output-check.ts';
import { Paged } from './pages.ts';
import { type PromptResult, readCompletion, readContents, readPrompt } from './read-results.ts';
import { Requester } from './requester.ts';
import { seatOf } from './seat.ts';
import { readTools } from './tool-listing.ts';
import { blameValue } from './unwritable.ts';

/**
 * Connects to a server: a channel such as `stdio(…)`, a `Server` of this process, or any channel of others. Rejects
 * with `ConnectionError`, `TimeoutError`, `VersionError`, `ProtocolError` or the signal's reason, and leaves nothing
 * behind when it does. Calls are typed when the target is a `Server` of this program, or with a `catalogue`.
 */
export async function connect<C extends object = AnyCatalogue>(
  target: Channel & Catalogued<C>,
  options: ClientOptions & { readonly catalogue?: Catalogue<C> | undefined } = {},
): Promise<Client<C>> {
  const wanted =
    "a channel such as stdio({ command: 'node', args: ['server.js'] }) or http('https://…'), or a Server";
  checkHas('connect', 'the first argument', target, 'open', wanted);
  checkOptions(options);
  const log = new DiagnosticLog(options.onDiagnostic);
  let era: ClientEra | undefined;
  let lost: ConnectionError | undefined;
  const clock = options.clock ?? systemClock;
  const cache = new ResultCache(options.cache, clock, target.manyCallers);
  const seat = seatOf(options, cache, diagnostic => log.add(diagnostic));
  const negotiated = await negotiate(target, seat, {
    clock,
    protocol: options.protocol ?? 'auto',
    limits: connectLimitsOf(options.timeouts),
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
  return new Client<C>(negotiated, options, seat, log, cache, target.network);
}

/**
 * An open connection to one server; made by `connect`. Safe to share; calls run at once unless `maxInFlight` says. `C`
 * says which tools there are, what they take and what they give.
 */
export class Client<C extends object = AnyCatalogue> {
  readonly #negotiated: Negotiated;
  readonly #seat: ClientSeat;
  readonly #log: DiagnosticLog;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #requests: Requester;
  readonly #outputs: OutputCheck;
  readonly #drift: DriftCheck | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    negotiated: Negotiated,
    options: ClientOptions & { readonly catalogue?: Catalogue<C> | undefined },
    seat: ClientSeat,
    log: DiagnosticLog,
    cache: ResultCache,
    network?: Channel['network'],
  ) {
    this.#negotiated = negotiated;
    this.#seat = seat;
    this.#log = log;
    this.#report = diagnostic => log.add(diagnostic);
    this.#requests = new Requester(negotiated.era, options, cache, network);
    this.#outputs = new OutputCheck(this.#report);
    this.#drift = options.catalogue && new DriftCheck(options.catalogue.tools, this.#report);
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
    const begin = () => {
      const names = new Set<string>();
      return (page: Params) => readTools(page, names, this.#report);
    };
    return this.#list('tools/list', 'tools', options, begin, tools => {
      this.#outputs.learn(tools);
      this.#drift?.look(tools);
    });
  }

  /**
   * Calls a tool. A failure of the tool is a result with `isError`; what is thrown is the protocol's (`ProtocolError`),
   * the connection's (`ConnectionError`), a limit's (`TimeoutError`), the signal's reason, or a `TypeError` for arguments
   * that JSON cannot hold.
   */
  call<Name extends keyof C & string>(
    name: Name,
    ...[args, options = {}]: CallArguments<ArgumentsOf<C, Name>>
  ): Promise<CallResult<StructuredOf<C, Name>>> {
    const result = this.#call(name, args === undefined ? {} : (args as Params), options);
    // What the tool declares, as far as `outputs` could check it.
    return result as Promise<CallResult<StructuredOf<C, Name>>>;
  }

  async #call(name: string, args: Params, options: RequestOptions): Promise<CallToolResult> {
    let value: Params;
    try {
      value = await this.#requests.request('tools/call', { name, arguments: args }, options);
    } catch (thrown) {
      throw blameValue(`the arguments of ${name}`, args, thrown);
    }
    const result = readCallResult(value);
    const checked = this.#outputs.check(name, result);
    if (checked) await checked;
    return result;
  }

  /** The server's resources, page by page; those of templates only as far as the server lists them. */
  resources(options: RequestOptions = {}): Paged<ResourceListing> {
    return this.#list('resources/list', 'resources', options, () => readResources(this.#report));
  }

  /** The server's families of resources; `expandTemplate` makes a URI of one. */
  resourceTemplates(options: RequestOptions = {}): Paged<ResourceTemplateListing> {
    return this.#list('resources/templates/list', 'resources', options, () => readTemplates(this.#report));
  }

  /** What a resource holds. Rejects when there is none at `uri`; `isResourceNotFound` tells that from other errors. */
  async read(uri: string, options: RequestOptions = {}): Promise<ReadResult> {
    return readContents(uri, await this.#requests.request('resources/read', { uri }, options), this.#report);
  }

  /** The server's prompts, page by page. */
  prompts(options: RequestOptions = {}): Paged<PromptListing> {
    return this.#list('prompts/list', 'prompts', options, () => readPrompts(this.#report));
  }

  /** The messages of a prompt, written out with these arguments. */
  async prompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<PromptResult> {
    const value = await this.#requests.request('prompts/get', { name, arguments: args }, options);
    return readPrompt(name, value, this.#report);
  }

  /**
   * Suggestions for an argument of a prompt or a variable of a resource template; `context` has the values of others.
   * A server that suggests nothing gives none, which is no error.
   */
  async complete(
    of: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    options: RequestOptions & { readonly context?: Readonly<Record<string, string>> | undefined } = {},
  ): Promise<Completion> {
    const { context, ...request } = options;
    const params = completionParams(of, argument, context);
    try {
      return readCompletion(await this.#requests.request('completion/complete', params, request));
    } catch (thrown) {
      if (!isProtocolError(thrown) || thrown.code !== codes.methodNotFound) throw thrown;
      this.#report({
        kind: 'not-offered',
        message: 'completion/complete: the server does not suggest values',
      });
      return { values: [], hasMore: false };
    }
  }

  /** Changes on the server as they happen. Ends with the signal, with `close()`, or when its reader leaves. */
  watch(
    filter: ChangeFilter,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncIterable<Change> {
    return this.#negotiated.era.watch(filter, options.signal ?? new AbortController().signal);
  }

  /** For extensions: requests of their own methods, and the answers of this client's handlers. */
  access(options: RequestOptions = {}): ClientAccess {
    const { link, era } = this.#negotiated;
    return {
      clock: link.clock,
      signal: eitherSignal(options.signal, options.until),
      gone: link.gone,
      knowsAsker: era.knowsAsker,
      request: (method, params, own) =>
        this.#requests.request(method, params, { ...options, until: undefined, ...own }),
      answer: (question, signal) => this.#seat.turns.take(question, this.#seat.answer, signal),
      progress: progress => notify(options.onProgress, progress),
      listen: (filter, signal, heard) => era.listen?.(filter, signal, heard),
    };
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

  #list<Item>(
    method: string,
    capability: string,
    options: RequestOptions,
    begin: () => (page: Params) => readonly Item[],
    complete?: (items: readonly Item[]) => void,
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
        return this.#requests.request(method, cursor === undefined ? {} : { cursor }, options);
      },
      begin: offered ? begin : () => () => [],
      diagnostic: this.#report,
      ...(complete ? { complete } : {}),
    });
  }
}
