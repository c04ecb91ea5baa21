/** What a server offers at a time, behind its connections: a method for each call, and news of what changes. */
import { systemClock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkFunction, checkNumber, checkText } from '../basics/option-checks.ts';
import { sketch } from '../basics/sketch.ts';
import type { Tracer } from '../basics/trace.ts';
import type { Router } from '../eras/index.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import type { Change } from '../protocol/change.ts';
import type { Extension } from '../protocol/extension.ts';
import type { ServerDescription } from '../protocol/identity.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import type { ImplementationInfo } from '../tools/context.ts';
import { offerAddedResources, offerNoPrompts } from './bare-offers.ts';
import { checkHints, type MakeOffer, type Offer, type OfferSettings, offers } from './offer.ts';
import type { Offered, ServerOptions } from './server-options.ts';
import { ToolOffer } from './tool-offer.ts';
import { traceCall } from './trace-call.ts';

type Method = (call: Call) => Outcome | Promise<Outcome>;

/** The router of a `Server`. Throws a TypeError that names the option or the thing offered that cannot be used. */
export class Offering implements Router {
  readonly watchers: Router['watchers'] = new Set();
  readonly nameParams: Readonly<Record<string, string>>;
  readonly topics: NonNullable<Router['topics']>;
  readonly report: (message: string, cause: unknown) => void;
  readonly #facts: Omit<ServerDescription, 'capabilities'>;
  readonly #extensions: readonly Extension[];
  readonly #tracer: Tracer | undefined;
  readonly #settings: OfferSettings;
  #generation = -1;
  #tools: ToolOffer | undefined;
  #resources: Offer | undefined;
  #prompts: Offer | undefined;
  #methods: ReadonlyMap<string, Method> = new Map();
  #description: ServerDescription;

  constructor(options: ServerOptions) {
    const { extensions = [], pageSize = 1000, onFault = reportOnStderr, freshness = {} } = options;
    checkText('Server', 'name', options.name);
    checkText('Server', 'version', options.version);
    checkNumber('Server', 'pageSize', pageSize, { integer: true, min: 1 });
    checkFunction('Server', 'onFault', options.onFault);
    const { lists, reads } = checkHints(freshness);
    const { clock = systemClock, maskErrors = false } = options;
    this.report = (message, cause) => notify(onFault, message, cause);
    this.nameParams = Object.assign({}, ...extensions.map(extension => extension.nameParams));
    this.topics = Object.assign({}, ...extensions.map(extension => extension.topics));
    this.#facts = describe(options);
    this.#extensions = extensions;
    this.#tracer = options.tracer;
    this.#settings = {
      runner: { clock, maskErrors, report: this.report },
      reads,
      paging: () => ({ size: pageSize, generation: ++this.#generation }),
      lasting: value => (lists === undefined ? { value } : { value, freshness: lists }),
    };
    const { tools, resources, prompts } = options;
    // A server of nothing else is a server of tools that has none yet.
    this.#description = this.#offer({
      tools: tools ?? (resources || prompts ? undefined : []),
      resources,
      prompts,
    });
  }

  describe(): ServerDescription {
    return this.#description;
  }

  handle(call: Call): Outcome | Promise<Outcome> {
    const method = this.#methods.get(call.method);
    if (!method) throw new ProtocolError(codes.methodNotFound, `this server has no method ${call.method}`);
    return this.#tracer ? traceCall(this.#tracer, call, method) : method(call);
  }

  inputSchema(tool: string): object | undefined {
    return this.#tools?.inputSchema(tool);
  }

  /** As `Server.update`. */
  update(change: Offered): void {
    this.#description = this.#offer(change);
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      if (change[kind] !== undefined) this.tell({ kind });
    }
  }

  tell(change: Change): void {
    for (const watcher of [...this.watchers]) watcher.tell(change);
  }

  #offer({ tools, resources, prompts }: Offered): ServerDescription {
    const extensions = this.#extensions;
    const added = extensions.flatMap(extension => extension.resources ?? []);
    // Resources of extensions need an offer to stand in, also where the server has none of its own.
    const own = resources ?? (added.length > 0 && !this.#resources ? [] : undefined);
    const make = <Each extends Definition<Each>>(
      kind: string,
      each: readonly Each[],
      bare: MakeOffer<never>,
    ) => makerOf(kind, each, bare)(each, this.#settings, added);
    // All are made before any takes its place.
    const next = {
      tools: tools && new ToolOffer(tools, this.#settings, extensions),
      resources: own && make('resource', own, offerAddedResources),
      prompts: prompts && make('prompt', prompts, offerNoPrompts),
    };
    this.#tools = next.tools ?? this.#tools;
    this.#resources = next.resources ?? this.#resources;
    this.#prompts = next.prompts ?? this.#prompts;
    const all = [this.#tools, this.#resources, this.#prompts].filter(offer => offer !== undefined);
    const kinds = all.flatMap(({ completing }: Offer) => completing ?? []);
    const answer = kinds.find(({ some }) => some)?.answer;
    this.#methods = new Map<string, Method>([
      ...extensions.flatMap(extension => Object.entries(extension.methods ?? {})),
      ...all.flatMap(offer => Object.entries(offer.methods)),
      ...(answer ? [['completion/complete', (call: Call) => answer(call, kinds)] as const] : []),
    ]);
    const settings = extensions.map(extension => [extension.id, extension.settings ?? {}]);
    const capabilities = {
      logging: {},
      ...Object.assign({}, ...all.map(offer => offer.capabilities)),
      ...(answer ? { completions: {} } : {}),
      ...(settings.length > 0 ? { extensions: Object.fromEntries(settings) } : {}),
    };
    return { ...this.#facts, capabilities };
  }
}

interface Definition<Each> {
  readonly name: string;
  readonly [offers]: MakeOffer<Each>;
}

/** What makes the offer: the definitions bring it, since a program without any needs none. */
function makerOf<Each extends Definition<Each>>(
  kind: string,
  definitions: readonly Each[],
  bare: MakeOffer<never>,
): MakeOffer<Each> {
  for (const [index, definition] of definitions.entries()) {
    if (typeof definition?.[offers] === 'function') continue;
    throw new TypeError(`Server: ${kind}s[${index}] must be made with ${kind}(), got ${sketch(definition)}`);
  }
  return definitions[0]?.[offers] ?? (bare as MakeOffer<Each>);
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
