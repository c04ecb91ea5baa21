/** JSON in and out: a parser that never throws and bounds depth, and a printer that remembers what stays the same. */
import { shorten } from './shorten.ts';

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export interface ParseOptions {
  /** How deep arrays and objects may nest; 512 unless said. */
  readonly depth?: number;
}

const openBrace = 123;
const openBracket = 91;
const closeBrace = 125;
const closeBracket = 93;
const quote = 34;
const backslash = 92;

/** Reasons are cut here, so that a runtime that echoes its input cannot echo much of it. */
const longestReason = 80;

/**
 * Parses a JSON text; never throws. Depth is checked before anything is built. A `__proto__` key is harmless here:
 * `JSON.parse` makes it an own property like any other (copying such an object key by key is what would not be).
 */
export function parseJson(text: string, options?: ParseOptions): Parsed {
  const depth = options?.depth ?? 512;
  if (text.length > depth && mayBeDeep(text, depth) && isDeeper(text, depth)) {
    return { ok: false, reason: `nested more than ${depth} levels deep` };
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return {
      ok: false,
      reason: shorten(error instanceof Error ? error.message : String(error), longestReason),
    };
  }
}

/** Whether there are more than `depth` opening signs at all; most texts are found shallow here, at memory speed. */
function mayBeDeep(text: string, depth: number): boolean {
  let found = 0;
  for (const sign of ['{', '[']) {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
      found += 1;
      if (found > depth) return true;
    }
  }
  return false;
}

function isDeeper(text: string, depth: number): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if (code === openBrace || code === openBracket) {
      open += 1;
      if (open > depth) return true;
    } else if (code === closeBrace || code === closeBracket) open -= 1;
  }
  return false;
}

/** True when arrays and objects nest deeper than `depth` in a value that was parsed elsewhere. Never overflows. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let deep = 0; level.length > 0; deep += 1) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      if (deep >= depth) return true;
      for (const inner of Object.values(each)) if (typeof inner === 'object') next.push(inner);
    }
    level = next;
  }
  return false;
}

/** Where the string that begins at `start` ends, or -1 when it does not (then the text is no JSON anyway). */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON as text on one line. Throws a `TypeError` that says why when there is no JSON for `value`. */
export function printJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    // V8 draws the cycle on further lines; the first one says what is wrong.
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    throw new TypeError(`cannot be written as JSON: ${why ?? 'it cannot be read'}`, { cause: error });
  }
  if (text === undefined) throw new TypeError(`cannot be written as JSON: ${typeof value} has no JSON form`);
  return text;
}

/** Texts of results that cannot change any more; an entry goes when its result does. */
const printed = new WeakMap<object, string>();
const promised = new WeakSet<object>();

/**
 * Promises that `result` will not change any more, so that `printMessage` prints it once however often it is sent.
 * A result that is frozen all the way down needs no promise.
 */
export function keepPrinted<T extends object>(result: T): T {
  promised.add(result);
  return result;
}

/**
 * A JSON-RPC message as text on one line. The text of an unchanging result (see `keepPrinted`) is taken from memory
 * after the first time. Throws as `printJson` does.
 */
export function printMessage(message: object): string {
  const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
  if (typeof result !== 'object' || result === null || id === undefined) return printJson(message);
  // What nearly every answer is, found out before anything is looked up.
  const isPromised = promised.has(result);
  if (!isPromised && !Object.isFrozen(result)) return printJson(message);
  let text = printed.get(result);
  if (text === undefined) {
    if (!isPromised && !isFrozen(result)) return printJson(message);
    text = printJson(result);
    printed.set(result, text);
  }
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? String(id) : printJson(id)},"result":${text}}`;
}

/** Frozen all the way down, and made of plain values: nothing can make it print differently next time. */
function isFrozen(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  // The bound ends a cycle, which printing then refuses.
  if (level > 512 || !Object.isFrozen(value) || 'toJSON' in value) return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every(
    property => property.get === undefined && isFrozen(property.value, level + 1),
  );
}
