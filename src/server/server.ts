/** A server: its tools and what it says of itself, for any number of connections in every era at once. */
import { type Clock, systemClock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { isObject } from '../basics/json.ts';
import { notify } from '../basics/notify.ts';
import { checkFunction, checkNumber, checkText } from '../basics/option-checks.ts';
import { shorten } from '../basics/shorten.ts';
import { sketch } from '../basics/sketch.ts';
import type {
  AcceptOptions,
  Acceptor,
  Channel,
  Connection,
  Exchange,
  Inlet,
  OpenOptions,
  Receiver,
} from '../channels/channel.ts';
import { memoryChannel } from '../channels/memory.ts';
import { type Router, type StateOptions, serveEras } from '../eras/index.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import type { Change } from '../protocol/change.ts';
import { MissingCapability } from '../protocol/errors.ts';
import type { Extension } from '../protocol/extension.ts';
import type { ServerDescription } from '../protocol/identity.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { suggest } from '../schema/suggest.ts';
import type { ImplementationInfo } from '../tools/context.ts';
import type { AnyTool } from '../tools/tool.ts';
import { ToolRegistry } from './registry.ts';
import { missingOf } from './required.ts';
import { runTool, type ToolRunner } from './run-tool.ts';

export interface ServerOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends ImplementationInfo {
  /** How to use the server, for a model to read. */
  readonly instructions?: string;
  readonly tools?: Tools;
  readonly extensions?: readonly Extension[];
  /** How the rounds of a call that asks are remembered between requests. */
  readonly state?: StateOptions;
  /** Entries of a list per page; 1,000. */
  readonly pageSize?: number;
  /** Answers what a tool throws unexpectedly with a reference instead of its message; false by default. */
  readonly maskErrors?: boolean;
  /** Takes the details of failures that callers see only a line of; they go to stderr by default. */
  readonly onFault?: (message: string, cause: unknown) => void;
  /** For tests. */
  readonly clock?: Clock;
}

type Method = (call: Call) => Outcome | Promise<Outcome>;

/**
 * A definition without state per connection: serve it over stdio, connect to it in memory, or both. Throws a TypeError
 * that names the tool when one cannot be offered.
 */
export class Server<const Tools extends readonly AnyTool[] = readonly AnyTool[]>
  implements Acceptor, Channel
{
  readonly label: string;
  readonly #description: ServerDescription;
  readonly #acceptor: Acceptor;
  readonly #channel: Channel;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #runner: ToolRunner;
  readonly #pageSize: number;
  #generation = 0;
  #tools: ToolRegistry;

  constructor(options: ServerOptions<Tools>) {
    const { tools = [], extensions = [], pageSize = 1000, onFault = reportOnStderr } = options;
    const report = (message: string, cause: unknown): void => notify(onFault, message, cause);
    checkText('Server', 'name', options.name);
    checkText('Server', 'version', options.version);
    checkNumber('Server', 'pageSize', pageSize, { integer: true, min: 1 });
    checkFunction('Server', 'onFault', options.onFault);
    this.label = `server ${options.name}`;
    this.#pageSize = pageSize;
    this.#description = describe(options);
    this.#methods = new Map<string, Method>([
      ...extensions.flatMap(extension => Object.entries(extension.methods ?? {})),
      ['tools/list', call => this.#list(call)],
      ['tools/call', call => this.#call(call)],
    ]);
    const { clock = systemClock, maskErrors = false } = options;
    this.#runner = { clock, maskErrors, report };
    this.#tools = new ToolRegistry(tools, pageSize, 0);
    const router: Router = {
      describe: () => this.#description,
      handle: call => this.#handle(call),
      onChange: listener => this.#onChange(listener),
      report,
    };
    this.#acceptor = serveEras(router, options.state ? { state: options.state } : {});
    this.#channel = memoryChannel(this.#acceptor, { label: this.label });
  }

  /** Puts other tools in the place of the ones so far and tells whoever listens. Throws as the constructor does. */
  update(change: { readonly tools: readonly AnyTool[] }): void {
    this.#generation += 1;
    this.#tools = new ToolRegistry(change.tools, this.#pageSize, this.#generation);
    for (const listener of [...this.#listeners]) listener({ kind: 'tools' });
  }

  /** For transports: a client arrived. */
  accept(standing: Exchange, options?: AcceptOptions): Inlet {
    return this.#acceptor.accept(standing, options);
  }

  /** For `connect`: a client of this process. */
  open(receiver: Receiver, options: OpenOptions): Promise<Connection> {
    return this.#channel.open(receiver, options);
  }

  #handle(call: Call): Outcome | Promise<Outcome> {
    const method = this.#methods.get(call.method);
    if (method) return method(call);
    throw new ProtocolError(codes.methodNotFound, `this server has no method ${call.method}`);
  }

  #list(call: Call): Outcome {
    const { cursor } = call.params;
    if (cursor !== undefined && cursor !== null && typeof cursor !== 'string') {
      throw new ProtocolError(codes.invalidParams, `cursor must be a string, got ${sketch(cursor)}`);
    }
    const page = this.#tools.page(cursor ?? undefined);
    if (page) return { value: page };
    const why = 'the cursor is not one of the current list, which may have changed; list from the beginning';
    throw new ProtocolError(codes.invalidParams, why);
  }

  async #call(call: Call): Promise<Outcome> {
    const { name, arguments: args } = call.params;
    if (typeof name !== 'string') {
      throw new ProtocolError(codes.invalidParams, `name must be the name of a tool, got ${sketch(name)}`);
    }
    if (args !== undefined && args !== null && !isObject(args)) {
      throw new ProtocolError(codes.invalidParams, `arguments must be an object, got ${sketch(args)}`);
    }
    const registered = this.#tools.get(name);
    if (!registered) throw unknownTool(name, this.#tools.names);
    const { requires } = registered.tool;
    const missing = requires === undefined ? undefined : missingOf(requires, call.client.capabilities);
    if (missing) throw new MissingCapability(`the tool ${name} needs a client that can do more`, missing);
    return { value: await runTool(registered, args ?? {}, call, this.#runner) };
  }

  #onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function describe(options: ServerOptions): ServerDescription {
  const { name, version, title, description, websiteUrl, icons, instructions, extensions = [] } = options;
  const settings = extensions.map(extension => [extension.id, extension.settings ?? {}]);
  const info: ImplementationInfo = {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined ? {} : { icons }),
  };
  return {
    info,
    capabilities: {
      logging: {},
      tools: { listChanged: true },
      ...(settings.length > 0 ? { extensions: Object.fromEntries(settings) } : {}),
    },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function unknownTool(name: string, known: Iterable<string>): ProtocolError {
  const meant = suggest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return new ProtocolError(codes.invalidParams, `unknown tool: ${JSON.stringify(shorten(name, 80))}${hint}`);
}

/** On stdio stdout belongs to the protocol. */
function reportOnStderr(message: string, cause: unknown): void {
  console.error(
    cause === undefined ? message : `${message}: ${cause instanceof Error ? cause.stack : messageOf(cause)}`,
  );
}
