/** Keeps definitions within a budget of tokens: all of them while they fit, else a search and what it loaded. */
import type { AnyTool } from '../../tools/tool.ts';
import { sizeOf } from './definition-size.ts';
import { searchTools, type ToolShelf } from './search-tools.ts';
import type { CatalogEntry } from './tool-catalog.ts';
import { ToolIndex } from './tool-search.ts';

/** Tokens that the definition of a tool with an argument or two takes. */
const smallest = 50;

export class DefinitionShelf implements ToolShelf {
  readonly #budget: number;
  readonly #onMove: (type: 'loaded' | 'unloaded', tool: string) => void;
  readonly #search: readonly AnyTool[];
  readonly #searchTokens: number;
  #entries: readonly CatalogEntry[] = [];
  #index: ToolIndex | undefined;
  /** By address, in the order in which they were used last; the value is when they were loaded. */
  readonly #loaded = new Map<string, number>();
  #loads = 0;
  #offered: readonly AnyTool[] | undefined;

  constructor(budget: number, onMove: (type: 'loaded' | 'unloaded', tool: string) => void) {
    this.#budget = budget;
    this.#onMove = onMove;
    this.#search = searchTools(this);
    this.#searchTokens = this.#search.reduce((sum, tool) => sum + sizeOf(tool), 0);
    const least = this.#searchTokens + smallest;
    if (budget < least) {
      const names = this.#search.map(({ name }) => name).join(' and ');
      throw new TypeError(
        `toolset: definitionBudget must be at least ${least} tokens, which ${names} and one small tool take, got ${budget}`,
      );
    }
  }

  /** What the model gets now; the same list while nothing changed. */
  offer(entries: readonly CatalogEntry[]): readonly AnyTool[] {
    if (entries !== this.#entries) {
      this.#entries = entries;
      this.#index = undefined;
      this.#offered = undefined;
      const there = new Set(entries.map(({ candidate }) => candidate.address));
      for (const address of this.#loaded.keys()) if (!there.has(address)) this.#loaded.delete(address);
    }
    this.#offered ??= this.#choose();
    return this.#offered;
  }

  /** A call counts as use: what was not used for longest leaves first. */
  use(address: string): void {
    const since = this.#loaded.get(address);
    if (since === undefined) return;
    this.#loaded.delete(address);
    this.#loaded.set(address, since);
  }

  entries(): readonly CatalogEntry[] {
    return this.#entries;
  }

  find(query: string, most: number): readonly CatalogEntry[] {
    this.#index ??= new ToolIndex(
      this.#entries.map(({ tool: { name, description }, candidate: { served, held } }) => ({
        name,
        server: served.server,
        description,
        parameters: Object.keys(held.schema['properties'] ?? {}),
      })),
    );
    return this.#index.find(query, most).flatMap(number => this.#entries[number] ?? []);
  }

  load(entry: CatalogEntry): ReturnType<ToolShelf['load']> {
    const { address } = entry.candidate;
    if (this.#fits(this.#entries) || this.#kept().includes(entry)) return { ok: true, left: [] };
    if (this.#loaded.has(address)) {
      this.use(address);
      return { ok: true, left: [] };
    }
    const room = this.#budget - this.#searchTokens - sum(this.#kept());
    if (entry.tokens > room) return { ok: false };
    const left: string[] = [];
    for (const oldest of this.#loaded.keys()) {
      if (sum(this.#shown()) + entry.tokens <= room) break;
      const out = this.#shown().find(({ candidate }) => candidate.address === oldest);
      this.#loaded.delete(oldest);
      if (out) left.push(out.tool.name);
    }
    this.#loads += 1;
    this.#loaded.set(address, this.#loads);
    this.#offered = undefined;
    for (const name of left) this.#onMove('unloaded', name);
    this.#onMove('loaded', entry.tool.name);
    return { ok: true, left };
  }

  #choose(): readonly AnyTool[] {
    if (this.#fits(this.#entries)) return this.#entries.map(({ tool }) => tool);
    const shown = [...this.#kept(), ...this.#shown()].map(({ tool }) => tool);
    return [...this.#search, ...shown];
  }

  #fits(entries: readonly CatalogEntry[]): boolean {
    return sum(entries) <= this.#budget;
  }

  /** Those that are always shown, in the order of the list, as far as the budget reaches. */
  #kept(): readonly CatalogEntry[] {
    let left = this.#budget - this.#searchTokens;
    return this.#entries.filter(({ candidate, tokens }) => {
      if (!candidate.isKept || tokens > left) return false;
      left -= tokens;
      return true;
    });
  }

  /** Those that were loaded, in the order of loading, so that what was sent before stays where it was. */
  #shown(): readonly CatalogEntry[] {
    const since = ({ candidate }: CatalogEntry): number => this.#loaded.get(candidate.address) ?? 0;
    return this.#entries.filter(entry => since(entry) > 0).sort((a, b) => since(a) - since(b));
  }
}

function sum(entries: readonly CatalogEntry[]): number {
  return entries.reduce((total, { tokens }) => total + tokens, 0);
}
