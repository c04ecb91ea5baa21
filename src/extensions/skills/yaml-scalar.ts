/** Single values of YAML: quoted text, plain text, and what plain text stands for in the core schema. */

/** The value of a plain scalar: null, a boolean, a number, or the text itself. */
export function readPlain(text: string): unknown {
  if (/^(?:null|Null|NULL|~)?$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(text)) return Number(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  return text;
}

/** Lines of one scalar become one: a break is a space, an empty line is a break. */
export function foldLines(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  let folded = rest.length === 0 ? first : first.trimEnd();
  let breaks = 0;
  for (const [index, line] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const bare = isLast ? line.trimStart() : line.trim();
    breaks += 1;
    if (bare === '' && !isLast) continue;
    folded += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + bare;
    breaks = 0;
  }
  return folded;
}

/** Lines of a `>` block become one as `foldLines` does it, except around lines that are indented more. */
export function foldBlock(lines: readonly string[]): string {
  let folded = '';
  let breaks = 0;
  let wasIndented = true;
  for (const line of lines) {
    if (line === '') {
      breaks += 1;
      continue;
    }
    const isIndented = /^[ \t]/.test(line);
    if (folded === '') folded = '\n'.repeat(breaks);
    else if (isIndented || wasIndented) folded += '\n'.repeat(breaks + 1);
    else folded += breaks === 0 ? ' ' : '\n'.repeat(breaks);
    folded += line;
    breaks = 0;
    wasIndented = isIndented;
  }
  return folded;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** The quoted scalar that begins at `start`: its value and where it ends; nothing when it is not a whole one. */
export function readQuoted(
  text: string,
  start: number,
): { readonly value: string; readonly end: number } | undefined {
  const quote = text[start];
  const isDouble = quote === '"';
  let value = '';
  // Folded piece by piece: a line break that was written as an escape is not one to fold.
  let piece = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === quote) {
      if (isDouble || text[at + 1] !== quote) return { value: value + foldLines(piece), end: at + 1 };
      piece += quote;
      at += 1;
    } else if (isDouble && char === '\\') {
      const escaped = readEscape(text, at + 1);
      if (!escaped) return undefined;
      value += foldLines(piece) + escaped.value;
      piece = '';
      at = escaped.end - 1;
    } else piece += char;
  }
  return undefined;
}

function readEscape(text: string, at: number): { value: string; end: number } | undefined {
  const mark = text[at] ?? '';
  if (mark === '\n') {
    let end = at + 1;
    while (text[end] === ' ' || text[end] === '\t') end += 1;
    return { value: '', end };
  }
  const digits = mark === 'x' ? 2 : mark === 'u' ? 4 : mark === 'U' ? 8 : 0;
  if (digits === 0) {
    const value = escapes.get(mark);
    return value === undefined ? undefined : { value, end: at + 1 };
  }
  const hex = text.slice(at + 1, at + 1 + digits);
  const point = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : -1;
  if (point < 0 || point > 0x10ffff) return undefined;
  return { value: String.fromCodePoint(point), end: at + 1 + digits };
}
