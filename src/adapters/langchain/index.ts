/** Tools for LangChain (`@langchain/core`): what `createAgent`, `bindTools` and `ToolNode` take. */
import { checkFunction } from '../../basics/option-checks.ts';
import type { AdapterOptions, Tools } from '../calls/adapter-options.ts';
import { makeCallable } from '../calls/callable-tools.ts';
import { type ToolFactory, toFields } from './definitions.ts';
import { type LangChainContent, toContent } from './results.ts';

/** The fields of a `ToolMessage`. */
export interface ToolMessageFields {
  readonly content: LangChainContent;
  readonly tool_call_id: string;
  readonly name: string;
  readonly status: 'error';
  readonly artifact: unknown;
}

export interface LangChainOptions<T> extends AdapterOptions {
  /** `tool` of `@langchain/core/tools` (`langchain` has it too): LangChain takes only what its own classes made. */
  readonly tool: ToolFactory<T>;
  /** `ToolMessage` of `@langchain/core/messages`; with it a failure is a message of status `error`. */
  readonly ToolMessage?: (new (fields: ToolMessageFields) => object) | undefined;
}

const defaults = { name: 'toLangChainTools', family: 'generic', shows: () => false } as const;

/**
 * The tools, in order, as `tool` makes them. Each gives content for the model and the whole result as its artifact.
 * Media are a line of text, as chat completions refuse them in tool messages; where the model takes them, `shows` lets
 * them be parts of the content. A failure that the model can mend is content that begins with `Error:`, and a message of
 * status `error` where `ToolMessage` is given; every other is thrown, and what becomes of it is up to whoever runs the
 * tool. LangChain checks arguments by the schema that the model was shown before the tool's own judges them.
 */
export async function toLangChainTools<T>(tools: Tools, options: LangChainOptions<T>): Promise<T[]> {
  const { tool, ToolMessage } = options;
  if (typeof tool !== 'function') {
    throw new TypeError('toLangChainTools: option "tool" must be the function of @langchain/core/tools');
  }
  checkFunction('toLangChainTools', 'ToolMessage', ToolMessage, 'the class of @langchain/core/messages');
  const callable = await makeCallable(tools, options, defaults);
  return callable.definitions.map(definition => {
    const { name } = definition;
    return tool(async (input, config) => {
      const callId = config?.toolCall?.id;
      const id = callId ?? name;
      const result = await callable.run({ id, name, input, signal: config?.signal });
      const content = toContent(result, id, callable.shows);
      if (!result.isError || ToolMessage === undefined || callId === undefined) return [content, result];
      const fields = { content, tool_call_id: callId, name, status: 'error', artifact: result } as const;
      return [new ToolMessage(fields), result];
    }, toFields(definition));
  });
}
