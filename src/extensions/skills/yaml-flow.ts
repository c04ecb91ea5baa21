/** YAML in one line or in brackets: quoted text, `[lists]` and `{mappings}`. */
import { YamlError } from './yaml-error.ts';
import { foldLines, readPlain, readQuoted } from './yaml-scalar.ts';

const deepest = 32;

/** Reads one value from the start of `text`; `line` is where it begins, for errors. */
export class FlowReader {
  readonly #text: string;
  readonly #line: number;
  #at = 0;

  constructor(text: string, line: number) {
    this.#text = text;
    this.#line = line;
  }

  /** The value, and where it ends in the text. */
  read(): { readonly value: unknown; readonly end: number } {
    const value = this.#value(0);
    return { value, end: this.#at };
  }

  #value(depth: number): unknown {
    if (depth > deepest) this.#fail(`it is nested more than ${deepest} deep`);
    const char = this.#text[this.#at] ?? '';
    if (char === '[') return this.#list(depth);
    if (char === '{') return this.#mapping(depth);
    if (char === '"' || char === "'") return this.#quoted();
    if (/[&*!%@`|>]/.test(char)) this.#fail('anchors, aliases, tags and the like are not read');
    return readPlain(this.#plain());
  }

  #quoted(): string {
    const read = readQuoted(this.#text, this.#at);
    if (!read) this.#fail('quoted text does not end, or holds an escape that is none');
    this.#at = read.end;
    return read.value;
  }

  /** Plain text within brackets ends where they go on. */
  #plain(): string {
    const start = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at] ?? '';
      if (/[,[\]{}]/.test(char)) break;
      if (char === ':' && /[\s,[\]{}]|^$/.test(this.#text[this.#at + 1] ?? '')) break;
      if (char === '#' && /\s/.test(this.#text[this.#at - 1] ?? ' ')) break;
    }
    return foldLines(this.#text.slice(start, this.#at).trim());
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    for (this.#open(); !this.#closes(']'); this.#separate(']')) items.push(this.#value(depth + 1));
    return items;
  }

  #mapping(depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (this.#open(); !this.#closes('}'); this.#separate('}')) {
      const quoted = /["']/.test(this.#text[this.#at] ?? '');
      const key = quoted ? this.#quoted() : this.#plain();
      if (entries.has(key)) this.#fail(`the key ${JSON.stringify(key)} stands here twice`);
      this.#space();
      if (this.#text[this.#at] === ':') {
        this.#at += 1;
        this.#space();
        entries.set(key, /[,}]/.test(this.#text[this.#at] ?? '') ? null : this.#value(depth + 1));
      } else entries.set(key, null);
    }
    return Object.fromEntries(entries);
  }

  #open(): void {
    this.#at += 1;
    this.#space();
  }

  /** Goes past the closing bracket when it stands here. */
  #closes(bracket: string): boolean {
    if (this.#text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  #separate(bracket: string): void {
    this.#space();
    if (this.#text[this.#at] === ',') this.#open();
    else if (this.#text[this.#at] !== bracket) this.#fail(`"," or "${bracket}" should stand here`);
  }

  #space(): void {
    const blank = /(?:\s|(?<=\s)#[^\n]*)*/y;
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)?.[0].length ?? 0;
  }

  #fail(why: string): never {
    const above = this.#text.slice(0, this.#at).split('\n').length - 1;
    throw new YamlError(this.#line + above, why);
  }
}
