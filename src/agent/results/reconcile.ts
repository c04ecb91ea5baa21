/** A result's structured data beside its content: whether the text says it already, so that a model reads it once. */
import { isObject, parseJson, printJson } from '../../basics/json.ts';
import type { Content } from '../../tools/content.ts';
import { renderBlock } from '../../tools/render-content.ts';

/** The data as JSON on one line; nothing where there is none, or where JSON cannot carry it. */
export function dataText(data: unknown): string | undefined {
  if (data === undefined) return undefined;
  try {
    return printJson(data);
  } catch {
    return undefined;
  }
}

/**
 * Whether text among the blocks is the data: as JSON, alone or in a code fence, however it is laid out and ordered; or,
 * for data that only wraps a value as `{ "result": … }`, that value as text or JSON in one block, or its items one in
 * each.
 */
export function saysData(content: readonly Content[], data: unknown, json: string): boolean {
  const texts = content.flatMap(block => (block.type === 'text' ? [renderBlock(block)] : []));
  if (texts.some(text => isData(text, data, json) || fencesOf(text).some(code => isData(code, data, json)))) {
    return true;
  }
  const wrapped = isObject(data) && Object.keys(data).length === 1 ? data['result'] : undefined;
  if (wrapped === undefined) return false;
  if (texts.some(text => isValue(text, wrapped))) return true;
  if (!Array.isArray(wrapped) || wrapped.length !== texts.length || texts.length === 0) return false;
  return wrapped.every((item, index) => isValue(texts[index] ?? '', item));
}

/** What stands between the marks of code fences. */
function fencesOf(text: string): readonly string[] {
  const mark = '```';
  const fences: string[] = [];
  for (let open = text.indexOf(mark); open !== -1; ) {
    const start = text.indexOf('\n', open);
    const end = start === -1 ? -1 : text.indexOf(mark, start);
    if (end === -1) break;
    fences.push(text.slice(start + 1, end).trim());
    open = text.indexOf(mark, end + mark.length);
  }
  return fences;
}

function isValue(text: string, value: unknown): boolean {
  return text === value || isData(text, value, dataText(value) ?? '');
}

function isData(text: string, data: unknown, json: string): boolean {
  if (text === json) return true;
  // Escapes aside, no layout is shorter than the compact form by more than this; most texts are told apart here.
  if (text.length < json.length / 6) return false;
  const first = text.trimStart().charAt(0);
  if (first !== json.charAt(0)) return false;
  const parsed = parseJson(text);
  return parsed.ok && isSame(parsed.value, data);
}

/** Equal as JSON, whatever the order of members. Depth is bounded by the parser, which made `left`. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isSame(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  const others = Object.keys(right).filter(name => right[name] !== undefined);
  return (
    names.length === others.length &&
    names.every(name => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}
