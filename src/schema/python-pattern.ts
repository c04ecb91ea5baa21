/** Regular expressions as Python writes them, where the platform has other words for the same. */

/** What stands for the pattern here. */
export interface PythonPattern {
  readonly source: string;
  /** Of `i`, `m` and `s`, each once. */
  readonly flags: string;
}

/** A leading group of flags; the letters that only say how Python reads text change nothing here. */
const leading = /^\(\?([aiLmsu]+)\)/;
/** What is escaped or in a class is no group; the rest is named groups and references back to them. */
const parts = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P<|\(\?P=(\w+)\)/g;

/** Undefined when nothing in it is Python's own. The source that is given can still be no regular expression. */
export function readPythonPattern(pattern: string): PythonPattern | undefined {
  const [head = '', letters = ''] = leading.exec(pattern) ?? [];
  const body = pattern.slice(head.length);
  const source = body.replace(parts, (part, name: string | undefined) => {
    if (part === '(?P<') return '(?<';
    // What leads nowhere stays, and is refused.
    return name === undefined || !body.includes(`(?P<${name}>`) ? part : `\\k<${name}>`;
  });
  if (source === pattern) return undefined;
  return { source, flags: ['i', 'm', 's'].filter(flag => letters.includes(flag)).join('') };
}
