/** A server: what it offers and says of itself, for any number of connections in every era at once. */
import { type Clock, systemClock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkFunction, checkNumber, checkText } from '../basics/option-checks.ts';
import type { Tracer } from '../basics/trace.ts';
import type {
  AcceptOptions,
  Acceptor,
  Channel,
  Connection,
  Exchange,
  HttpAcceptOptions,
  HttpAcceptor,
  HttpServed,
  Inlet,
  OpenOptions,
  Receiver,
} from '../channels/channel.ts';
import { memoryChannel } from '../channels/memory.ts';
import { serveEras, serveErasOverHttp } from '../eras/for-servers.ts';
import type { Router, StateOptions } from '../eras/index.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import type { Change } from '../protocol/change.ts';
import type { Extension } from '../protocol/extension.ts';
import type { ServerDescription } from '../protocol/identity.ts';
import type { Catalogued } from '../protocol/tool-catalogue.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import type { ImplementationInfo } from '../tools/context.ts';
import type { AnyTool, ShapeOf } from '../tools/tool.ts';
import { answerCompletion } from './completions.ts';
import { checkHints, type FreshnessHints, type Offer, type OfferSettings } from './offer.ts';
import type { Prompt } from './prompt.ts';
import { PromptOffer } from './prompt-offer.ts';
import type { Resource } from './resource.ts';
import { ResourceOffer } from './resource-offer.ts';
import { ToolOffer } from './tool-offer.ts';
import { traceCall } from './trace-call.ts';

export interface ServerOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends ImplementationInfo {
  /** How to use the server, for a model to read. */
  readonly instructions?: string | undefined;
  readonly tools?: Tools | undefined;
  readonly resources?: readonly Resource[] | undefined;
  readonly prompts?: readonly Prompt[] | undefined;
  readonly extensions?: readonly Extension[] | undefined;
  /** How the rounds of a call that asks are remembered between requests. */
  readonly state?: StateOptions | undefined;
  /** Entries of a list per page; 1,000. */
  readonly pageSize?: number | undefined;
  /** How long clients may keep lists and what resources hold; stale at once by default. */
  readonly freshness?: FreshnessHints | undefined;
  /** Begins a span for each call; nothing is traced without one. */
  readonly tracer?: Tracer | undefined;
  /** Answers what a tool throws unexpectedly with a reference instead of its message; false by default. */
  readonly maskErrors?: boolean | undefined;
  /** Takes the details of failures that callers see only a line of; they go to stderr by default. */
  readonly onFault?: ((message: string, cause: unknown) => void) | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** What a server offers, by kind. */
interface Offered {
  readonly tools?: readonly AnyTool[] | undefined;
  readonly resources?: readonly Resource[] | undefined;
  readonly prompts?: readonly Prompt[] | undefined;
}

/** What a client can know of these tools. */
type CatalogueOf<Tools extends readonly AnyTool[]> = {
  readonly [T in Tools[number] as T['name']]: ShapeOf<T>;
};

type Method = (call: Call) => Outcome | Promise<Outcome>;

/**
 * A definition without state per connection: serve it over stdio, connect to it in memory, or both. Throws a TypeError
 * that names the tool, resource or prompt that cannot be offered.
 */
export class Server<const Tools extends readonly AnyTool[] = readonly AnyTool[]>
  implements Acceptor, Channel, HttpServed, Catalogued<CatalogueOf<Tools>>
{
  /** Types the calls of a client that connects to this server. */
  declare readonly '~catalogue'?: CatalogueOf<Tools>;
  readonly label: string;
  readonly #facts: Omit<ServerDescription, 'capabilities'>;
  readonly #extensions: readonly Extension[];
  readonly #tracer: Tracer | undefined;
  readonly #router: Router;
  readonly #state: { readonly state?: StateOptions };
  readonly #acceptor: Acceptor;
  readonly #channel: Channel;
  readonly #watchers: Router['watchers'] = new Set();
  readonly #settings: OfferSettings;
  #generation = -1;
  #tools: ToolOffer | undefined;
  #resources: ResourceOffer | undefined;
  #prompts: PromptOffer | undefined;
  #methods: ReadonlyMap<string, Method> = new Map();
  #description: ServerDescription;

  constructor(options: ServerOptions<Tools>) {
    const { extensions = [], pageSize = 1000, onFault = reportOnStderr, freshness = {} } = options;
    const report = (message: string, cause: unknown): void => notify(onFault, message, cause);
    checkText('Server', 'name', options.name);
    checkText('Server', 'version', options.version);
    checkNumber('Server', 'pageSize', pageSize, { integer: true, min: 1 });
    checkFunction('Server', 'onFault', options.onFault);
    const { lists, reads } = checkHints(freshness);
    this.label = `server ${options.name}`;
    this.#facts = describe(options);
    this.#extensions = extensions;
    this.#tracer = options.tracer;
    const { clock = systemClock, maskErrors = false } = options;
    this.#settings = {
      runner: { clock, maskErrors, report },
      reads,
      paging: () => ({ size: pageSize, generation: ++this.#generation }),
      lasting: value => (lists === undefined ? { value } : { value, freshness: lists }),
    };
    const { tools, resources, prompts } = options;
    // A server of nothing else is a server of tools that has none yet.
    this.#offer({ tools: tools ?? (resources || prompts ? undefined : []), resources, prompts });
    this.#description = this.#describe();
    this.#router = {
      describe: () => this.#description,
      handle: call => this.#handle(call),
      watchers: this.#watchers,
      inputSchema: name => this.#tools?.inputSchema(name),
      nameParams: Object.assign({}, ...extensions.map(extension => extension.nameParams)),
      topics: Object.assign({}, ...extensions.map(extension => extension.topics)),
      report,
    };
    this.#state = options.state ? { state: options.state } : {};
    this.#acceptor = serveEras(this.#router, this.#state);
    this.#channel = memoryChannel(this.#acceptor, { label: this.label });
  }

  /**
   * Puts others in the place of the tools, resources or prompts so far, as far as they are given, and tells whoever
   * listens. Throws as the constructor does, and then nothing has changed.
   */
  update(change: Offered): void {
    this.#offer(change);
    this.#description = this.#describe();
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      if (change[kind] !== undefined) this.#tell({ kind });
    }
  }

  /** Tells whoever watches the resource at `uri`, or one above it, that what it holds has changed. */
  changed(uri: string): void {
    this.#tell({ kind: 'resource', uri });
  }

  /** For transports: a client arrived. */
  accept(standing: Exchange, options?: AcceptOptions): Inlet {
    return this.#acceptor.accept(standing, options);
  }

  /** For HTTP transports: all clients of one endpoint. Throws a TypeError when an option cannot be used. */
  acceptHttp(options?: HttpAcceptOptions): HttpAcceptor {
    return serveErasOverHttp(this.#router, { ...options, ...this.#state });
  }

  /** For `connect`: a client of this process. */
  open(receiver: Receiver, options: OpenOptions): Promise<Connection> {
    return this.#channel.open(receiver, options);
  }

  #handle(call: Call): Outcome | Promise<Outcome> {
    const method = this.#methods.get(call.method);
    if (!method) throw new ProtocolError(codes.methodNotFound, `this server has no method ${call.method}`);
    return this.#tracer ? traceCall(this.#tracer, call, method) : method(call);
  }

  #offer({ tools, resources, prompts }: Offered): void {
    const added = this.#extensions.flatMap(extension => (extension.resources ? [extension.resources] : []));
    // Resources of extensions need an offer to stand in, also where the server has none of its own.
    const own = resources ?? (added.length > 0 && !this.#resources ? [] : undefined);
    // All are made before any takes its place.
    const next = {
      tools: tools && new ToolOffer(tools, this.#settings, this.#extensions),
      resources: own && new ResourceOffer(own, this.#settings, added),
      prompts: prompts && new PromptOffer(prompts, this.#settings),
    };
    this.#tools = next.tools ?? this.#tools;
    this.#resources = next.resources ?? this.#resources;
    this.#prompts = next.prompts ?? this.#prompts;
    const offered = { prompts: this.#prompts, resources: this.#resources };
    this.#methods = new Map<string, Method>([
      ...this.#extensions.flatMap(extension => Object.entries(extension.methods ?? {})),
      ...this.#offers.flatMap(offer => Object.entries(offer.methods)),
      ...(this.#completes
        ? [['completion/complete', (call: Call) => answerCompletion(call, offered)] as const]
        : []),
    ]);
  }

  get #offers(): readonly Offer[] {
    return [this.#tools, this.#resources, this.#prompts].filter(offer => offer !== undefined);
  }

  get #completes(): boolean {
    return this.#resources?.completes === true || this.#prompts?.completes === true;
  }

  #describe(): ServerDescription {
    const settings = this.#extensions.map(extension => [extension.id, extension.settings ?? {}]);
    const capabilities = {
      logging: {},
      ...Object.assign({}, ...this.#offers.map(offer => offer.capabilities)),
      ...(this.#completes ? { completions: {} } : {}),
      ...(settings.length > 0 ? { extensions: Object.fromEntries(settings) } : {}),
    };
    return { ...this.#facts, capabilities };
  }

  #tell(change: Change): void {
    for (const watcher of [...this.#watchers]) watcher.tell(change);
  }
}

function describe(options: ServerOptions): Omit<ServerDescription, 'capabilities'> {
  const { name, version, title, description, websiteUrl, icons, instructions } = options;
  const info: ImplementationInfo = {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined ? {} : { icons }),
  };
  return { info, ...(instructions === undefined ? {} : { instructions }) };
}

/** On stdio stdout belongs to the protocol. */
function reportOnStderr(message: string, cause: unknown): void {
  console.error(
    cause === undefined ? message : `${message}: ${cause instanceof Error ? cause.stack : messageOf(cause)}`,
  );
}
