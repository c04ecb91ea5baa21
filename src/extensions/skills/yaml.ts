/** The part of YAML that front matter is written in: mappings, lists, scalars; no anchors, tags or documents. */
import { YamlError } from './yaml-error.ts';
import { FlowReader } from './yaml-flow.ts';
import { foldBlock, foldLines, readPlain, readQuoted } from './yaml-scalar.ts';

const deepest = 32;

/** Throws a `YamlError` for what is not YAML, and for the parts of YAML that front matter has no use for. */
export function readYaml(text: string): unknown {
  return new BlockReader(text).document();
}

const isItem = (text: string): boolean => /^-(\s|$)/.test(text);

class BlockReader {
  readonly #lines: string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\r|\n/);
    // What ends a line does not begin another.
    if (this.#lines.at(-1) === '') this.#lines.pop();
  }

  document(): unknown {
    this.#skip();
    if (this.#isOver) return null;
    const value = this.#block(this.#indent(), 0);
    this.#skip();
    if (!this.#isOver) this.#fail('it does not belong to what stands above');
    return value;
  }

  get #isOver(): boolean {
    return this.#at >= this.#lines.length;
  }

  /** A block whose lines all begin at `indent`. */
  #block(indent: number, depth: number): unknown {
    if (depth > deepest) this.#fail(`it is nested more than ${deepest} deep`);
    const rest = this.#rest();
    if (isItem(rest)) return this.#list(indent, depth);
    if (this.#key(rest)) return this.#mapping(indent, depth);
    return this.#scalar(rest, indent);
  }

  #mapping(indent: number, depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (; this.#goesOn(indent); this.#skip()) {
      const { key, rest } = this.#key(this.#rest()) ?? this.#fail('a key and a colon should stand here');
      if (entries.has(key)) this.#fail(`the key ${JSON.stringify(key)} stands here twice`);
      entries.set(key, this.#value(rest, indent, depth, true));
    }
    return Object.fromEntries(entries);
  }

  #list(indent: number, depth: number): unknown[] {
    const items: unknown[] = [];
    for (; this.#goesOn(indent) && isItem(this.#rest()); this.#skip()) {
      const [dash = ''] = /^-\s*/.exec(this.#rest()) ?? [];
      const rest = this.#rest().slice(dash.length);
      if (isItem(rest) || this.#key(rest)) {
        // What begins on the line of its dash is indented by the dash.
        this.#lines[this.#at] = `${' '.repeat(indent + dash.length)}${rest}`;
        items.push(this.#block(indent + dash.length, depth + 1));
      } else items.push(this.#value(rest, indent, depth, false));
    }
    return items;
  }

  /** The value behind a key or a dash: on the same line, or as a block below it. */
  #value(rest: string, indent: number, depth: number, isOfKey: boolean): unknown {
    if (rest !== '' && !rest.startsWith('#')) return this.#scalar(rest, indent + 1);
    this.#at += 1;
    this.#skip();
    if (this.#isOver) return null;
    const below = this.#indent();
    // A list may stand at the same indentation as the key it belongs to.
    const isListOfKey = isOfKey && below === indent && isItem(this.#rest());
    return below > indent || isListOfKey ? this.#block(below, depth + 1) : null;
  }

  /** A scalar or flow collection that begins with `rest` and may go on in lines indented by `indent` at least. */
  #scalar(rest: string, indent: number): unknown {
    if (/^[|>]/.test(rest)) return this.#text(rest, indent);
    if (/^["'[{]/.test(rest)) return this.#flow(rest);
    if (/^[&*!%@`,\]}]|^\?(\s|$)/.test(rest)) this.#fail('anchors, aliases, tags and the like are not read');
    const lines: string[] = [];
    for (let line = rest; ; line = this.#rest()) {
      const comment = /(?:^|\s)#/.exec(line)?.index;
      const bare = comment === undefined ? line : line.slice(0, comment).trimEnd();
      if (/:(\s|$)/.test(bare)) this.#fail('plain text holds a colon and a space; put it in quotes');
      if (isItem(bare)) this.#fail('an item of a list stands where text should; put it in quotes');
      lines.push(bare);
      this.#at += 1;
      if (comment !== undefined || this.#isOver || !this.#isContinued(indent)) break;
    }
    while (lines.at(-1) === '') lines.pop();
    return lines.length > 1 ? foldLines(lines.join('\n')) : readPlain(lines[0] ?? '');
  }

  /** True when this line, or the first one after it that is not empty, belongs to the text above. */
  #isContinued(indent: number): boolean {
    let next = this.#at;
    while (next < this.#lines.length && this.#lines[next]?.trim() === '') next += 1;
    const line = this.#lines[next];
    if (line === undefined) return false;
    const [spaces = ''] = /^ */.exec(line) ?? [];
    return spaces.length >= indent && line[spaces.length] !== '#';
  }

  #flow(rest: string): unknown {
    const text = [rest, ...this.#lines.slice(this.#at + 1)].join('\n');
    const { value, end } = new FlowReader(text, this.#at).read();
    this.#at += text.slice(0, end).split('\n').length - 1;
    const [behind = ''] = text.slice(end).split('\n', 1);
    if (!/^\s*(\s#.*)?$/.test(behind)) this.#fail(`nothing should follow the value, ${behind.trim()} does`);
    this.#at += 1;
    return value;
  }

  /** A block of text that is kept as it is (`|`) or folded (`>`). */
  #text(head: string, indent: number): string {
    const [, style, marks = ''] =
      /^([|>])([-+]?[1-9]?|[1-9][-+])\s*(?:\s#.*)?$/.exec(head) ?? this.#fail('a block of text begins oddly');
    const given = /[1-9]/.exec(marks)?.[0];
    let margin = given === undefined ? undefined : indent - 1 + Number(given);
    const lines: string[] = [];
    for (this.#at += 1; !this.#isOver; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      if (line.trim() !== '') {
        if (this.#indent() < (margin ?? indent)) break;
        margin ??= this.#indent();
      }
      lines.push(line.slice(margin ?? line.length));
    }
    let last = lines.length;
    while (last > 0 && lines[last - 1]?.trim() === '') last -= 1;
    const kept = lines.slice(0, last);
    const body = style === '|' ? kept.join('\n') : foldBlock(kept);
    if (marks.includes('-')) return body;
    return body + (marks.includes('+') ? '\n'.repeat(lines.length - last) : '') + (last > 0 ? '\n' : '');
  }

  /** The key at the start of `text` and what follows its colon; nothing when there is none. */
  #key(text: string): { readonly key: string; readonly rest: string } | undefined {
    const quoted = /^["']/.test(text) ? readQuoted(text, 0) : undefined;
    const colon = quoted ? quoted.end + text.slice(quoted.end).search(/\S|$/) : text.search(/:(\s|$)/);
    if (colon <= 0 || text[colon] !== ':' || !/^:(\s|$)/.test(text.slice(colon, colon + 2))) return undefined;
    const raw = text.slice(0, colon).trimEnd();
    if (!quoted && (/^[[{#&*!|>'"%@`]/.test(raw) || /\s#/.test(raw))) return undefined;
    return { key: quoted?.value ?? raw, rest: text.slice(colon + 1).trim() };
  }

  #goesOn(indent: number): boolean {
    if (this.#isOver) return false;
    const here = this.#indent();
    if (here > indent) this.#fail('it is indented more than what it belongs to');
    return here === indent;
  }

  /** Goes past empty lines and comments. */
  #skip(): void {
    while (!this.#isOver && /^\s*(#.*)?$/.test(this.#lines[this.#at] ?? '')) this.#at += 1;
  }

  #indent(): number {
    const line = this.#lines[this.#at] ?? '';
    const [spaces = ''] = /^ */.exec(line) ?? [];
    if (line[spaces.length] === '\t') this.#fail('a tab indents it; use spaces');
    return spaces.length;
  }

  #rest(): string {
    return (this.#lines[this.#at] ?? '').trim();
  }

  #fail(why: string): never {
    throw new YamlError(this.#at, why);
  }
}
