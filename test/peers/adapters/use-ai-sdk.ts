/** The AI SDK, versions 5 to 7, with our tools. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import * as ai5 from 'ai-5';
import { createOpenAI as createOpenAI5 } from 'ai-5-openai';
import * as ai6 from 'ai-6';
import { createOpenAI as createOpenAI6 } from 'ai-6-openai';
// #region use
import { toolset } from 'tenon';
import { toAiSdkTools } from 'tenon/adapters/ai-sdk';
// #endregion
import { chat, responses } from './answers.ts';
import { brokenTool, guardedTool } from './guarded-tool.ts';
import { serveModel } from './model-server.ts';
import { type Report, runPrograms } from './report.ts';
import { connectThreeTools } from './three-tools.ts';
import { abortWhileRunning } from './waiting-tool.ts';

const prompt = 'Go on.';

/** Yes to whatever was asked. */
const approvalsFor = (content: readonly { readonly type: string; readonly approvalId?: string }[]) =>
  content.flatMap(({ type, approvalId = '' }) =>
    type === 'tool-approval-request'
      ? [{ type: 'tool-approval-response' as const, approvalId, approved: true }]
      : [],
  );

await runPrograms({
  async v7(): Promise<Report> {
    const server = await serveModel(responses);
    const client = await connectThreeTools();
    const model = createOpenAI({ baseURL: server.url, apiKey: 'key' }).responses('model-1');
    // #region use
    const tools = await toAiSdkTools(toolset(client));
    const { text, steps } = await generateText({ model, tools, prompt, stopWhen: isStepCount(4) });
    // #endregion
    const results = steps[0]?.toolResults.map(({ output }) => output);
    await Promise.all([client.close(), server.close()]);
    return { answer: text, asked: server.asked, more: { results } };
  },
  async v7Stream(): Promise<Report> {
    const server = await serveModel(chat);
    const client = await connectThreeTools();
    const model = createOpenAI({ baseURL: server.url, apiKey: 'key' }).chat('model-1');
    const tools = await toAiSdkTools(toolset(client), { shows: () => false });
    const result = streamText({ model, tools, prompt, stopWhen: isStepCount(4) });
    const answer = await result.text;
    await Promise.all([client.close(), server.close()]);
    return { answer, asked: server.asked };
  },
  abort: () =>
    abortWhileRunning(chat, async ({ tool, url, signal }) => {
      const model = createOpenAI({ baseURL: url, apiKey: 'key' }).chat('model-1');
      const tools = await toAiSdkTools([tool]);
      await generateText({ model, tools, prompt, abortSignal: signal, stopWhen: isStepCount(4) });
    }),
  async approval(): Promise<Report> {
    const server = await serveModel(chat);
    const model = createOpenAI({ baseURL: server.url, apiKey: 'key' }).chat('model-1');
    const { tool, runs } = guardedTool();
    const asked = await generateText({ model, tools: await toAiSdkTools([tool]), prompt });
    const runsBefore = runs();
    const messages: ModelMessage[] = [
      { role: 'user', content: prompt },
      ...asked.response.messages,
      { role: 'tool', content: approvalsFor(asked.content) },
    ];
    // As another process would: with tools that were made anew.
    const tools = await toAiSdkTools([tool]);
    const { text } = await generateText({ model, tools, messages, stopWhen: isStepCount(4) });
    await server.close();
    return { answer: text, asked: server.asked, more: { runsBefore, runs: runs() } };
  },
  async approvalV6(): Promise<Report> {
    const server = await serveModel(chat);
    const model = createOpenAI6({ baseURL: server.url, apiKey: 'key' }).chat('model-1');
    const { tool, runs } = guardedTool();
    const version = 6;
    const asked = await ai6.generateText({ model, tools: await toAiSdkTools([tool], { version }), prompt });
    const runsBefore = runs();
    const messages: ai6.ModelMessage[] = [
      { role: 'user', content: prompt },
      ...asked.response.messages,
      { role: 'tool', content: approvalsFor(asked.content) },
    ];
    const tools = await toAiSdkTools([tool], { version });
    const { text } = await ai6.generateText({ model, tools, messages, stopWhen: ai6.stepCountIs(4) });
    await server.close();
    return { answer: text, asked: server.asked, more: { runsBefore, runs: runs() } };
  },
  async broken(): Promise<Report> {
    const server = await serveModel(chat);
    const model = createOpenAI({ baseURL: server.url, apiKey: 'key' }).chat('model-1');
    const tools = await toAiSdkTools([brokenTool]);
    const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(4) });
    await server.close();
    return { answer: text, asked: server.asked };
  },
  async v6(): Promise<Report> {
    const server = await serveModel(responses);
    const client = await connectThreeTools();
    const model = createOpenAI6({ baseURL: server.url, apiKey: 'key' }).responses('model-1');
    const tools = await toAiSdkTools(toolset(client), { version: 6 });
    const { text } = await ai6.generateText({ model, tools, prompt, stopWhen: ai6.stepCountIs(4) });
    await Promise.all([client.close(), server.close()]);
    return { answer: text, asked: server.asked };
  },
  async v5(): Promise<Report> {
    const server = await serveModel(responses);
    const client = await connectThreeTools();
    const model = createOpenAI5({ baseURL: server.url, apiKey: 'key' }).responses('model-1');
    const tools = await toAiSdkTools(toolset(client), { version: 5 });
    const { text } = await ai5.generateText({ model, tools, prompt, stopWhen: ai5.stepCountIs(4) });
    await Promise.all([client.close(), server.close()]);
    return { answer: text, asked: server.asked };
  },
});
