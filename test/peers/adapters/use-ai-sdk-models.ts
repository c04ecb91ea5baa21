/** Language models of the AI SDK as models of our agent. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAI as createOpenAI5 } from 'ai-5-openai';
import { createOpenAI as createOpenAI6 } from 'ai-6-openai';
import { Agent, image, type Model, text, toolset } from 'tenon';
import { type FromAiSdkOptions, fromAiSdk, type LanguageModel } from 'tenon/adapters/ai-sdk';
import { chat, responses } from './answers.ts';
import { cutInTheMiddle, finalText, overloadedInTheMiddle, thinkingAndCall } from './message-stream.ts';
import { type Answer, type Json, type ModelServer, serveModel } from './model-server.ts';
import { type Report, runPrograms } from './report.ts';
import { connectThreeTools, pixel } from './three-tools.ts';

type Answers = readonly ((body: Json) => Answer)[];

async function runAgent(
  answers: Answers,
  open: (url: string) => LanguageModel,
  options: FromAiSdkOptions = {},
): Promise<Report> {
  const server = await serveModel(answers);
  const client = await connectThreeTools();
  const languageModel = open(server.url);
  // #region use
  const model = fromAiSdk(languageModel, options);
  const tools = await toolset(client).tools();
  const result = await new Agent({ model, instructions: 'Help.', tools }).run([
    text('Go on.'),
    image(pixel, 'image/png'),
  ]);
  // #endregion
  await Promise.all([client.close(), server.close()]);
  const more = { usage: result.usage, messages: result.messages, name: model.name };
  return { answer: result.output, asked: server.asked, more };
}

/** What a model yields, or what it fails with. */
async function ask(
  answers: Answers,
  use: (server: ModelServer) => Model,
  request: Partial<Parameters<Model['respond']>[0]> = {},
): Promise<Report> {
  const server = await serveModel(answers);
  const parts: unknown[] = [];
  let failure: unknown;
  try {
    const messages = [{ role: 'user', content: 'Go on.' }] as const;
    for await (const part of use(server).respond({ messages, ...request })) parts.push(part);
  } catch (error) {
    failure = error;
  }
  await server.close();
  return { answer: '', asked: server.asked, more: { parts, failure } };
}

const anthropicAt = (url: string): LanguageModel =>
  createAnthropic({ baseURL: url, apiKey: 'key' })('claude-sonnet-4-5');
const openaiAt = (url: string): LanguageModel =>
  createOpenAI({ baseURL: url, apiKey: 'key' }).chat('model-1');
const hasty = { retry: { delay: 0 } } as const;

await runPrograms({
  v4: () => runAgent(chat, openaiAt, { shows: () => false }),
  v3: () =>
    runAgent(chat, url => createOpenAI6({ baseURL: url, apiKey: 'key' }).chat('model-1'), {
      shows: () => false,
    }),
  v2: () =>
    runAgent(chat, url => createOpenAI5({ baseURL: url, apiKey: 'key' }).chat('model-1'), {
      shows: () => false,
    }),
  wholeV4: () =>
    runAgent(responses, url => createOpenAI({ baseURL: url, apiKey: 'key' }).responses('model-1'), {
      stream: false,
    }),
  wholeV3: () =>
    runAgent(responses, url => createOpenAI6({ baseURL: url, apiKey: 'key' }).responses('model-1'), {
      stream: false,
    }),
  wholeV2: () =>
    runAgent(responses, url => createOpenAI5({ baseURL: url, apiKey: 'key' }).responses('model-1'), {
      stream: false,
    }),
  reasoning: () => runAgent([thinkingAndCall, finalText], anthropicAt),
  structured: () =>
    ask(
      [
        () => ({
          events: [
            {
              id: 'chatcmpl-1',
              object: 'chat.completion.chunk',
              created: 1,
              model: 'model-1',
              choices: [{ index: 0, delta: { content: '{"sum":42}' }, finish_reason: 'stop' }],
            },
            '[DONE]',
          ],
        }),
      ],
      ({ url }) => fromAiSdk(openaiAt(url)),
      {
        output: {
          name: 'sum',
          schema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
        },
        tools: [{ name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } }],
        toolChoice: { name: 'add' },
        temperature: 0.5,
        maxTokens: 50,
      },
    ),
  limited: () =>
    ask(
      [
        () => ({
          status: 429,
          headers: { 'retry-after-ms': '1' },
          json: { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } },
        }),
        finalText,
      ],
      ({ url }) => fromAiSdk(anthropicAt(url), hasty),
    ),
  refused: () =>
    ask([() => ({ status: 401, json: { error: { message: 'wrong key sk-abcdefgh12345678' } } })], ({ url }) =>
      fromAiSdk(openaiAt(url), hasty),
    ),
  broken: () =>
    ask(
      [1, 2, 3].map(() => () => ({ status: 500, json: { error: { message: 'oh' } } })),
      ({ url }) => fromAiSdk(openaiAt(url), hasty),
    ),
  cut: () => ask([cutInTheMiddle], ({ url }) => fromAiSdk(anthropicAt(url), { retry: false })),
  overloaded: () => ask([overloadedInTheMiddle], ({ url }) => fromAiSdk(anthropicAt(url), { retry: false })),
  unreachable: () =>
    ask([], () => fromAiSdk(openaiAt('http://127.0.0.1:9'), { retry: { attempts: 2, delay: 0 } })),
});
