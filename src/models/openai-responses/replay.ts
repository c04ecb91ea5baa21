/** Turns that go back to the responses endpoint as they came: which need it, and whether one may still be used; pure. */
import { isObject } from '../../basics/json.ts';
import type { AssistantMessage, Replay } from '../model.ts';
import { stillSays } from '../provider/still-says.ts';

export type Json = Readonly<Record<string, unknown>>;

/** First word of the names of these models, which replays are known by. */
export const providerName = 'openai-responses';

/** What OpenAI takes as the id of a call. Longer ones, which other servers give, are theirs alone to read. */
export const longestCallId = 64;

/** The replay of a turn, or `undefined` when text and calls say all there is. */
export function toReplay(items: readonly Json[]): Replay | undefined {
  const kept = sendable(items);
  return kept.some(isThought) || kept.some(hasLongId) ? { provider: providerName, items: kept } : undefined;
}

/** `undefined` when there are no such items, or the message says something else by now. */
export function fromReplay(
  message: AssistantMessage,
  aliasOf: (name: string) => string,
): readonly Json[] | undefined {
  const { replay } = message;
  // A history may come from a file.
  if (replay?.provider !== providerName || !Array.isArray(replay.items)) return undefined;
  if (!replay.items.every(isObject)) return undefined;
  const items = sendable(replay.items);
  if (items.length === 0) return undefined;
  const calls = items.filter(({ type }) => type === 'function_call');
  const said = calls.map(({ call_id: id, name, arguments: raw }) => ({
    id: String(id),
    name: String(name),
    arguments: raw,
  }));
  return stillSays({ text: items.map(textIn).join(''), calls: said }, message, aliasOf) ? items : undefined;
}

/** Thoughts that cannot be read back are refused, and so is one that nothing follows, as in a turn that was cut short. */
function sendable(items: readonly Json[]): readonly Json[] {
  const readable = items.filter(item => !isThought(item) || typeof item['encrypted_content'] === 'string');
  return readable.slice(0, readable.findLastIndex(item => !isThought(item)) + 1);
}

function isThought({ type }: Json): boolean {
  return type === 'reasoning';
}

function hasLongId({ type, call_id: id }: Json): boolean {
  return type === 'function_call' && typeof id === 'string' && id.length > longestCallId;
}

function textIn({ type, content }: Json): string {
  if (type !== 'message' || !Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .map(
      ({ text, refusal }) =>
        `${typeof text === 'string' ? text : ''}${typeof refusal === 'string' ? refusal : ''}`,
    )
    .join('');
}
