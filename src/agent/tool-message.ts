/** A tool's result as the message that the model reads, cut to a length where there is one. */
import { printJson } from '../basics/json.ts';
import { shorten } from '../basics/shorten.ts';
import type { ToolMessage } from '../models/model.ts';
import { type Content, text } from '../tools/content.ts';
import type { ToolResult } from '../tools/tool.ts';

export type Observation = ToolMessage['content'];

/** Text when all of it is text, else the blocks. Structured data is there as JSON even when the text leaves it out. */
export function toObservation(result: ToolResult): Observation {
  const content = saysData(result)
    ? result.content
    : [...result.content, text(printJson(result.structuredContent))];
  const lines: string[] = [];
  for (const block of content) {
    if (block.type !== 'text') return content;
    lines.push(block.text);
  }
  return lines.join('\n');
}

/** Whether there is no data, or a text block that is the data as JSON, however it is laid out. */
function saysData({ content, structuredContent }: ToolResult): boolean {
  if (structuredContent === undefined) return true;
  const data = printJson(structuredContent);
  return content.some(block => block.type === 'text' && (block.text === data || sameJson(block.text, data)));
}

function sameJson(candidate: string, data: string): boolean {
  // Laid out, it is longer than the compact form; anything shorter cannot be the data.
  if (candidate.length < data.length) return false;
  try {
    return JSON.stringify(JSON.parse(candidate)) === data;
  } catch {
    return false;
  }
}

const marker = '… [cut]';

/** The observation within `limit` characters of text, a marker included; blocks that are not text stay. */
export function cutObservation(
  observation: Observation,
  limit: number,
): { readonly content: Observation; readonly cut: boolean } {
  if (typeof observation === 'string') return cutText(observation, limit);
  let left = limit;
  let cut = false;
  const content: Content[] = [];
  for (const block of observation) {
    if (block.type !== 'text') content.push(block);
    else if (left > 0) {
      const shorter = cutText(block.text, left);
      content.push({ ...block, text: shorter.content });
      cut ||= shorter.cut;
      left -= block.text.length;
    } else cut = true;
  }
  return { content, cut };
}

function cutText(value: string, limit: number): { content: string; cut: boolean } {
  return { content: shorten(value, limit, marker), cut: value.length > limit };
}
