/** A tool's result as a message keeps it, and as plain text cut to a length where there is one. */
import { shorten } from '../../basics/shorten.ts';
import type { ToolMessage } from '../../models/model.ts';
import { type Content, text } from '../../tools/content.ts';
import { renderBlock } from '../../tools/render-content.ts';
import { dataText, saysData } from './reconcile.ts';

export type Observation = ToolMessage['content'];

/** What a message holds of a result. */
export type FullResult = Pick<ToolMessage, 'content' | 'structuredContent'>;

/** A lone text without more to it is kept as text, everything else, odd or not, as the blocks it came in. */
export function toContent(content: readonly Content[]): Observation {
  const [only] = content;
  if (only === undefined) return '';
  if (content.length > 1 || only.type !== 'text' || only.annotations || only._meta) return [...content];
  return typeof only.text === 'string' ? only.text : [...content];
}

/** All of it as text when it is text, else the blocks. Structured data is there as JSON, once. */
export function toObservation({ content, structuredContent }: FullResult): Observation {
  const blocks = typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content;
  const json = dataText(structuredContent);
  const isSaid = json === undefined || saysData(blocks, structuredContent, json);
  const all = isSaid ? blocks : [...blocks, text(json)];
  const lines: string[] = [];
  for (const block of all) {
    if (block.type !== 'text') return all;
    lines.push(renderBlock(block));
  }
  return lines.join('\n');
}

/** The result itself where there is no limit, else what fits in so many characters, and whether it was cut. */
export function observeWithin(result: FullResult, limit: number): FullResult & { readonly cut: boolean } {
  if (limit !== Number.POSITIVE_INFINITY) return cutObservation(toObservation(result), limit);
  const { content, structuredContent } = result;
  return { content, ...(structuredContent === undefined ? {} : { structuredContent }), cut: false };
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
      const said = renderBlock(block);
      const shorter = cutText(said, left);
      content.push({ ...block, text: shorter.content });
      cut ||= shorter.cut;
      left -= said.length;
    } else cut = true;
  }
  return { content, cut };
}

function cutText(value: string, limit: number): { content: string; cut: boolean } {
  return { content: shorten(value, limit, marker), cut: value.length > limit };
}
