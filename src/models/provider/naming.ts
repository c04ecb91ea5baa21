/** How a conversation names tools and calls towards a provider: by aliases, and by ids of a length that it takes. */
import { hashName } from '../../projection/name-rule.ts';
import type { Projection } from '../../projection/projection.ts';
import type { AssistantMessage, ModelMessage } from '../model.ts';

export interface Naming {
  /** What a tool is called there. */
  aliasOf(name: string): string;
  /** What the id of a call is sent as. */
  idOf(id: string): string;
}

/** What is sent back word for word, and how long ids may be. */
export interface ReplayRules {
  readonly longestCallId: number;
  /** `undefined` when the turn is not sent back word for word. */
  fromReplay(message: AssistantMessage, aliasOf: Naming['aliasOf']): unknown;
}

/**
 * An id is itself up to the longest that is taken, else a part of it with a hash of the whole: it may come from another
 * provider. Turns that are sent back word for word keep their own ids, in which some servers carry more.
 */
export function nameFor(
  messages: readonly ModelMessage[],
  { aliasOf }: Projection,
  { longestCallId, fromReplay }: ReplayRules,
): Naming {
  const kept = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant' || !message.toolCalls?.some(({ id }) => id.length > longestCallId)) {
      continue;
    }
    if (fromReplay(message, aliasOf) !== undefined) for (const { id } of message.toolCalls) kept.add(id);
  }
  const idOf = (id: string): string => {
    if (id.length <= longestCallId || kept.has(id)) return id;
    const mark = `_${hashName(id)}`;
    return `${id.slice(0, longestCallId - mark.length)}${mark}`;
  };
  return { aliasOf, idOf };
}
