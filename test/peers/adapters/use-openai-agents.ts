/** The OpenAI Agents SDK with our tools. */
import { Agent, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';
import { toolset } from 'tenon';
import { toOpenAIAgentsTools } from 'tenon/adapters/openai-agents';
import { chat, responses } from './answers.ts';
import { brokenTool, guardedTool } from './guarded-tool.ts';
import { serveModel } from './model-server.ts';
import { type Report, runPrograms } from './report.ts';
import { connectThreeTools } from './three-tools.ts';
import { abortWhileRunning } from './waiting-tool.ts';

setTracingDisabled(true);

const chatProvider = (baseURL: string): OpenAIProvider =>
  new OpenAIProvider({ baseURL, apiKey: 'key', useResponses: false });

async function use(useResponses: boolean): Promise<Report> {
  const server = await serveModel(useResponses ? responses : chat);
  const client = await connectThreeTools();
  const modelProvider = new OpenAIProvider({ baseURL: server.url, apiKey: 'key', useResponses });
  const options = useResponses ? {} : { shows: () => false };
  // #region use
  const tools = await toOpenAIAgentsTools(toolset(client), options);
  const agent = new Agent({ name: 'helper', model: 'model-1', instructions: 'Help.', tools });
  // #endregion
  const result = await new Runner({ modelProvider, tracingDisabled: true }).run(agent, 'Go on.');
  await Promise.all([client.close(), server.close()]);
  return { answer: result.finalOutput ?? '', asked: server.asked };
}

await runPrograms({
  responses: () => use(true),
  chat: () => use(false),
  async approval(): Promise<Report> {
    const server = await serveModel(chat);
    const { tool, runs } = guardedTool();
    const agent = new Agent({ name: 'helper', model: 'model-1', tools: await toOpenAIAgentsTools([tool]) });
    const runner = new Runner({ modelProvider: chatProvider(server.url), tracingDisabled: true });
    const asked = await runner.run(agent, 'Go on.');
    const runsBefore = runs();
    for (const interruption of asked.interruptions) asked.state.approve(interruption);
    const { finalOutput = '' } = await runner.run(agent, asked.state);
    await server.close();
    return { answer: finalOutput, asked: server.asked, more: { runsBefore, runs: runs() } };
  },
  async broken(): Promise<Report> {
    const server = await serveModel(chat);
    const agent = new Agent({
      name: 'helper',
      model: 'model-1',
      tools: await toOpenAIAgentsTools([brokenTool]),
    });
    const runner = new Runner({ modelProvider: chatProvider(server.url), tracingDisabled: true });
    let failure = '';
    await runner.run(agent, 'Go on.').catch((error: unknown) => {
      failure = String(error);
    });
    await server.close();
    return { answer: '', asked: server.asked, more: { failure } };
  },
  abort: () =>
    abortWhileRunning(chat, async ({ tool, url, signal }) => {
      const agent = new Agent({ name: 'helper', model: 'model-1', tools: await toOpenAIAgentsTools([tool]) });
      const runner = new Runner({ modelProvider: chatProvider(url), tracingDisabled: true });
      await runner.run(agent, 'Go on.', { signal });
    }),
});
