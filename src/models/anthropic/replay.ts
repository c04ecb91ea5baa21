/** Turns that are sent back as they came: which ones need it, and whether one may still be used; pure. */
import { isObject } from '../../basics/json.ts';
import type { AssistantMessage, Replay } from '../model.ts';
import { stillSays } from '../provider/still-says.ts';
import type { AssistantBlock } from './request.ts';

const provider = 'anthropic';

/** The replay of a turn, or `undefined` when its text and calls say all there is. */
export function toReplay(blocks: readonly Readonly<Record<string, unknown>>[]): Replay | undefined {
  const items = blocks.filter(isSendable);
  return items.every(({ type }) => type === 'text' || type === 'tool_use') ? undefined : { provider, items };
}

/**
 * The blocks of a turn of this provider, or `undefined` when there are none or the message says something else by now.
 * Kinds of blocks that are not ours to know are kept.
 */
export function fromReplay(message: AssistantMessage): readonly AssistantBlock[] | undefined {
  const { replay } = message;
  if (replay?.provider !== provider || !Array.isArray(replay.items)) return undefined;
  const items = replay.items.filter(item => isObject(item) && isSendable(item));
  // Such a turn may not end in a thought; the thoughts of one that was cut short are of no use.
  const end = items.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking') + 1;
  const blocks = items.slice(0, end) as AssistantBlock[];
  return blocks.length > 0 && saysTheSame(blocks, message) ? blocks : undefined;
}

/** The API refuses blank text and thoughts without a signature. */
function isSendable(block: Readonly<Record<string, unknown>>): boolean {
  const { type, text, signature } = block;
  if (type === 'text') return typeof text === 'string' && text.trim() !== '';
  if (type === 'thinking') return typeof signature === 'string' && signature !== '';
  return typeof type === 'string';
}

function saysTheSame(blocks: readonly AssistantBlock[], message: AssistantMessage): boolean {
  const text = blocks.map(block => (block.type === 'text' ? block.text : '')).join('');
  const calls = blocks.flatMap(block =>
    block.type === 'tool_use' ? [{ id: block.id, arguments: block.input }] : [],
  );
  return stillSays({ text, calls }, message, name => name);
}
