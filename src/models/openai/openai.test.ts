import { describe, expect, it } from 'vitest';
import { answer, chunk, json, model, request, stream } from '../../../test/fixtures/openai-replies.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { collect } from '../collect.ts';
import { instantClock } from '../fixtures/instant-clock.ts';
import type { Part } from '../model.ts';

describe('an OpenAI-compatible model', () => {
  it('posts to chat completions with its key and headers', async () => {
    const one = model([json(answer)], { headers: { 'X-Team': 'a' } });
    await collect(one.respond(request));
    expect(one.sent[0]).toMatchObject({
      url: 'https://host/v1/chat/completions',
      headers: { authorization: 'Bearer my-own-key', 'x-team': 'a', 'content-type': 'application/json' },
      body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] },
      init: { method: 'POST', redirect: 'manual' },
    });
    expect(one.sent[0]?.body).not.toHaveProperty('temperature');
    expect(one.sent[0]?.body).not.toHaveProperty('max_tokens');
  });

  it.each([
    ['https://host/v1/', 'https://host/v1/chat/completions'],
    ['https://host/v1/chat/completions', 'https://host/v1/chat/completions'],
    ['https://host/deployments/a?api-version=1', 'https://host/deployments/a/chat/completions?api-version=1'],
    [' http://localhost:11434/v1 ', 'http://localhost:11434/v1/chat/completions'],
  ])('reads the base URL %s', async (baseUrl, url) => {
    const one = model([json(answer)], { baseUrl });
    await collect(one.respond(request));
    expect(one.sent[0]?.url).toBe(url);
  });

  it('sends no authorization without a key', async () => {
    const one = model([json(answer)], { apiKey: ' ' });
    await collect(one.respond(request));
    expect(one.sent[0]?.headers).not.toHaveProperty('authorization');
  });

  it('streams, whatever the pieces in which events arrive', async () => {
    const text = `: keep-alive\n\n${chunk('a')}${chunk('b', 'stop')}data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":1}}\n\ndata: [DONE]\n\n`;
    for (const size of [1, 7, text.length]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const response = await collect(model([stream(pieces)]).respond(request));
      expect(response).toMatchObject({
        text: 'ab',
        finish: 'stop',
        usage: { inputTokens: 2, outputTokens: 1, requests: 1 },
      });
    }
  });

  it('passes parts on as they come', async () => {
    const parts: Part[] = [];
    for await (const part of model([stream([chunk('a'), chunk('b', 'stop')], 'open')]).respond(request)) {
      parts.push(part);
      if (parts.length === 2) break;
    }
    expect(parts).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('reads a whole answer though a stream was asked for, and a stream though it was not', async () => {
    const odd = new Response(JSON.stringify(answer), { headers: { 'content-type': 'text/event-stream' } });
    expect((await collect(model([odd]).respond(request))).text).toBe('hi');
    const streamed = model([stream([`\n${chunk('a', 'stop')}`])], { stream: false });
    expect((await collect(streamed.respond(request))).text).toBe('a');
    expect(streamed.sent[0]?.body).not.toHaveProperty('stream');
  });

  it.each([
    ['[DONE] without a reason', [chunk('a'), 'data: [DONE]\n\n']],
    ['a reason without [DONE]', [chunk('a', 'stop')]],
    ['[DONE] without a blank line', [chunk('a'), 'data: [DONE]']],
  ])('takes %s for a complete stream', async (_, pieces) => {
    expect((await collect(model([stream(pieces)]).respond(request))).text).toBe('a');
  });

  it('refuses a stream that ends with neither, and says what it has used', async () => {
    const usage = 'data: {"usage":{"prompt_tokens":7}}\n\n';
    await expect(collect(model([stream([usage, chunk('a')])]).respond(request))).rejects.toMatchObject({
      kind: 'decode',
      message: expect.stringContaining('ended before the answer was complete'),
      usage: { inputTokens: 7, outputTokens: 0, requests: 1 },
    });
  });

  it('does not lose a complete answer to a connection that breaks after it', async () => {
    expect((await collect(model([stream([chunk('a', 'stop')], 'break')]).respond(request))).text).toBe('a');
  });

  it('does not wait long for the end of a stream that said it is done', async () => {
    const clock = manualClock();
    let cancelled = false;
    const reply = stream([chunk('a'), 'data: [DONE]\n\n'], 'open', () => {
      cancelled = true;
    });
    const reading = collect(model([reply], { clock }).respond(request));
    while (clock.pending < 2) await new Promise(resolve => setImmediate(resolve));
    clock.advance(250);
    await reading;
    expect(cancelled).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['broken JSON', new Response('{"choices": }'), /not valid JSON/],
    ['a broken event', stream(['data: {"choices"\n\n']), /not valid JSON/],
    ['no choices', json({ choices: [] }), /no answer in it/],
    ['other JSON', json({ hello: 1 }), /no answer in it/],
  ])('refuses %s as an answer, without retrying', async (_, reply, message) => {
    const one = model([reply], { retry: {} });
    await expect(collect(one.respond(request))).rejects.toMatchObject({
      kind: 'decode',
      message: expect.stringMatching(message),
    });
    expect(one.sent).toHaveLength(1);
  });

  it.each<[string, () => Response, RegExp]>([
    ['nothing', () => new Response(''), /empty/],
    ['no body at all', () => new Response(null, { status: 204 }), /empty/],
    ['a page', () => new Response('<html><body>Welcome</body></html>'), /page.*Welcome/],
    ['half an answer', () => new Response('{"choices": ['), /ended before the answer was complete/],
    ['half an event', () => stream(['data: {"choi']), /ended before the answer was complete/],
    ['a beginning', () => stream([chunk('')]), /ended before the answer was complete/],
    ['an end alone', () => stream(['data: [DONE]\n\n']), /an end and nothing before it/],
  ])('asks again when %s is all that comes, and then says so', async (_, reply, message) => {
    const one = model([reply, json(answer)], { retry: { random: () => 0, clock: instantClock().clock } });
    expect((await collect(one.respond(request))).text).toBe('hi');
    expect(one.sent).toHaveLength(2);
    await expect(collect(model([reply]).respond(request))).rejects.toMatchObject({
      kind: 'decode',
      retryable: true,
      message: expect.stringMatching(message),
    });
  });

  it('does not ask again when something of the answer was passed on', async () => {
    const one = model([stream([chunk('a')]), json(answer)], { retry: {} });
    await expect(collect(one.respond(request))).rejects.toMatchObject({ kind: 'decode' });
    expect(one.sent).toHaveLength(1);
  });

  it.each([
    ['in its tokens', 'data: {"choices":[],"usa'],
    ['in its last word', 'data: [DO'],
  ])('does not lose a complete answer that is cut %s', async (_, end) => {
    const response = await collect(model([stream([chunk('a', 'stop'), end])]).respond(request));
    expect(response).toMatchObject({ text: 'a', notes: [{ code: 'usage-missing' }] });
  });

  it('notes tokens that cannot be counted, and gives the answer', async () => {
    const odd = { ...answer, usage: { prompt_tokens: -1, completion_tokens: '3' } };
    const response = await collect(model([json(odd)]).respond(request));
    expect(response).toMatchObject({
      text: 'hi',
      usage: { inputTokens: 0, outputTokens: 3, requests: 1 },
      notes: [{ code: 'usage-unreadable', message: expect.stringContaining('prompt_tokens is -1') }],
    });
  });

  it.each([
    ['a list of errors', { success: false, errors: [{ code: 7003, message: 'no route' }] }, /no route/],
    ['a detail', { detail: 'Not authenticated' }, /it says: Not authenticated/],
    ['a message', { code: 20012, message: 'Model does not exist' }, /it says: Model does not exist/],
  ])('repeats what %s says in place of an answer', async (_, body, message) => {
    await expect(collect(model([json(body)]).respond(request))).rejects.toMatchObject({
      kind: 'decode',
      message: expect.stringMatching(message),
    });
  });

  it('takes an error that is the whole body, or an event, for what it is', async () => {
    const error = { object: 'error', message: 'context of 4096', type: 'BadRequestError', code: 400 };
    const failure = { kind: 'invalid-request', message: expect.stringContaining('context of 4096') };
    await expect(collect(model([json(error)]).respond(request))).rejects.toMatchObject(failure);
    const reply = stream([`data: ${JSON.stringify(error)}\n\n`, 'data: [DONE]\n\n']);
    await expect(collect(model([reply]).respond(request))).rejects.toMatchObject(failure);
  });

  it.each(['', false, {}, null])('takes an answer beside the error %j for one', async error => {
    expect((await collect(model([json({ ...answer, error })]).respond(request))).text).toBe('hi');
  });

  it('fails when the server gives up its answer, and does not pass half of it off as whole', async () => {
    const one = { index: 0, delta: {}, finish_reason: 'error', error: { message: 'Provider left' } };
    const reply = stream([chunk('a'), `data: ${JSON.stringify({ choices: [one] })}\n\n`, 'data: [DONE]\n\n']);
    await expect(collect(model([reply]).respond(request))).rejects.toMatchObject({
      kind: 'server',
      message: expect.stringContaining('gave up its answer with an error: Provider left'),
    });
  });

  it('finds an error in a body of status 200, and in the middle of a stream', async () => {
    const body = { error: { message: 'slow down', code: 429 } };
    await expect(collect(model([json(body)]).respond(request))).rejects.toMatchObject({ kind: 'rate-limit' });
    const reply = stream([chunk('a'), `data: ${JSON.stringify(body)}\n\n`]);
    await expect(collect(model([reply]).respond(request))).rejects.toMatchObject({ kind: 'rate-limit' });
  });

  it('never follows a redirect', async () => {
    const reply = new Response(null, { status: 302, headers: { location: 'https://elsewhere/' } });
    await expect(collect(model([reply]).respond(request))).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('https://elsewhere/'),
    });
  });

  it('retries by itself, three times in all, and heeds Retry-After', async () => {
    const clock = manualClock();
    const busy = (): Response => json({ error: { message: 'busy' } }, 429, { 'retry-after': '7' });
    const one = model([busy(), busy(), json(answer)], { clock, retry: { random: () => 0 } });
    const reading = collect(one.respond(request));
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve));
    };
    const next = async (count: number): Promise<void> => {
      await settle();
      clock.advance(6999);
      await settle();
      expect(one.sent).toHaveLength(count);
      clock.advance(1);
    };
    await next(1);
    await next(2);
    expect((await reading).usage.requests).toBe(3);
    expect(clock.pending).toBe(0);
  });

  it('says why there is no connection', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
    const one = model([new TypeError('fetch failed', { cause })]);
    await expect(collect(one.respond(request))).rejects.toMatchObject({
      kind: 'transport',
      retryable: true,
      message: 'openai:m: no answer from host: connect ECONNREFUSED 127.0.0.1:9',
      usage: { requests: 1 },
    });
  });

  it('fails when the connection breaks in the middle', async () => {
    const one = model([stream([chunk('a')], 'break')]);
    await expect(collect(one.respond(request))).rejects.toMatchObject({ kind: 'transport', retryable: true });
  });
});

describe('what one server refuses is left out from then on', () => {
  const refuse = (message: string, status = 400): Response => json({ error: { message } }, status);
  it.each([
    ['by name', refuse('Unknown field: stream_options')],
    ['as an extra field', json({ detail: 'Extra inputs are not permitted' }, 422)],
    ['without a word', new Response('', { status: 400 })],
  ])('stream_options, refused %s', async (_, refusal) => {
    const one = model([refusal, json(answer), json(answer)]);
    const attempts: number[] = [];
    const response = await collect(
      one.respond(request, { onAttempt: ({ number }) => attempts.push(number) }),
    );
    expect(response.notes).toMatchObject([{ code: 'stream-usage-dropped' }]);
    expect(response.usage.requests).toBe(2);
    expect(attempts).toEqual([1, 2]);
    expect(one.sent[1]?.body).toMatchObject({ stream: true });
    expect(one.sent[1]?.body).not.toHaveProperty('stream_options');
    expect((await collect(one.respond(request))).notes).toEqual([]);
    expect(one.sent).toHaveLength(3);
  });
  it('max_tokens, where it wants another name', async () => {
    const one = model([refuse("Use 'max_completion_tokens' instead"), json(answer)], { maxTokens: 9 });
    expect((await collect(one.respond(request))).notes).toMatchObject([{ code: 'max-completion-tokens' }]);
    expect(one.sent[1]?.body).toMatchObject({ max_completion_tokens: 9 });
    expect(one.sent[1]?.body).not.toHaveProperty('max_tokens');
  });
  it('the output schema', async () => {
    const one = model([refuse('response_format is not supported'), json(answer)]);
    const output = { name: 'output', schema: { type: 'object' } };
    expect((await collect(one.respond({ ...request, output }))).notes).toMatchObject([
      { code: 'response-format-dropped' },
    ]);
    expect(one.sent[1]?.body).not.toHaveProperty('response_format');
  });
  it('but a refusal of anything else is final', async () => {
    const one = model([refuse('the context is too long')]);
    await expect(collect(one.respond(request))).rejects.toMatchObject({
      kind: 'invalid-request',
      usage: { requests: 1 },
    });
    expect(one.sent).toHaveLength(1);
  });
});
