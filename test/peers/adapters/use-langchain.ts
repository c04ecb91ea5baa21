/** LangChain with our tools. */
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type DynamicStructuredTool, tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { toolset } from 'tenon';
import { toLangChainTools } from 'tenon/adapters/langchain';
import { chat, responses } from './answers.ts';
import { brokenTool } from './guarded-tool.ts';
import { serveModel } from './model-server.ts';
import { type Report, runPrograms } from './report.ts';
import { connectThreeTools } from './three-tools.ts';
import { abortWhileRunning } from './waiting-tool.ts';

const open = (baseURL: string, useResponsesApi = false): ChatOpenAI =>
  new ChatOpenAI({
    model: 'model-1',
    apiKey: 'key',
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL },
  });

await runPrograms({
  async agent(): Promise<Report> {
    const server = await serveModel(chat);
    const client = await connectThreeTools();
    const model = open(server.url);
    // #region use
    const tools = await toLangChainTools(toolset(client), { tool, ToolMessage });
    const agent = createAgent({ model, tools });
    // #endregion
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Go on.')] });
    await Promise.all([client.close(), server.close()]);
    const results = messages
      .filter(message => ToolMessage.isInstance(message))
      .map(({ status, artifact, name }) => ({ status, artifact, name }));
    return { answer: String(messages.at(-1)?.content), asked: server.asked, more: { results } };
  },
  async broken(): Promise<Report> {
    const server = await serveModel(chat);
    const tools = await toLangChainTools([brokenTool], { tool });
    const agent = createAgent({ model: open(server.url), tools });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Go on.')] });
    await server.close();
    return { answer: String(messages.at(-1)?.content), asked: server.asked };
  },
  abort: () =>
    abortWhileRunning(chat, async ({ tool: waiting, url, signal }) => {
      const agent = createAgent({ model: open(url), tools: await toLangChainTools([waiting], { tool }) });
      await agent.invoke({ messages: [new HumanMessage('Go on.')] }, { signal });
    }),
  async bound(): Promise<Report> {
    const server = await serveModel(responses);
    const client = await connectThreeTools();
    const tools = await toLangChainTools(toolset(client), {
      tool,
      shows: type => type.startsWith('image/'),
    });
    const model = open(server.url, true).bindTools(tools);
    const question = new HumanMessage('Go on.');
    const turn = await model.invoke([question]);
    const byName = new Map(tools.map(each => [each.name, each as DynamicStructuredTool]));
    const results: ToolMessage[] = await Promise.all(
      (turn.tool_calls ?? []).map(call => byName.get(call.name)?.invoke({ ...call, type: 'tool_call' })),
    );
    const final = await model.invoke([question, turn, ...results]);
    await Promise.all([client.close(), server.close()]);
    return { answer: final.text, asked: server.asked };
  },
});
