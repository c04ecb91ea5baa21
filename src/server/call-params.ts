/** Reads what a call names and gives; each refusal says what was sent in its place. */
import { isObject } from '../basics/json.ts';
import { shorten } from '../basics/shorten.ts';
import { sketch } from '../basics/sketch.ts';
import type { Params } from '../rpc/message.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { suggest } from '../schema/suggest.ts';

/** Throws a `ProtocolError` that says what it `must` be unless `value` is a string. */
export function textOf(value: unknown, must: string): string {
  if (typeof value === 'string') return value;
  throw new ProtocolError(codes.invalidParams, `${must}, got ${sketch(value)}`);
}

/** The arguments, empty when there are none. Throws a `ProtocolError` unless they are an object. */
export function argumentsOf({ arguments: args }: Params): Params {
  if (args === undefined || args === null) return {};
  if (isObject(args)) return args;
  throw new ProtocolError(codes.invalidParams, `arguments must be an object, got ${sketch(args)}`);
}

/** The failure for a name that is not there, with the one that was probably meant. */
export function unknown(what: string, name: string, known: Iterable<string>): ProtocolError {
  const meant = suggest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  const shown = JSON.stringify(shorten(name, 80));
  return new ProtocolError(codes.invalidParams, `unknown ${what}: ${shown}${hint}`);
}
