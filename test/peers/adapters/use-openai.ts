/** The OpenAI SDK with our tools. */
import OpenAI from 'openai';
import { toolset } from 'tenon';
import { toChatTools, toResponsesTools } from 'tenon/adapters/openai';
import { chat, responses } from './answers.ts';
import { serveModel } from './model-server.ts';
import { type Report, runPrograms } from './report.ts';
import { connectThreeTools } from './three-tools.ts';

const model = 'model-1';

await runPrograms({
  async chat(): Promise<Report> {
    const server = await serveModel(chat);
    const client = await connectThreeTools();
    const openai = new OpenAI({ baseURL: server.url, apiKey: 'key', maxRetries: 0 });
    // #region chat
    const { tools, run } = await toChatTools(toolset(client));
    // #endregion
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go on.' }];
    for (;;) {
      const { choices } = await openai.chat.completions.create({ model, messages, tools });
      const message = choices[0]?.message;
      if (!message?.tool_calls) {
        await Promise.all([client.close(), server.close()]);
        return { answer: message?.content ?? '', asked: server.asked };
      }
      // #region chat
      messages.push(message, ...(await run(message.tool_calls)));
      // #endregion
    }
  },
  async responses(): Promise<Report> {
    const server = await serveModel(responses);
    const client = await connectThreeTools();
    const openai = new OpenAI({ baseURL: server.url, apiKey: 'key', maxRetries: 0 });
    const { tools, run } = await toResponsesTools(toolset(client));
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Go on.' }];
    for (;;) {
      const response = await openai.responses.create({ model, input, tools });
      const results = await run(response.output);
      if (results.length === 0) {
        await Promise.all([client.close(), server.close()]);
        return { answer: response.output_text, asked: server.asked };
      }
      // Its own types do not let every item of an output back in.
      input.push(...(response.output as OpenAI.Responses.ResponseInput), ...results);
    }
  },
});
