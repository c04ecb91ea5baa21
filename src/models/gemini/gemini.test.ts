import { describe, expect, it } from 'vitest';
import { json, type Reply, served, stream } from '../../../test/fixtures/openai-replies.ts';
import { image } from '../../tools/content.ts';
import { collect, type ModelResponse } from '../collect.ts';
import type { Model, ModelRequest } from '../model.ts';
import { chunk, failure } from './fixtures/replies.ts';
import { type GeminiOptions, gemini } from './index.ts';

const request: ModelRequest = { messages: [{ role: 'user', content: 'x' }] };
const whole = chunk([{ text: 'hi' }], { finishReason: 'STOP' });
const event = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`;

interface Body {
  readonly contents: { readonly parts: Record<string, Record<string, unknown>>[] }[];
  readonly generationConfig?: unknown;
}

function model(
  replies: readonly Reply[],
  options: Partial<GeminiOptions> = {},
): Model & { sent: ReturnType<typeof served>['sent']; body(at: number): Body } {
  const { fetch, sent } = served(replies);
  const made = gemini({ model: 'gemini-3-flash', apiKey: 'my-own-key', retry: false, fetch, ...options });
  return { ...made, sent, body: at => sent[at]?.body as unknown as Body };
}

const fail = (one: Model, asked = request): Promise<unknown> =>
  collect(one.respond(asked)).catch((error: unknown) => error);

describe('a model of the Gemini API', () => {
  it('posts to Google with its key in a header of its own', async () => {
    const one = model([stream([event(whole)])]);
    expect(one.name).toBe('gemini:gemini-3-flash');
    await collect(one.respond(request));
    const { url, headers } = one.sent[0] ?? { url: '', headers: {} };
    expect(url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse',
    );
    expect(headers).toMatchObject({ 'x-goog-api-key': 'my-own-key' });
    expect(headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['https://host/v1/', 'm', true, 'https://host/v1/models/m:streamGenerateContent?alt=sse'],
    ['https://host/v1?key=k', 'm', true, 'https://host/v1/models/m:streamGenerateContent?key=k&alt=sse'],
    ['https://host/v1', 'm', false, 'https://host/v1/models/m:generateContent'],
    ['https://host/v1', 'models/m', false, 'https://host/v1/models/m:generateContent'],
    ['https://host/v1', 'tunedModels/m-1', false, 'https://host/v1/tunedModels/m-1:generateContent'],
    ['https://host/v1/models/m:generateContent', 'm', false, 'https://host/v1/models/m:generateContent'],
  ])('reaches %s for %s, streaming %s', async (baseUrl, name, streaming, url) => {
    const one = model([json(whole)], { baseUrl, model: name, stream: streaming });
    await collect(one.respond(request));
    expect(one.sent[0]?.url).toBe(url);
  });

  it.each([
    ['events with any line ends', (): Response => stream([event(chunk([{ text: 'hi' }])), event(whole)])],
    ['one list, as without events', (): Response => json([chunk([{ text: 'hi' }]), whole])],
  ])('reads a stream that comes as %s', async (_, reply) => {
    expect(await collect(model([reply]).respond(request))).toMatchObject({ text: 'hihi', finish: 'stop' });
  });

  it('takes a temperature of up to 2', () => {
    expect(() => model([], { temperature: 2 })).not.toThrow();
    expect(() => model([], { temperature: 2.1 })).toThrow(/temperature must be from 0 to 2/);
  });

  it('goes on from a signed turn', async () => {
    const call = { functionCall: { id: 'q7', name: 't', args: {} }, thoughtSignature: 'c2ln' };
    const one = model([stream([event(chunk([call], { finishReason: 'STOP' }))]), stream([event(whole)])]);
    const { toolCalls, replay } = await collect(one.respond(request));
    if (replay === undefined) throw new Error('there is no replay');
    await collect(
      one.respond({
        messages: [
          ...request.messages,
          { role: 'assistant', content: '', toolCalls, replay },
          { role: 'tool', toolCallId: 'q7', toolName: 't', content: 'r' },
        ],
      }),
    );
    expect(one.body(1).contents.slice(1)).toEqual([
      { role: 'model', parts: [call] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'q7', name: 't', response: { output: 'r' } } }],
      },
    ]);
  });
});

describe('a failure', () => {
  const invalidKey = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
    },
  ];

  it.each([
    ['a wrong key', json(failure(400, 'Bad.', invalidKey), 400), { kind: 'auth', status: 400 }],
    ['a wrong key, in words', json(failure(400, 'API key not valid. Please pass …'), 400), { kind: 'auth' }],
    ['a wrong argument', json(failure(400, 'Bad.'), 400), { kind: 'invalid-request', retryable: false }],
    ['a missing right', json(failure(403), 403), { kind: 'auth', status: 403 }],
    ['a fault', json(failure(503), 503), { kind: 'server', retryable: true }],
    [
      'an error in a list',
      json([failure(503, 'Overloaded.')], 503),
      { message: /answered 503: Overloaded\./ },
    ],
    ['an error in the stream', stream([event(chunk([])), event(failure(429))]), { kind: 'rate-limit' }],
    [
      'an error between the events',
      stream([event(chunk([])), `${JSON.stringify(failure(503, 'Overloaded.'), undefined, 2)}\n`]),
      { kind: 'server', status: 503, message: /reports an error 503: Overloaded\./ },
    ],
    [
      'an error by its word alone',
      stream([event({ error: { status: 'RESOURCE_EXHAUSTED' } })]),
      { kind: 'rate-limit', status: 429 },
    ],
    [
      'a stream without an end',
      stream([event(chunk([{ text: 'a' }]))]),
      { kind: 'decode', message: /ended before/ },
    ],
    ['a list without an end', json([chunk([{ text: 'a' }])]), { kind: 'decode', message: /ended before/ }],
    ['an answer without one', json({ modelVersion: 'm' }), { kind: 'decode', message: /no answer in it/ }],
  ])('is told as what it is: %s', async (_, reply, { message, ...facts }: Record<string, unknown>) => {
    expect(await fail(model([reply]))).toMatchObject({
      ...facts,
      ...(message === undefined ? {} : { message: expect.stringMatching(message as RegExp) }),
    });
  });

  it.each([
    ['34.5s', 34_500],
    ['30s', 30_000],
    ['soon', undefined],
  ])('asks to wait for %s in its body', async (retryDelay, retryAfterMs) => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: 'PerDay' }] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ];
    const error = await fail(model([json(failure(429, 'Quota exceeded.', details), 429)]));
    expect(error).toMatchObject({ kind: 'rate-limit', retryable: true });
    expect((error as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  });
});

describe('what a model refuses is sent otherwise, once it is known', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } };
  const tools = [{ name: 't', description: 'd', parameters }];
  const output = { name: 'output', schema: parameters };
  const toolCalls = [{ id: '1', name: 't', arguments: '{}' }];
  const talk: ModelRequest['messages'] = [
    ...request.messages,
    { role: 'assistant', content: '', toolCalls },
    { role: 'tool', toolCallId: '1', toolName: 't', content: [image('iVBORw0KGgo=', 'image/png')] },
  ];
  const refuse = (message: string): Response => json(failure(400, message), 400);
  const ask = async (
    message: string,
    asked: ModelRequest,
    name = 'gemini-3-flash',
  ): Promise<{ response: ModelResponse; one: ReturnType<typeof model>; codes: string[] }> => {
    const one = model([refuse(message), json(whole), json(whole)], { model: name });
    const response = await collect(one.respond(asked));
    return { response, one, codes: response.notes.map(({ code }) => code) };
  };

  it.each(['Function calling', 'Tool use'])('a schema beside tools: %s', async what => {
    const message = `${what} with a response mime type: 'application/json' is unsupported`;
    const { one, codes, response } = await ask(message, { ...request, tools, output, maxTokens: 5 });
    expect(codes).toEqual(['schema-beside-tools-dropped']);
    expect(response.usage.requests).toBe(2);
    expect(one.body(0).generationConfig).toHaveProperty('responseSchema');
    expect(one.body(1).generationConfig).toEqual({ maxOutputTokens: 5 });
    // Without tools there is nothing to leave out.
    await collect(one.respond({ ...request, output }));
    expect(one.body(2).generationConfig).toHaveProperty('responseSchema');
  });

  it('a schema that it does not understand', async () => {
    const message = 'Invalid value at generation_config.response_schema.properties: should be non-empty';
    const { one, codes } = await ask(message, { ...request, output });
    expect(codes).toEqual(['response-schema-dropped']);
    expect(one.body(1).generationConfig).toEqual({ responseMimeType: 'application/json' });
  });

  it('media in tool results', async () => {
    const message = 'Multimodal function responses are not supported for this model.';
    const { one, codes } = await ask(message, { messages: talk });
    expect(codes).toEqual(['tool-media-dropped']);
    expect(one.body(0).contents[2]?.parts[0]?.['functionResponse']).toHaveProperty('parts');
    expect(one.body(1).contents[2]?.parts[0]?.['functionResponse']).toEqual({
      id: '1',
      name: 't',
      response: { output: '[image, image/png: artifact 1#0]' },
    });
  });

  it.each([
    'Function call is missing a thought_signature in functionCall parts.',
    'Function call `t` in the `1.` content block is missing a `thought_signature`.',
  ])('a call without a signature: %s', async message => {
    const { one, codes } = await ask(message, { messages: talk }, 'house-model');
    expect(codes).toEqual(['calls-signed']);
    expect(one.body(0).contents[1]?.parts[0]).not.toHaveProperty('thoughtSignature');
    expect(one.body(1).contents[1]?.parts[0]).toHaveProperty('thoughtSignature');
  });

  it('signatures of another model', async () => {
    const items = [
      { text: '', thoughtSignature: 'b2xk' },
      { functionCall: { id: '1', name: 't', args: {} }, thoughtSignature: 'b2xk' },
    ];
    const replay = { provider: 'gemini', items };
    const messages = talk.with(1, { role: 'assistant', content: '', toolCalls, replay });
    const { one, codes } = await ask('Corrupted thought signature.', { messages });
    expect(codes).toEqual(['signatures-replaced']);
    expect(one.body(0).contents[1]?.parts).toEqual(items);
    expect(one.body(1).contents[1]?.parts).toEqual([
      { ...items[1], thoughtSignature: 'skip_thought_signature_validator' },
    ]);
  });

  it('ids of calls', async () => {
    const message = `Invalid JSON payload received. Unknown name "id" at 'contents[1].parts[0].function_call'`;
    const { one, codes } = await ask(message, { messages: talk }, 'gemini-2.5-pro');
    expect(codes).toEqual(['call-ids-dropped']);
    expect(JSON.stringify(one.body(0))).toContain('"id":"1"');
    expect(JSON.stringify(one.body(1))).not.toContain('"id"');
  });

  it('and anything else is a failure', async () => {
    const one = model([refuse('Request contains an invalid argument.')]);
    expect(await fail(one, { messages: talk, tools, output })).toMatchObject({ kind: 'invalid-request' });
    expect(one.sent).toHaveLength(1);
  });
});
