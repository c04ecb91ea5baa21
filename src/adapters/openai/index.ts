/** Tools for the OpenAI SDK (`openai`), raw: for chat completions and for responses, in a loop of one's own. */

import {
  type ChatTool,
  type ResponsesTool,
  toChatTool,
  toResponsesTool,
} from '../../projection/openai-tools.ts';
import type { AdapterOptions, Tools } from '../calls/adapter-options.ts';
import { makeCallable } from '../calls/callable-tools.ts';
import { isImage, isPdf } from '../calls/pieces.ts';
import { type RunCallsOptions, runAll } from '../calls/run-all.ts';
import { type ChatToolMessage, type FunctionCallOutput, toFunctionOutput, toToolMessage } from './results.ts';

/** A call as a message of chat completions has it; other kinds of calls may be among them. */
export interface ChatCall {
  readonly id: string;
  /** `function` where it is missing, as some servers leave it out. */
  readonly type?: string | undefined;
  readonly function?: { readonly name: string; readonly arguments: string } | undefined;
}

/** An item of a response's output; only function calls count. */
export interface ResponseItem {
  readonly type: string;
  readonly call_id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly arguments?: unknown;
}

export interface ChatTools {
  /** For `tools` of `chat.completions.create`. */
  readonly tools: ChatTool[];
  /**
   * Runs the `tool_calls` of a message; gives the messages that answer them, one for each: a call of another kind than
   * a function is answered that it cannot be run. Rejects with a CallsError, which has the messages, when a call failed
   * in a way that the model cannot mend, after all calls have ended.
   */
  run(calls: readonly ChatCall[] | null | undefined, options?: RunCallsOptions): Promise<ChatToolMessage[]>;
}

export interface ResponsesTools {
  /** For `tools` of `responses.create`. */
  readonly tools: ResponsesTool[];
  /**
   * Runs the function calls of a response's `output`; gives the items that answer them. Rejects with a CallsError, which
   * has the items, when a call failed in a way that the model cannot mend, after all calls have ended.
   */
  run(output: readonly ResponseItem[], options?: RunCallsOptions): Promise<FunctionCallOutput[]>;
}

/** For chat completions. Results are text; media become a line that names them. */
export async function toChatTools(tools: Tools, options: AdapterOptions = {}): Promise<ChatTools> {
  const about = { name: 'toChatTools', family: 'openai', shows: () => false } as const;
  const callable = await makeCallable(tools, options, about);
  return {
    tools: callable.definitions.map(toChatTool),
    run(given, how = {}) {
      const calls = (given ?? []).map(({ id, type = 'function', function: called }) => ({
        id,
        name: called?.name ?? '',
        input: called?.arguments,
        ...(type === 'function' ? {} : { refusal: notFunction(type) }),
      }));
      return runAll(callable, calls, how, (result, { id }) => toToolMessage(result, id));
    },
  };
}

function notFunction(type: string): string {
  return `Calls of type ${JSON.stringify(type)} cannot be run here; call a function instead.`;
}

/** For responses. Images and PDFs are parts of an output, other media a line of text. */
export async function toResponsesTools(tools: Tools, options: AdapterOptions = {}): Promise<ResponsesTools> {
  const callable = await makeCallable(tools, options, {
    name: 'toResponsesTools',
    family: 'openai',
    shows: mimeType => isImage(mimeType) || isPdf(mimeType),
  });
  return {
    tools: callable.definitions.map(toResponsesTool),
    run(output, how = {}) {
      const calls = output
        .filter(({ type }) => type === 'function_call')
        .map(item => ({ id: item.call_id ?? '', name: item.name ?? '', input: item.arguments }));
      return runAll(callable, calls, how, (result, { id }, shows) => toFunctionOutput(result, id, shows));
    },
  };
}
