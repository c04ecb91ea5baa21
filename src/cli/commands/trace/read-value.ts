/** What is read of a value for people: its words where it has some, else JSON; never throws, whatever a recording holds. */
import { isObject, parseJson } from '../../../basics/json.ts';
import { shorten } from '../../../basics/shorten.ts';

/** Characters of a line that says something; screens cut it earlier. */
const longestLine = 300;

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** The first line that says something. */
export function firstLine(text: string): string {
  const line = /\S[^\n]*/.exec(text.slice(0, 10_000))?.[0] ?? '';
  return shorten(line.replace(/\s+/g, ' ').trim(), longestLine);
}

/** The words of a result: of its blocks of text where it has some, else of its data. */
export function wordsOf(result: unknown): string {
  const content = isObject(result) ? result['content'] : result;
  if (!Array.isArray(content)) return textOf(isObject(result) && 'content' in result ? content : result);
  const words = content.map(block => {
    if (!isObject(block)) return textOf(block);
    const { type, text } = block;
    return typeof text === 'string' ? text : `[${textOf(type)}]`;
  });
  if (words.length > 0) return words.join('\n');
  return textOf(isObject(result) ? (result['structuredContent'] ?? '') : '');
}

/** What an error says, with what it was caused by where that says something else. */
export function reasonOf(error: unknown): string {
  const said: string[] = [];
  for (let at = error, depth = 0; at !== undefined && depth < 8; depth += 1) {
    const message = textOf(isObject(at) ? (at['message'] ?? at['name'] ?? at['code'] ?? at) : at);
    // The outer message often quotes the inner one.
    if (message !== '' && !said.some(outer => outer.includes(message))) said.push(message);
    at = isObject(at) ? at['cause'] : undefined;
  }
  return said.join(': ');
}

/** Arguments as a model writes them, on one line: what they hold rather than how JSON spells it. */
export function argumentsOf(value: unknown): string {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  const read = parsed?.ok === true ? parsed.value : value;
  if (!isObject(read)) return firstLine(textOf(read));
  return firstLine(
    Object.entries(read)
      .map(([name, entry]) => `${name}=${textOf(entry)}`)
      .join(' '),
  );
}
