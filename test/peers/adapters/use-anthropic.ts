/** The Anthropic SDK with our tools. */
import Anthropic from '@anthropic-ai/sdk';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { toolset } from 'tenon';
import {
  type AnthropicRunnableOptions,
  toAnthropicRunnables,
  toAnthropicTools,
} from 'tenon/adapters/anthropic';
import { messages as answers } from './answers.ts';
import { serveModel } from './model-server.ts';
import { type Report, runPrograms } from './report.ts';
import { connectThreeTools } from './three-tools.ts';
import { abortWhileRunning } from './waiting-tool.ts';

const basics = { model: 'model-1', max_tokens: 1000 } as const;

async function useRunner(options: AnthropicRunnableOptions): Promise<Report> {
  const server = await serveModel(answers);
  const client = await connectThreeTools();
  const anthropic = new Anthropic({ baseURL: server.url, apiKey: 'key', maxRetries: 0 });
  // #region runner
  const final = await anthropic.beta.messages
    .toolRunner({
      ...basics,
      messages: [{ role: 'user', content: 'Go on.' }],
      tools: await toAnthropicRunnables(toolset(client), options),
    })
    .runUntilDone();
  // #endregion
  await Promise.all([client.close(), server.close()]);
  return { answer: textIn(final.content), asked: server.asked };
}

const textIn = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.map(({ text = '' }) => text).join('');

await runPrograms({
  runner: () => useRunner({ ToolError }),
  runnerAlone: () => useRunner({}),
  abort: () =>
    abortWhileRunning(answers, async ({ tool, url, signal }) => {
      const anthropic = new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 });
      const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Go on.' }];
      const tools = await toAnthropicRunnables([tool]);
      await anthropic.beta.messages.toolRunner({ ...basics, messages, tools }, { signal }).runUntilDone();
    }),
  async raw(): Promise<Report> {
    const server = await serveModel(answers);
    const client = await connectThreeTools();
    const anthropic = new Anthropic({ baseURL: server.url, apiKey: 'key', maxRetries: 0 });
    // #region raw
    const { tools, run } = await toAnthropicTools(toolset(client));
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go on.' }];
    let message = await anthropic.messages.create({ ...basics, messages, tools });
    while (message.stop_reason === 'tool_use') {
      messages.push({ role: 'assistant', content: message.content });
      messages.push({ role: 'user', content: await run(message.content) });
      message = await anthropic.messages.create({ ...basics, messages, tools });
    }
    // #endregion
    await Promise.all([client.close(), server.close()]);
    return { answer: textIn(message.content), asked: server.asked };
  },
});
