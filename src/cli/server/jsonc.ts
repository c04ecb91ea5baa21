/** Reads JSON as people write it in configuration: with comments and a comma too many; says on which line it breaks. */

export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** How deep arrays and objects may nest. */
const deepest = 100;

/**
 * Reads a whole text. Never throws. Of a name that stands twice in an object the last counts, as in `JSON.parse`; with
 * `unique` it is a fault.
 */
export function readJsonc(text: string, { unique = false }: { readonly unique?: boolean } = {}): ReadJson {
  // Some editors on Windows begin a file with a byte order mark.
  const reader = new JsoncReader(text.replace(/^\uFEFF/, ''), unique);
  try {
    return { ok: true, value: reader.document() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, line: reader.line(), reason: error.message };
  }
}

class Fault extends Error {}

const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const scalar = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|[A-Za-z]+/y;

class JsoncReader {
  readonly #text: string;
  readonly #unique: boolean;
  #at = 0;

  constructor(text: string, unique: boolean) {
    this.#text = text;
    this.#unique = unique;
  }

  /** The line that is being read, from 1. */
  line(): number {
    return this.#text.slice(0, this.#at).split('\n').length;
  }

  document(): unknown {
    const value = this.#value(0);
    this.#skip(blank);
    if (this.#at < this.#text.length)
      throw new Fault(`nothing may stand after the end, found ${this.#here()}`);
    return value;
  }

  #value(depth: number): unknown {
    if (depth > deepest) throw new Fault(`nested more than ${deepest} levels deep`);
    this.#skip(blank);
    if (this.#take('{')) {
      const names = new Set<string>();
      return Object.fromEntries(this.#items('}', () => this.#member(depth, names)));
    }
    if (this.#take('[')) return this.#items(']', () => this.#value(depth + 1));
    return this.#scalar('a value');
  }

  /** What stands up to the closing sign, with commas between. */
  #items<Item>(close: '}' | ']', read: () => Item): Item[] {
    const items: Item[] = [];
    for (;;) {
      this.#skip(blank);
      if (this.#take(close)) return items;
      items.push(read());
      this.#skip(blank);
      if (!this.#take(',') && this.#text[this.#at] !== close) {
        throw new Fault(`expected "," or "${close}", found ${this.#here()}`);
      }
    }
  }

  #member(depth: number, names: Set<string>): [string, unknown] {
    const key = this.#scalar('a name in double quotes');
    if (typeof key !== 'string') throw new Fault(`expected a name in double quotes, found ${String(key)}`);
    if (this.#unique && names.has(key)) {
      throw new Fault(`${JSON.stringify(key)} stands twice in one object; the first would not count`);
    }
    names.add(key);
    this.#skip(blank);
    if (!this.#take(':')) throw new Fault(`expected ":" after ${JSON.stringify(key)}, found ${this.#here()}`);
    return [key, this.#value(depth + 1)];
  }

  #scalar(wanted: string): unknown {
    const start = this.#at;
    const text = this.#skip(scalar);
    try {
      if (text !== '') return JSON.parse(text) as unknown;
    } catch {
      this.#at = start;
    }
    throw new Fault(`expected ${wanted}, found ${this.#here()}`);
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  /** Passes what matches here, and gives it. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /** What stands here, for messages; no more of it than a sign or a word, since values may be secret. */
  #here(): string {
    const found = /^(?:[A-Za-z]{1,10}|.)/su.exec(this.#text.slice(this.#at, this.#at + 12))?.[0];
    return found === undefined ? 'the end of the file' : JSON.stringify(found);
  }
}
