/** What a pattern of a schema is to the platform; whether it is one at all is known without judging anything. */
import { readPythonPattern } from './python-pattern.ts';

/** A pattern as the platform reads it. */
export interface Expression {
  readonly source: string;
  readonly regExp: RegExp;
  /** By code points or, where the pattern is legal only so, by the halves of pairs. */
  readonly flags: 'u' | '';
  /** Flags that only the platform judges by. */
  readonly more: string;
}

/** Undefined when it is no regular expression at all, nor one of Python that means the same here. */
export function readExpression(source: string): Expression | undefined {
  const own = read(source, '');
  if (own !== undefined) return own;
  const python = readPythonPattern(source);
  return python && read(python.source, python.flags);
}

function read(source: string, more: string): Expression | undefined {
  // As the specification has it; but escapes such as `\-` are common in real schemas and illegal in unicode mode.
  for (const flags of ['u', ''] as const) {
    try {
      return { source, regExp: new RegExp(source, flags + more), flags, more };
    } catch {}
  }
  return undefined;
}
