/** Ids of calls that came from elsewhere, at a length that a provider takes. */
import { hashName } from '../../projection/name-rule.ts';
import type { AssistantMessage, ModelMessage } from '../model.ts';

/**
 * What the id of a call is sent as: itself up to `longest` characters, else a part of it with a hash of the whole. Turns
 * that are sent back word for word keep their own ids, in which some servers carry more.
 */
export function callIds(
  messages: readonly ModelMessage[],
  longest: number,
  isReplayed: (message: AssistantMessage) => boolean,
): (id: string) => string {
  const kept = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant' || !message.toolCalls?.some(({ id }) => id.length > longest)) continue;
    if (isReplayed(message)) for (const { id } of message.toolCalls) kept.add(id);
  }
  return id => {
    if (id.length <= longest || kept.has(id)) return id;
    const mark = `_${hashName(id)}`;
    return `${id.slice(0, longest - mark.length)}${mark}`;
  };
}
