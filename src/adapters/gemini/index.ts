/** Tools for the Gemini SDK (`@google/genai`), raw for a loop of one's own, and for the loop that it runs itself. */
import type { AdapterOptions, Tools } from '../calls/adapter-options.ts';
import { makeCallable } from '../calls/callable-tools.ts';
import { isImage, isPdf } from '../calls/pieces.ts';
import { type RunCallsOptions, runAll } from '../calls/run-all.ts';
import { type GeminiTool, toDeclaration } from './definitions.ts';
import { type FunctionResponsePart, toResponsePart } from './results.ts';

/** A call as a response has it. */
export interface FunctionCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

export interface GeminiTools {
  /** For `config.tools`. */
  readonly tools: GeminiTool[];
  /**
   * Runs the `functionCalls` of a response; gives the parts of the content that answers them. Rejects with
   * a CallsError, which has the parts, when a call failed in a way that the model cannot mend, after all have ended.
   */
  run(calls: readonly FunctionCall[] | undefined, options?: RunCallsOptions): Promise<FunctionResponsePart[]>;
}

/** For `config.tools` of a request whose calls the SDK is to run itself (its `CallableTool`). */
export interface GeminiCallableTool {
  tool(): Promise<GeminiTool>;
  callTool(calls: readonly FunctionCall[]): Promise<FunctionResponsePart[]>;
}

const defaults = {
  name: 'toGeminiTools',
  family: 'gemini',
  shows: (mimeType: string): boolean => (isImage(mimeType) && !/gif/i.test(mimeType)) || isPdf(mimeType),
} as const;

/**
 * For a loop of one's own. Images and PDFs are parts of a response, which models before Gemini 3 refuse: pass
 * `shows: () => false` for them. Other media become a line of text.
 */
export async function toGeminiTools(tools: Tools, options: AdapterOptions = {}): Promise<GeminiTools> {
  const callable = await makeCallable(tools, options, defaults);
  return {
    tools:
      callable.definitions.length === 0
        ? []
        : [{ functionDeclarations: callable.definitions.map(toDeclaration) }],
    run(given, how = {}) {
      // Calls may come without ids; the response then names the function alone.
      const calls = (given ?? []).map(({ id, name = '', args }) => ({
        id: id ?? name,
        name,
        input: args,
        called: { id, name },
      }));
      return runAll(callable, calls, how, (result, { called }, shows) =>
        toResponsePart(result, called, shows),
      );
    },
  };
}

/** See `toGeminiTools`; the SDK gives no signal to the calls it runs itself, so the one of `options` aborts them. */
export async function toGeminiCallableTool(
  tools: Tools,
  options: AdapterOptions = {},
): Promise<GeminiCallableTool> {
  const { tools: entries, run } = await toGeminiTools(tools, options);
  const tool = entries[0] ?? { functionDeclarations: [] };
  const { signal } = options;
  return { tool: () => Promise.resolve(tool), callTool: calls => run(calls, { signal }) };
}
