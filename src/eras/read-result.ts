/** Reads the result of an answer as an object; what is none counts as an empty one, and is told of. */
import { isObject } from '../basics/json.ts';
import { sketch } from '../basics/sketch.ts';
import type { Params } from '../rpc/message.ts';
import type { Link } from './link.ts';

export function readResult(link: Link, method: string, result: unknown): Params {
  if (isObject(result)) return result;
  const message = `${method}: the server's result is no object but ${sketch(result)}; it counts as an empty one`;
  link.diagnostic({ kind: 'odd-result', message });
  return {};
}
