/** Where the tools of a run come from: the agent's own, and sources that are asked again between turns. */
import { raceAbort } from '../../basics/abort.ts';
import { messageOf } from '../../basics/failure.ts';
import type { Note } from '../../models/collect.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { isToolSource, type ToolSource } from '../../tools/tool-source.ts';
import { prepareTool, prepareTools, type ReadyTool, type ToolDefaults } from './tool-registry.ts';

/** What an agent takes as its tools. The plain list is there for inference of what the tools need. */
export type AgentTools<Deps> =
  | ToolSource<Deps>
  | readonly AnyTool<Deps>[]
  | readonly (AnyTool<Deps> | ToolSource<Deps>)[];

/** A list for inference, which gathers what each of its tools and sources needs. */
export type ToolList<Needs extends readonly unknown[]> = {
  readonly [Place in keyof Needs]: AnyTool<Needs[Place]> | ToolSource<Needs[Place]>;
};

/** What meets all of the needs. */
export type AllOf<Needs extends readonly unknown[]> = {
  readonly [Place in keyof Needs]: (needs: Needs[Place]) => void;
}[number] extends (needs: infer All) => void
  ? All
  : never;

/** The tools as they are for one turn. */
export interface SuppliedTools<Deps> {
  readonly tools: ReadonlyMap<string, ReadyTool<Deps>>;
  /** What was left out of what sources gave, and why; told once in a run. */
  readonly notes: readonly Note[];
}

/** A list of a source, made ready. Each tool stands with its name, or with why it cannot be used. */
type ReadyList<Deps> = readonly ({ readonly ready: ReadyTool<Deps> } | { readonly fault: string })[];

/** What all runs of an agent share: its own tools, and lists that were made ready before. */
export class ToolSupply<Deps> {
  readonly own: ReadonlyMap<string, ReadyTool<Deps>>;
  readonly sources: readonly ToolSource<Deps>[];
  readonly defaults: ToolDefaults;
  readonly #lists = new WeakMap<readonly AnyTool<Deps>[], ReadyList<Deps>>();

  /** Throws as `prepareTool` does for a tool that cannot be used, and for what is neither tools nor a source. */
  constructor(given: AgentTools<Deps>, defaults: ToolDefaults) {
    const sources: ToolSource<Deps>[] = [];
    // By their places in the list, which errors name.
    const own = new Map<number, AnyTool<Deps>>();
    for (const [index, each] of listOf(given).entries()) {
      if (isToolSource(each)) sources.push(each as ToolSource<Deps>);
      else own.set(index, each as AnyTool<Deps>);
    }
    this.defaults = defaults;
    this.sources = sources;
    this.own = prepareTools(own, defaults);
  }

  /** Ready tools of a list; a list that was seen before is not looked at again. */
  prepare(list: readonly AnyTool<Deps>[]): ReadyList<Deps> {
    const known = this.#lists.get(list);
    if (known !== undefined) return known;
    const ready = list.map((tool, index) => {
      try {
        return { ready: prepareTool(tool, index, this.defaults) };
      } catch (error) {
        return { fault: messageOf(error).replace(/^Agent: /, '') };
      }
    });
    this.#lists.set(list, ready);
    return ready;
  }
}

/** The tools of one run, turn by turn. */
export class RunTools<Deps> {
  readonly #supply: ToolSupply<Deps>;
  readonly #told = new Set<string>();
  #lists: readonly (readonly AnyTool<Deps>[])[] | undefined;
  #current: SuppliedTools<Deps>;

  constructor(supply: ToolSupply<Deps>) {
    this.#supply = supply;
    this.#current = { tools: supply.own, notes: [] };
  }

  /** Asks every source, side by side. Rejects with what one rejects with, or at once with the signal's reason. */
  async next(signal: AbortSignal | undefined): Promise<SuppliedTools<Deps>> {
    const { sources } = this.#supply;
    if (sources.length === 0) return this.#current;
    signal?.throwIfAborted();
    const asked = Promise.all(sources.map(async source => readList(await source.tools({ signal }))));
    const lists = await raceAbort(asked, signal);
    if (this.#lists?.every((list, index) => list === lists[index]) === true) {
      return { tools: this.#current.tools, notes: [] };
    }
    this.#lists = lists;
    this.#current = this.#join(lists);
    return this.#current;
  }

  #join(lists: readonly (readonly AnyTool<Deps>[])[]): SuppliedTools<Deps> {
    const tools = new Map(this.#supply.own);
    const notes: Note[] = [];
    for (const each of lists.flatMap(list => this.#supply.prepare(list))) {
      if ('fault' in each) {
        notes.push({ code: 'tool-unusable', message: `a tool of a source is left out: ${each.fault}` });
        continue;
      }
      const { name } = each.ready.prepared;
      if (!tools.has(name)) tools.set(name, each.ready);
      else {
        const message = `a tool of a source is left out: the name "${name}" is taken`;
        notes.push({ code: 'tool-name-taken', message });
      }
    }
    return {
      tools,
      notes: notes.filter(({ message }) => !this.#told.has(message) && this.#told.add(message)),
    };
  }
}

function listOf<Deps>(given: AgentTools<Deps>): readonly (AnyTool<Deps> | ToolSource<Deps>)[] {
  if (Array.isArray(given)) return given as readonly (AnyTool<Deps> | ToolSource<Deps>)[];
  if (isToolSource(given)) return [given as ToolSource<Deps>];
  throw new TypeError('Agent: tools must be a list of tools, or a source of them such as toolset(…)');
}

function readList<Deps>(list: readonly AnyTool<Deps>[]): readonly AnyTool<Deps>[] {
  if (Array.isArray(list)) return list;
  throw new TypeError('a source of tools gave something that is not a list');
}
