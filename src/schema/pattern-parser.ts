/** Reads a regular expression into a tree; the platform has found it legal before. */

/** One part of a pattern. */
export type PatternNode =
  /** One character of the text, judged by the platform's own reading of `source`. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'edge'; readonly edge: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'capture'; readonly body: PatternNode; readonly group: number }
  | { readonly kind: 'look'; readonly body: PatternNode; readonly negative: boolean }
  | { readonly kind: 'reference'; readonly group: number }
  | Repeat;

/** `groups` are the captures inside, from the first to before the last; each turn forgets them. */
export interface Repeat {
  readonly kind: 'repeat';
  readonly body: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
  readonly groups: readonly [from: number, to: number];
}

/** A pattern that was read. */
export interface ParsedPattern {
  readonly root: PatternNode;
  /** How many groups capture. */
  readonly groups: number;
  /** True when a reference leads back to what a group captured. */
  readonly refersBack: boolean;
  /** False when it holds what only the platform can judge: lookbehind, modifiers, legacy octal escapes. */
  readonly known: boolean;
}

/** Deeper groups are left to the platform. */
const deepest = 200;

const captures = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:(?!\?)|\?<([^>=!][^>]*)>)/g;
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y;
const opening = /\((?:\?(?:<?[=!]|<([^>]+)>|[ims]*(?:-[ims]*)?:))?/y;
const named = /\\k<([^>]+)>/y;
const escapes = {
  u: /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])/uy,
  '': /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])/y,
};
const literals = { u: /\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/uy, '': /\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/y };

/** The tree of a legal pattern, or undefined when it nests too deep. */
export function parsePattern(source: string, flags: 'u' | ''): ParsedPattern | undefined {
  const names = [...source.matchAll(captures)].filter(([text]) => text.startsWith('('));
  const groupNames = names.map(([, name]) => name);
  const hasNames = groupNames.some(name => name !== undefined);
  let at = 0;
  let opened = 0;
  let depth = 0;
  let known = true;
  let refersBack = false;

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(source) ?? undefined;
    if (found !== undefined) at += found[0].length;
    return found;
  }

  function choice(): PatternNode {
    const branches = [sequence()];
    while (source[at] === '|') {
      at++;
      branches.push(sequence());
    }
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
  }

  function sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const before = opened;
      const body = atom();
      const found = take(quantifier);
      parts.push(found === undefined ? body : repeat(body, found, [before + 1, opened + 1]));
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts };
  }

  function atom(): PatternNode {
    if (source[at] === '(') return group();
    if (source[at] === '\\') return escaped();
    if (source[at] === '^' || source[at] === '$') {
      return { kind: 'edge', edge: source[at++] === '^' ? '^' : '$' };
    }
    return { kind: 'character', source: take(literals[flags])?.[0] ?? '' };
  }

  function group(): PatternNode {
    const head = take(opening)?.[0] ?? '(';
    const captured = head === '(' || /^\(\?<[^=!]/.test(head);
    const number = captured ? ++opened : 0;
    if (++depth > deepest) throw tooNested;
    const body = choice();
    depth--;
    at++;
    if (captured) return { kind: 'capture', body, group: number };
    if (/[=!]$/.test(head)) {
      known &&= !head.startsWith('(?<');
      return { kind: 'look', body, negative: head.endsWith('!') };
    }
    known &&= head === '(?:';
    return body;
  }

  function escaped(): PatternNode {
    const digits = /^\\([1-9]\d*)/.exec(source.slice(at, at + 12));
    if (digits !== null && Number(digits[1]) <= groupNames.length) {
      at += digits[0].length;
      return reference(Number(digits[1]));
    }
    if (flags === 'u' || hasNames) {
      const name = take(named)?.[1];
      if (name !== undefined) {
        known &&= groupNames.indexOf(name) === groupNames.lastIndexOf(name);
        return reference(groupNames.indexOf(name) + 1);
      }
    }
    const text = take(escapes[flags])?.[0] ?? '';
    if (text === '\\b' || text === '\\B') return { kind: 'edge', edge: text };
    // Octal escapes take in further digits, and a lone `\c` is a backslash.
    if (/^\\[1-9]/.test(text) || text === '\\c' || (text === '\\0' && /\d/.test(source[at] ?? '')))
      known = false;
    return { kind: 'character', source: text };
  }

  function reference(number: number): PatternNode {
    refersBack = true;
    return { kind: 'reference', group: number };
  }

  try {
    const root = choice();
    // Something was not read as the platform reads it.
    if (at < source.length) return undefined;
    return { root, groups: groupNames.length, refersBack, known };
  } catch (error) {
    if (error === tooNested) return undefined;
    throw error;
  }
}

const tooNested: unique symbol = Symbol('groups nest too deep');

function repeat(body: PatternNode, found: RegExpExecArray, groups: Repeat['groups']): Repeat {
  const [, sign, from, comma, to, question] = found;
  const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
  const most = comma === undefined ? min : to === '' ? Number.POSITIVE_INFINITY : Number(to);
  const max = sign === undefined ? most : sign === '?' ? 1 : Number.POSITIVE_INFINITY;
  return { kind: 'repeat', body, min, max, lazy: question === '?', groups };
}
