/** Whether a turn that would be sent back word for word still says what its message says; pure. */
import { isObject } from '../../basics/json.ts';
import type { AssistantMessage } from '../model.ts';
import { readArguments } from './call-arguments.ts';

/** What a turn says in the provider's JSON. A member of a call that is `undefined` is not compared. */
export interface SaidTurn {
  readonly text: string;
  readonly calls: readonly {
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    /** JSON, or the text of it. */
    readonly arguments: unknown;
  }[];
}

/** Who changes a message, such as to take a secret out, means that; what is blank in a text does not count. */
export function stillSays(
  { text, calls }: SaidTurn,
  { content, toolCalls = [] }: AssistantMessage,
  aliasOf: (name: string) => string,
): boolean {
  return (
    lettersOf(text) === lettersOf(content) &&
    calls.length === toolCalls.length &&
    toolCalls.every((call, at) => {
      const said = calls[at];
      return (
        said !== undefined &&
        (said.id === undefined || said.id === call.id) &&
        (said.name === undefined || said.name === aliasOf(call.name)) &&
        asText(said.arguments) === asText(call.arguments)
      );
    })
  );
}

function lettersOf(text: string): string {
  return text.replace(/\s+/g, '');
}

function asText(given: unknown): string {
  return JSON.stringify(typeof given === 'string' ? readArguments(given) : isObject(given) ? given : {});
}
