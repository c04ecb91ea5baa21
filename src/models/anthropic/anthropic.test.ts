import { afterEach, describe, expect, it } from 'vitest';
import { collect, toAssistantMessage } from '../collect.ts';
import { instantClock } from '../fixtures/instant-clock.ts';
import {
  eventStream,
  type LoopbackReply,
  type LoopbackServer,
  loopbackServer,
} from '../fixtures/loopback-server.ts';
import { pictureData, providerSuite } from '../fixtures/provider-suite.ts';
import type { Model, ModelMessage, ModelRequest } from '../model.ts';
import { isModelError } from '../model-error.ts';
import {
  block,
  callBlock,
  end,
  failure,
  start,
  text,
  textBlock,
  thoughtBlock,
  whole,
} from './fixtures/replies.ts';
import { type AnthropicOptions, anthropic } from './index.ts';
import type { MessagesBody } from './request.ts';

const sentBody = (body: Readonly<Record<string, unknown>>): MessagesBody => body as unknown as MessagesBody;
const typeOf = (status: number): string =>
  ({ 401: 'authentication_error', 429: 'rate_limit_error' })[status] ?? 'api_error';

providerSuite({
  name: 'anthropic',
  make: anthropic,
  replies: {
    text: { json: whole([text('Hello there')]) },
    streamedText: {
      events: eventStream([start, { type: 'ping' }, ...textBlock(0, 'Hello ', 'there'), ...end('end_turn')]),
    },
    streamedCalls: ({ add, lookUp }) => ({
      events: eventStream([
        start,
        ...callBlock(0, 'toolu_1', add, '{"a"', ':1}'),
        ...callBlock(1, 'toolu_2', lookUp, '{"q":"x"}'),
        ...end('tool_use'),
      ]),
    }),
    output: { json: whole([text('{"city":"Bern"}')]) },
    cut: { events: eventStream([start, ...textBlock(0, 'Hello ')]), cut: true },
    malformed: { events: `${eventStream([start, ...textBlock(0, 'Hello ')])}data: {"type":\n\n` },
    refusal: {
      events: eventStream([
        start,
        ...end('refusal', { type: 'refusal', category: 'bio', explanation: 'It could harm.' }),
      ]),
    },
    failure: status => failure(typeOf(status)),
  },
  imageIn: body => sentBody(body).messages.at(-1)?.content[0],
  expectedImage: {
    type: 'tool_result',
    tool_use_id: 'call_1',
    content: [
      { type: 'text', text: 'here' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pictureData } },
    ],
  },
  refused: {
    request: { temperature: 0.5 },
    message: '`temperature` is deprecated for this model.',
    code: 'temperature-dropped',
    isIn: body => 'temperature' in body,
  },
  outputIn: body => sentBody(body).output_config?.format.schema,
  toolNamesIn: body => (sentBody(body).tools ?? []).map(({ name }) => name),
});

const servers: LoopbackServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function open(
  replies: readonly LoopbackReply[],
  options: Partial<AnthropicOptions> = {},
): Promise<{ model: Model; server: LoopbackServer; waits: number[] }> {
  const server = await loopbackServer(replies);
  servers.push(server);
  const { clock, waits } = instantClock();
  const retry = { random: () => 0, clock };
  const model = anthropic({ baseUrl: server.origin, model: 'm-1', apiKey: 'my-own-key', retry, ...options });
  return { model, server, waits };
}

const ask = { messages: [{ role: 'user', content: 'x' }] } as const;
const hello: LoopbackReply = { events: eventStream([start, ...textBlock(0, 'Hello'), ...end('end_turn')]) };

describe('anthropic', () => {
  it('posts to the Messages API with its key, its version and the members that it wants', async () => {
    const { model, server } = await open([hello], { headers: { 'anthropic-beta': 'b-1' } });
    await collect(model.respond(ask));
    expect(server.received[0]).toMatchObject({
      url: '/v1/messages',
      headers: {
        'x-api-key': 'my-own-key',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'b-1',
        'content-type': 'application/json',
      },
    });
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
    expect(server.received[0]?.body).toEqual({
      model: 'm-1',
      max_tokens: 16_384,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    });
  });

  it.each(['', '/', '/v1', '/v1/', '/v1/messages', ' '])(
    'finds the API behind an address that ends in "%s"',
    async path => {
      const { server } = await open([hello]);
      const model = anthropic({ baseUrl: `${server.origin}${path}`, model: 'm-1' });
      await collect(model.respond(ask));
      expect(server.received[0]?.url).toBe('/v1/messages');
    },
  );

  it('sends thoughts back word for word between calls, sealed ones too', async () => {
    const thoughts = [
      ...thoughtBlock(0, 'first I look', 'c2lnbmVk'),
      ...block(1, { type: 'redacted_thinking', data: 'c2VhbGVk' }),
    ];
    const calling = [start, ...thoughts, ...callBlock(2, 'toolu_1', 'look', '{"q":"x"}'), ...end('tool_use')];
    const { model, server } = await open([{ events: eventStream(calling) }, hello], { thinking: 2048 });
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
    const response = await collect(model.respond({ ...ask, tools }));
    expect(response.reasoning).toBe('first I look');
    const messages: ModelMessage[] = [
      ...ask.messages,
      // As a history that was written down and read again.
      JSON.parse(JSON.stringify(toAssistantMessage(response))) as ModelMessage,
      { role: 'tool', toolCallId: 'toolu_1', toolName: 'look', content: 'found' },
    ];
    await collect(model.respond({ messages, tools }));
    const { messages: turns, thinking } = sentBody(server.received[1]?.body ?? {});
    expect(thinking).toEqual({ type: 'enabled', budget_tokens: 2048 });
    expect(turns[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'first I look', signature: 'c2lnbmVk' },
      { type: 'redacted_thinking', data: 'c2VhbGVk' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { q: 'x' } },
    ]);
    expect(turns[2]?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_1' }]);
  });

  it('asks again when it was overloaded before it said anything, with what that cost', async () => {
    const overloaded = { events: eventStream([start, failure('overloaded_error')]) };
    const { model, server, waits } = await open([
      overloaded,
      { status: 529, json: failure('overloaded_error') },
      hello,
    ]);
    const response = await collect(model.respond(ask));
    expect(response).toMatchObject({
      text: 'Hello',
      usage: { requests: 3, inputTokens: 14, outputTokens: 6 },
    });
    expect(server.received).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  it('does not ask again when it was overloaded after it said something', async () => {
    const { model, server } = await open([
      { events: eventStream([start, ...textBlock(0, 'Hel'), failure('overloaded_error')]) },
      hello,
    ]);
    await expect(collect(model.respond(ask))).rejects.toMatchObject({
      kind: 'server',
      status: 529,
      usage: { requests: 1, inputTokens: 7, outputTokens: 1 },
    });
    expect(server.received).toHaveLength(1);
  });

  it('says why the model refused', async () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'It could break in.' } as const;
    const { model } = await open([{ json: whole([], 'refusal', details) }]);
    expect(await collect(model.respond(ask))).toMatchObject({
      finish: 'refusal',
      notes: [{ code: 'refusal', message: 'the model refuses: cyber: It could break in.' }],
    });
  });

  it('leaves out an output schema that the server refuses, says so once, and keeps what was asked for beside it', async () => {
    const message = 'output_config.format: Extra inputs are not permitted';
    const refusal = { status: 400, json: failure('invalid_request_error', message) };
    const extra = { output_config: { effort: 'low' } };
    const { model, server } = await open([refusal, hello, hello], { extra });
    const output = {
      name: 'o',
      schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    };
    const notes = (await collect(model.respond({ ...ask, output }))).notes;
    expect(notes).toMatchObject([{ code: 'output-format-dropped' }]);
    expect((await collect(model.respond({ ...ask, output }))).notes).toEqual([]);
    expect(server.received.map(({ body }) => body['output_config'])).toEqual([
      { effort: 'low', format: { type: 'json_schema', schema: output.schema } },
      { effort: 'low' },
      { effort: 'low' },
    ]);
  });

  it.each([
    'The compiled grammar is too large, which would cause performance issues.',
    'output_config.format.schema: Invalid schema: The compiled grammar is too large',
    'Schemas contains too many optional parameters (31), which would make grammar compilation inefficient.',
    'Schema is too complex for compilation.',
  ])('leaves out an output schema that is too much for the API, and no other: %s', async message => {
    const refusal = { status: 400, json: failure('invalid_request_error', message) };
    const { model, server } = await open([refusal, hello, hello, hello]);
    const output = (name: string): ModelRequest['output'] & object => ({
      name: 'o',
      schema: { type: 'object', properties: { [name]: { type: 'string' } } },
    });
    const notes = (await collect(model.respond({ ...ask, output: output('a') }))).notes;
    expect(notes).toMatchObject([{ code: 'output-schema-dropped' }]);
    for (const name of ['a', 'b']) await collect(model.respond({ ...ask, output: output(name) }));
    const sent = server.received.map(({ body }) => 'output_config' in body);
    expect(sent).toEqual([true, false, false, true]);
  });

  it('leaves a temperature out beside thinking, and says so once', async () => {
    const { model, server } = await open([hello, hello], { thinking: 'adaptive', temperature: 0.2 });
    expect((await collect(model.respond(ask))).notes).toMatchObject([{ code: 'temperature-dropped' }]);
    expect((await collect(model.respond(ask))).notes).toEqual([]);
    expect(server.received[0]?.body).not.toHaveProperty('temperature');
  });

  it.each([
    [{ model: '' }, /^anthropic: model is missing/],
    [{ temperature: 1.5 }, /^anthropic: temperature must be from 0 to 1, got 1.5/],
    [{ thinking: 1000 }, /^anthropic: thinking must be/],
    [{ thinking: Number.NaN }, /^anthropic: thinking must be/],
    [{ thinking: 'on' }, /^anthropic: thinking must be/],
    [{ baseUrl: 7 }, /^anthropic: baseUrl is missing/],
    [{ thinking: 4096, maxTokens: 4096 }, /^anthropic: thinking must be/],
    [{ baseUrl: 'host' }, /^anthropic: baseUrl is not a URL/],
  ])('names an option that is wrong: %o', (options, message) => {
    const made = (() => {
      try {
        return anthropic({ model: 'm-1', ...options } as AnthropicOptions);
      } catch (error) {
        return error;
      }
    })();
    expect(isModelError(made)).toBe(true);
    expect(made).toMatchObject({ kind: 'configuration', message: expect.stringMatching(message) });
  });
});
