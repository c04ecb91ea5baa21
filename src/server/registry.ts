/** What a server offers of one kind, frozen: found by key, listed in pages; made anew on every change. */
import { keepPrinted } from '../basics/json.ts';
import { sketch } from '../basics/sketch.ts';
import type { Params } from '../rpc/message.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';

/** How lists are cut. */
export interface Paging {
  readonly size: number;
  /** Differs for each list, so that a cursor of one is not read as one of another. */
  readonly generation: number;
}

export class Registry<Entry extends { readonly listing: object }> {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #pages: readonly Params[];

  /** `member` is the name of the list in results. */
  constructor(member: string, entries: ReadonlyMap<string, Entry>, paging: Paging) {
    this.#entries = entries;
    const listings = [...entries.values()].map(({ listing }) => listing);
    this.#pages = paginate(member, listings, paging).map(page => Object.freeze(keepPrinted(page)));
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  get keys(): Iterable<string> {
    return this.#entries.keys();
  }

  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** The page that the parameters of a list ask for. Throws a `ProtocolError` for a cursor of no use. */
  page(params: Params): Params {
    return findPage(this.#pages, params);
  }
}

/** Puts definitions under their keys. Throws a TypeError that names the key that comes twice. */
export function keyed<Definition, Entry>(
  member: string,
  what: string,
  definitions: readonly Definition[],
  register: (definition: Definition, index: number) => readonly [key: string, entry: Entry],
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [index, definition] of definitions.entries()) {
    const [key, entry] = register(definition, index);
    if (entries.has(key)) {
      throw new TypeError(
        `${member}: the ${what} "${key}" is given twice; each ${member.slice(0, -1)} needs one of its own`,
      );
    }
    entries.set(key, entry);
  }
  return entries;
}

/** Each page is one object for as long as the list lasts, so that it can be printed once however often it is sent. */
export function paginate(member: string, listings: readonly object[], paging: Paging): readonly Params[] {
  const { size, generation } = paging;
  const count = Math.max(1, Math.ceil(listings.length / size));
  return Array.from({ length: count }, (_none, page) => {
    const some = listings.slice(page * size, (page + 1) * size);
    const more = page + 1 < count;
    // Opaque to clients. It holds for this list alone: after a change it is refused rather than read wrongly.
    return more ? { [member]: some, nextCursor: btoa(`${generation}:${page + 1}`) } : { [member]: some };
  });
}

/** The page that the parameters of a list ask for. Throws a `ProtocolError` for a cursor of no use. */
export function findPage(pages: readonly Params[], { cursor }: Params): Params {
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string') {
    throw new ProtocolError(codes.invalidParams, `cursor must be a string, got ${sketch(cursor)}`);
  }
  const page =
    typeof cursor === 'string'
      ? pages.slice(1).find((_page, index) => pages[index]?.['nextCursor'] === cursor)
      : pages[0];
  if (page) return page;
  const why = 'the cursor is not one of the current list, which may have changed; list from the beginning';
  throw new ProtocolError(codes.invalidParams, why);
}
