/** A list that comes in pages, as one async iterable: follows cursors within bounds and says when it stopped early. */
import type { Diagnostic } from '../channels/channel.ts';
import type { Params } from '../rpc/message.ts';

/** Bounds on a list that never ends. */
const maxPages = 1000;
const maxItems = 10_000;

export interface PageSource<Item> {
  /** The list's method, for diagnostics. */
  readonly method: string;
  fetch(cursor: string | undefined): Promise<Params>;
  /** Begins to read the list; what it returns gives the items of one page after another. */
  begin(): (page: Params) => readonly Item[];
  diagnostic(diagnostic: Diagnostic): void;
  /** The list was read to its end. */
  complete?(items: readonly Item[]): void;
}

/** One page of a list as the server cut it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Gives the next page; absent on the last one. */
  readonly nextCursor?: string;
}

/** Iterate it for items as their pages come, await `all()`, or turn pages. Each iteration reads the list anew. */
export class Paged<Item> implements AsyncIterable<Item> {
  readonly #source: PageSource<Item>;

  constructor(source: PageSource<Item>) {
    this.#source = source;
  }

  /**
   * Every item, in the server's order: at most 10,000, of at most 1,000 pages. A longer list is cut there, which a diagnostic
   * of the kind `list-cut` tells of.
   */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /** One page: the first, or the one that the `nextCursor` of another page leads to. Nothing is followed. */
  async page(cursor?: string): Promise<Page<Item>> {
    const result = await this.#source.fetch(cursor);
    const items = this.#source.begin()(result);
    const next = result['nextCursor'];
    if (typeof next === 'string') return { items, nextCursor: next };
    if (next !== undefined) this.#tolerate(next);
    return { items };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const source = this.#source;
    const read = source.begin();
    const seen = new Set<string>();
    const items: Item[] = [];
    let cursor: string | undefined;
    for (let page = 1; ; page += 1) {
      const result = await source.fetch(cursor);
      for (const item of read(result)) {
        if (items.length >= maxItems) return this.#stop(`it has more than ${maxItems} entries`, items.length);
        items.push(item);
        yield item;
      }
      const next = result['nextCursor'];
      // null is not legal and common enough; it can only mean the end.
      if (typeof next !== 'string') {
        if (next !== undefined) this.#tolerate(next);
        break;
      }
      if (seen.has(next))
        return this.#stop(`the cursor ${JSON.stringify(next.slice(0, 40))} came twice`, items.length);
      if (page >= maxPages) return this.#stop(`it has more than ${maxPages} pages`, items.length);
      seen.add(next);
      cursor = next;
    }
    source.complete?.(items);
  }

  #tolerate(cursor: unknown): void {
    const kind = cursor === null ? 'null' : `a ${typeof cursor}`;
    const message = `${this.#source.method}: the cursor of the next page is ${kind}; that counts as the end of the list`;
    this.#source.diagnostic({ kind: 'odd-cursor', message });
  }

  #stop(why: string, kept: number): void {
    const message = `${this.#source.method}: stopped reading the list because ${why}; ${kept} entries are kept`;
    this.#source.diagnostic({ kind: 'list-cut', message });
  }
}
