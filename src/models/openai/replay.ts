/** Turns of a chat model that go back with more than their text and calls: thoughts, and signatures on calls; pure. */
import { isObject } from '../../basics/json.ts';
import type { AssistantMessage, Replay } from '../model.ts';
import { stillSays } from '../provider/still-says.ts';

export type Json = Readonly<Record<string, unknown>>;

/** First word of the names of these models, which replays are known by. */
export const providerName = 'openai';

/** What OpenAI takes as the id of a call. Longer ones, which other servers give, are theirs alone to read. */
export const longestCallId = 40;

/** Members of a turn that servers want back, each of its own kind. */
export const turnMembers: readonly string[] = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'extra_content',
];
/** The same of a call in it. */
export const callMembers: readonly string[] = [
  'extra_content',
  'provider_specific_fields',
  'thought_signature',
];

/** Those of the members that are there. */
export function pick(from: Json, members: readonly string[]): Json {
  return Object.fromEntries(
    members.flatMap(name => (from[name] === undefined || from[name] === null ? [] : [[name, from[name]]])),
  );
}

/** `undefined` when text and calls say all there is. */
export function toReplay(text: string, calls: readonly Json[], more: Json): Replay | undefined {
  const isMore = Object.keys(more).length > 0 || calls.some(hasMore);
  if (!isMore) return undefined;
  const turn = {
    role: 'assistant',
    content: text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...more,
  };
  return { provider: providerName, items: [turn] };
}

function hasMore(call: Json): boolean {
  const { id } = call;
  return (
    Object.keys(pick(call, callMembers)).length > 0 || (typeof id === 'string' && id.length > longestCallId)
  );
}

/** What goes with a message and with each of its calls, in order. */
export interface Extras {
  readonly turn: Json;
  readonly calls: readonly Json[];
}

/** `undefined` when there is no such turn, or the message says something else by now. */
export function fromReplay(message: AssistantMessage, aliasOf: (name: string) => string): Extras | undefined {
  const { replay } = message;
  // A history may come from a file.
  if (replay?.provider !== providerName || !Array.isArray(replay.items)) return undefined;
  const turn: unknown = replay.items[0];
  if (replay.items.length !== 1 || !isObject(turn) || typeof turn['content'] !== 'string') return undefined;
  const calls: unknown = turn['tool_calls'] ?? [];
  if (!Array.isArray(calls) || !calls.every(isObject)) return undefined;
  const said = calls.map(call => {
    const about = isObject(call['function']) ? call['function'] : {};
    return { id: String(call['id']), name: String(about['name']), arguments: about['arguments'] };
  });
  if (!stillSays({ text: turn['content'], calls: said }, message, aliasOf)) return undefined;
  return { turn: pick(turn, turnMembers), calls: calls.map(call => pick(call, callMembers)) };
}
