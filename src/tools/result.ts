/** What a tool's `run` gave back, as the one shape of result that agents and servers pass on. */
import { isObject, printJson } from '../basics/json.ts';
import { type Content, isContent, text } from './content.ts';
import { isNeedInput } from './need-input.ts';
import type { ToolResult } from './tool.ts';

const resultKeys: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/**
 * The result for what `run` returned. Without a declared output a string is text, one block or a list of blocks is
 * content; with one (`hasOutput`) all of these are data. A whole result stays as it is, nothing at all is a result
 * without content, and every other value is data: `structuredContent`, and its JSON as text.
 * Throws a TypeError for data that JSON cannot carry, and for `needInput(…)` where nobody can be asked.
 */
export function toToolResult(returned: unknown, hasOutput: boolean): ToolResult {
  if (typeof returned === 'string' && !hasOutput) return { content: [text(returned)] };
  if (returned === undefined) return { content: [] };
  if (isNeedInput(returned)) {
    const asked = Object.keys(returned.questions).join(', ');
    throw new TypeError(`it asks for input (${asked}), and there is no client here to ask`);
  }
  if (isToolResult(returned)) return withReadableData(returned);
  if (!hasOutput) {
    if (returned === null) return { content: [] };
    if (isContent(returned)) return { content: [returned] };
    // An empty list is more likely a search without hits than a list of no blocks, and "[]" tells that to a model.
    if (Array.isArray(returned) && returned.length > 0 && returned.every(isContent)) {
      return { content: returned };
    }
  }
  return { content: [text(printJson(returned))], structuredContent: returned };
}

/**
 * True for an object with a list of content blocks and no members that a result does not have. Where `isError` is said,
 * or a block of a known kind stands among them, blocks of kinds that this version does not know are blocks too.
 */
export function isToolResult(value: unknown): value is ToolResult {
  if (!isObject(value)) return false;
  const { content, isError } = value;
  if (!Array.isArray(content) || !Object.keys(value).every(key => resultKeys.has(key))) return false;
  const isSure = content.length === 0 || typeof isError === 'boolean' || content.some(isContent);
  return isSure && content.every(hasKind);
}

function hasKind(block: unknown): boolean {
  return isObject(block) && typeof block['type'] === 'string';
}

/** Readers that know only text must not see an empty result where there is data. */
function withReadableData(result: ToolResult): ToolResult {
  if (result.content.length > 0 || result.structuredContent === undefined) return result;
  const content: readonly Content[] = [text(printJson(result.structuredContent))];
  return { ...result, content };
}
