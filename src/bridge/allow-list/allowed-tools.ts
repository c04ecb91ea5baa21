/** The tools that a pattern or an agent of a configuration may use, connected when they are first needed. */
import type { Clock } from '../../basics/clock.ts';
import { isObject } from '../../basics/json.ts';
import { shorten } from '../../basics/shorten.ts';
import { version } from '../../basics/version.ts';
import { demoTools } from '../../patterns/demo-tools/demo-tools.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { ToolSource } from '../../tools/tool-source.ts';
import type { ToolWrap } from '../toolset/bridged-call.ts';
import type { Drift } from '../toolset/drift-guard.ts';
import { isListed } from '../toolset/glob.ts';
import { LiveToolset } from '../toolset/live-toolset.ts';
import { addressOf, type ServedTool } from '../toolset/served-tool.ts';
import type { ToolAdjustment } from '../toolset/tool-adjustment.ts';
import type { Toolset } from '../toolset/toolset.ts';
import type { ToolsetEvent } from '../toolset/toolset-events.ts';
import { argumentFault } from './argument-guard.ts';
import type { AllowedServer, ServedConfig, ServerAccess } from './config.ts';
import { Connections, type ConnectServer } from './connections.ts';
import { builtinKey } from './read-servers.ts';
import { describeLoose, looseRules } from './rule-names.ts';
import { deepest, infoAtDepth } from './serving-depth.ts';
import { isAllowed, ruleOf } from './tool-access.ts';

export interface AllowedToolsFacts {
  readonly config: Pick<ServedConfig, 'servers'>;
  readonly connect: ConnectServer;
  /** Connections that outlive what is served: whoever gives them closes them, and `connect` is not called. */
  readonly connections?: Connections | undefined;
  readonly onEvent?: ((event: ToolsetEvent) => void) | undefined;
  readonly clock?: Clock | undefined;
}

type Unmatched = Extract<ToolsetEvent, { readonly type: 'unmatched' }>;

const noneOfThem = '!*';

/** Most characters of a description that a server gives. */
const longestDescription = 4000;

export class AllowedTools {
  readonly #facts: AllowedToolsFacts;
  readonly #toolsets: Toolset[] = [];
  readonly #connections: Connections;
  /** How often each tool was called, whoever used it. */
  readonly #calls = new Map<string, number>();
  /** The hash of each definition as it was first seen, whoever saw it. */
  readonly #seen = new Map<string, string>();
  /** Rules of which was told that they mean nothing. */
  readonly #loose = new Set<string>();

  constructor(facts: AllowedToolsFacts) {
    this.#facts = facts;
    this.#connections = facts.connections ?? new Connections(facts.connect);
  }

  /** Names for people and models, before any server was asked. */
  describe(patterns: readonly string[] | undefined): string {
    const wanted = patterns ?? this.#usualPatterns();
    const builtin = this.#builtin(wanted).map(({ name }) => name);
    const servers = this.#serversOf(wanted).map(([name]) => `those of ${name} that it allows`);
    return [...builtin, ...servers].join(', ') || 'none';
  }

  /** Tools for calls by depth: each depth has connections of its own, which say how deep they are. */
  for(patterns: readonly string[] | undefined): (depth: number) => ToolSource {
    const wanted = patterns ?? this.#usualPatterns();
    const sources = new Map<number, ToolSource>();
    return depth => {
      if (depth >= deepest) throw tooDeep();
      const known = sources.get(depth);
      if (known !== undefined) return known;
      const made = this.#makeSource(wanted, depth);
      sources.set(depth, made);
      return made;
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#toolsets.map(each => each.close()));
    if (this.#facts.connections === undefined) await this.#connections.close();
  }

  /** All that is allowed; the built-in tools where nothing else is. */
  #usualPatterns(): readonly string[] {
    const isAlone = Object.keys(this.#facts.config.servers).length === 0;
    return isAlone ? [`${builtinKey}/*`] : ['*/*', `!${builtinKey}/*`];
  }

  #builtin(wanted: readonly string[]): readonly AnyTool[] {
    return demoTools.filter(({ name }) => isListed(wanted, [`${builtinKey}/${name}`]));
  }

  #serversOf(wanted: readonly string[]): readonly (readonly [string, AllowedServer])[] {
    const mentioned = wanted
      .filter(pattern => !pattern.startsWith('!'))
      .map(pattern => pattern.split('/')[0] ?? '');
    return Object.entries(this.#facts.config.servers).filter(([name]) => isListed(mentioned, [name]));
  }

  #makeSource(wanted: readonly string[], depth: number): ToolSource {
    const builtin = this.#builtin(wanted);
    const servers = this.#serversOf(wanted);
    if (servers.length === 0) return { tools: async () => builtin };
    const made = this.#makeToolset(servers, wanted, depth);
    this.#toolsets.push(made);
    if (builtin.length === 0) return made;
    return joined(builtin, made);
  }

  #makeToolset(
    servers: readonly (readonly [string, AllowedServer])[],
    wanted: readonly string[],
    depth: number,
  ): Toolset {
    const { clock } = this.#facts;
    const byName = new Map(servers.map(([name, server]) => [name, server]));
    const accessOf = ({ server }: Pick<ServedTool, 'server'>) => byName.get(server)?.access ?? { allow: [] };
    const info = infoAtDepth(depth + 1, version);
    const sources = servers.map(([key, { entry }]) => ({
      key,
      source: this.#connections.to(key, entry, info),
      isShared: true,
    }));
    const pins = servers.flatMap(([server, { access }]) =>
      Object.entries(access.pins ?? {}).map(([name, hash]) => [addressOf({ server, name }), hash]),
    );
    const loose = servers.flatMap(([name, { access }]) =>
      looseRules(access).map(key => [name, key] as const),
    );
    return new LiveToolset(sources, {
      filter: tool => isAllowed(tool, accessOf(tool)) && isListed(wanted, [addressOf(tool)]),
      // With several servers no name depends on what another one happens to offer.
      prefix: servers.length > 1 ? 'always' : 'on-collision',
      reserved: demoTools.map(({ name }) => name),
      adjust: tool => adjust(tool, accessOf(tool)),
      // None by itself: a rule without its tool has all others of the server asked about.
      needsApproval: [...loose.map(([server, name]) => addressOf({ server, name })), noneOfThem],
      trustAnnotations: servers.filter(([, { access }]) => access.trustAnnotations).map(([name]) => name),
      wrap: this.#guard(byName),
      pinned: Object.fromEntries(pins),
      onDrift: drift => this.#letIn(drift, accessOf(drift)),
      onEvent: event => {
        if (event.type === 'unmatched') this.#tellLoose(event, loose);
        else if (isNews(event, accessOf)) this.#facts.onEvent?.(event);
      },
      clock,
    });
  }

  /** Whether a tool may be used that is not what was approved, or of which nothing is known yet. */
  #letIn({ kind, server, tool, found }: Drift, { onDrift = 'block', pins }: ServerAccess): boolean {
    if (onDrift === 'warn') return true;
    if (kind === 'changed' || pins !== undefined) return false;
    const address = addressOf({ server, name: tool });
    const first = this.#seen.get(address) ?? found;
    this.#seen.set(address, first);
    return first === found;
  }

  /** Once, whoever uses the server. */
  #tellLoose(event: Unmatched, loose: readonly (readonly [server: string, key: string])[]): void {
    const [server, key] = loose.find(([server, name]) => addressOf({ server, name }) === event.pattern) ?? [];
    if (server === undefined || key === undefined || this.#loose.has(event.pattern)) return;
    this.#loose.add(event.pattern);
    this.#facts.onEvent?.({ ...event, option: 'adjust', reason: describeLoose(server, key) });
  }

  /** What stands between the model's call and the server, after any approval. */
  #guard(servers: ReadonlyMap<string, AllowedServer>): ToolWrap {
    return ({ server, tool, name, arguments: args, annotations }, next) => {
      const access = servers.get(server)?.access ?? { allow: [] };
      const rule = ruleOf({ name: tool, ...(annotations === undefined ? {} : { annotations }) }, access);
      const refuse = (why: string): ToolError => new ToolError(`Tool "${name}" was not run: ${why}`);
      const fault = argumentFault(args, rule.arguments);
      if (fault !== undefined) throw refuse(fault);
      const address = addressOf({ server, name: tool });
      const made = this.#calls.get(address) ?? 0;
      const { maxCalls = Number.POSITIVE_INFINITY } = rule;
      if (made >= maxCalls) {
        throw refuse(`it may be called ${maxCalls} times while this server runs, and was. Go on without it`);
      }
      this.#calls.set(address, made + 1);
      return next();
    };
  }
}

/** Without pins every tool is new once. */
function isNews(event: ToolsetEvent, accessOf: (tool: Drift) => ServerAccess): boolean {
  if (event.type !== 'drift' || event.blocked) return true;
  return event.drift.kind === 'changed' || accessOf(event.drift).pins !== undefined;
}

/** The same list as long as that of the toolset is the same. */
function joined(builtin: readonly AnyTool[], source: ToolSource): ToolSource {
  let last: { readonly of: readonly AnyTool[]; readonly list: readonly AnyTool[] } | undefined;
  return {
    async tools(options) {
      const of = await source.tools(options);
      if (last?.of !== of) last = { of, list: [...builtin, ...of] };
      return last.list;
    },
  };
}

/** Throws for a tool that a rule does not fit, which leaves it out. */
function adjust(tool: ServedTool, access: ServerAccess): ToolAdjustment {
  const { approval, timeout, pin, hide, describe, arguments: judged } = ruleOf(tool, access);
  const { properties } = tool.inputSchema;
  const [missing] = judged.find(([name]) => !isObject(properties) || !Object.hasOwn(properties, name)) ?? [];
  if (missing !== undefined) {
    // Perhaps it calls the argument something else, and nothing would judge that.
    throw new TypeError(
      `its rule judges the argument ${JSON.stringify(missing)}, which it does not have; let the rule fit only tools that have it`,
    );
  }
  return {
    needsApproval:
      approval === 'ask' || (access.rules?.[tool.name]?.approval === undefined ? undefined : false),
    describe: describe ?? plain,
    timeout,
    pin,
    hide,
  };
}

/** Without signs that people cannot see and models read all the same. */
function plain(description: string): string {
  return shorten(description.replace(/[^\P{C}\n\t]/gu, ''), longestDescription);
}

function tooDeep(): ToolError {
  return new ToolError(
    `not run: this call came through ${deepest} servers that use each other's tools, which is the most; one of them may use itself`,
  );
}
