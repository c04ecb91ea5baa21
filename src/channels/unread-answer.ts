/** An answer that cannot be parsed, told from its text alone, so that the request it belongs to need not wait for its limit. */
import { endOfString } from '../basics/json.ts';
import type { Id } from '../rpc/message.ts';
import { codes, errorResponse } from '../rpc/protocol-error.ts';

/**
 * What stands for an answer that could not be parsed for `reason`: an error for the request that its text names, with
 * id null where it names none. Undefined when the text is no answer. Takes time by the length of the text; meant for
 * texts that have failed already.
 */
export function standInFor(text: string, reason: string): object | undefined {
  const id = requestOf(text);
  if (id === undefined) return undefined;
  return errorResponse(id, codes.internalError, `the answer of the server cannot be read: ${reason}`);
}

const idValue = /\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,500}")\s*[,}]/y;

/** Looks at the members of the outermost object only: what an answer holds may have such names too. */
function requestOf(text: string): Id | null | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  let id: Id | null = null;
  let answers = false;
  let isOurs = false;
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') open += 1;
    else if (sign === '}' || sign === ']') open -= 1;
    if (sign !== '"') continue;
    const end = endOfString(text, at);
    if (end === -1) break;
    const name = text.slice(at + 1, Math.min(end, at + 10));
    at = end;
    if (open !== 1 || !names.has(name)) continue;
    const colon = skipSpace(text, end + 1);
    if (text[colon] !== ':') continue;
    if (name === 'method') return undefined;
    if (name === 'id') id = idAt(text, colon + 1) ?? id;
    else if (name === 'jsonrpc') isOurs = true;
    else answers = true;
    if (answers && id !== null) return id;
  }
  // A broken log line may have an error and no id.
  return answers && (isOurs || id !== null) ? id : undefined;
}

const names: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'result', 'error']);

function idAt(text: string, from: number): Id | undefined {
  idValue.lastIndex = from;
  const found = idValue.exec(text)?.[1];
  if (found === undefined) return undefined;
  try {
    return JSON.parse(found) as Id;
  } catch {
    return undefined;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}
