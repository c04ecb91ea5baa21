/** Regular expressions of schemas: with the unicode flag, as the specification has it, or without where that is illegal. */

/** The compiled pattern, or undefined when it is no regular expression at all. */
export function compilePattern(source: string): RegExp | undefined {
  // Escapes such as `\-` are common in real schemas and illegal in unicode mode.
  return compileWith(source, 'u') ?? compileWith(source, '');
}

function compileWith(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
