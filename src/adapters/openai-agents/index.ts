/** Tools for the OpenAI Agents SDK (`@openai/agents`): what an `Agent` takes as `tools`. */
import type { AdapterOptions, Tools } from '../calls/adapter-options.ts';
import { makeCallable } from '../calls/callable-tools.ts';
import { isImage, isPdf } from '../calls/pieces.ts';
import { type AgentsTool, toDefinition } from './definitions.ts';
import { toOutput } from './results.ts';

const defaults = {
  name: 'toOpenAIAgentsTools',
  family: 'openai',
  shows: (mimeType: string): boolean => isImage(mimeType) || isPdf(mimeType),
} as const;

/**
 * The tools, in order. Images and PDFs are parts of an output, other media a line of text; with a model of chat
 * completions, whose tool messages are text, pass `shows: () => false`. A failure that the model can mend is an output
 * that begins with `Error:`; every other is thrown, which ends the run. `family: 'openai-strict'` turns strict mode on
 * for the tools whose schema allows it. The SDK asks before a call that needs approval, unless `approve` decides.
 */
export async function toOpenAIAgentsTools(tools: Tools, options: AdapterOptions = {}): Promise<AgentsTool[]> {
  const callable = await makeCallable(tools, options, defaults);
  return callable.definitions.map(definition => {
    const { name } = definition;
    const asks = callable.asksBefore(name);
    return {
      ...toDefinition(definition),
      needsApproval: async (_, input, callId = name) => (await asks?.({ id: callId, input })) ?? false,
      invoke: async (_, input, details) => {
        const id = details?.toolCall?.callId ?? name;
        const { signal } = details ?? {};
        const result = await callable.run({ id, name, input, signal });
        return toOutput(result, id, callable.shows);
      },
    };
  });
}
