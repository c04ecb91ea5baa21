/** The tools of a server in a loop of one's own, as one writes it with the OpenAI SDK. */
// #region loop
import { connect, toolset } from 'tenon';
import { toChatTools } from 'tenon/adapters/openai';
// #endregion
import type { ChatCall, ChatTool } from 'tenon/adapters/openai';
import { Server, tool } from 'tenon/server';

const server = new Server({
  name: 'timber-yard',
  version: '1.0.0',
  tools: [
    tool({
      name: 'in_stock',
      description: 'How many boards of a wood are in stock.',
      input: { type: 'object', properties: { wood: { type: 'string' } }, required: ['wood'] },
      run: ({ wood }) => `${wood === 'oak' ? 12 : 0} boards of ${wood}`,
    }),
  ],
});

interface Message {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly ChatCall[];
}

interface Request {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ChatTool[];
}

/** In the place of `new OpenAI()`, so that the example needs no network: calls the one tool it is offered, then answers. */
const openai = {
  chat: {
    completions: {
      create({ messages, tools }: Request): Promise<{ choices: [{ message: Message }] }> {
        const last = messages.at(-1);
        const name = tools[0]?.function.name ?? '';
        const call = { id: 'call_1', type: 'function', function: { name, arguments: '{"wood":"oak"}' } };
        const message: Message =
          last?.role === 'tool'
            ? { role: 'assistant', content: `In stock: ${last.content}.` }
            : { role: 'assistant', content: null, tool_calls: [call] };
        return Promise.resolve({ choices: [{ message }] });
      },
    },
  },
};

const model = 'a-model';
const messages: Message[] = [{ role: 'user', content: 'Is there oak?' }];

// #region loop
const client = await connect(server);
const { tools, run } = await toChatTools(toolset(client));
for (;;) {
  const { choices } = await openai.chat.completions.create({ model, messages, tools });
  const { message } = choices[0];
  messages.push(message, ...(await run(message.tool_calls)));
  if (!message.tool_calls) break;
}
await client.close();
// #endregion

console.log(messages.at(-1)?.content);
