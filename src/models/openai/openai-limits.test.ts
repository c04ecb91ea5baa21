import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answer, chunk, json, model, request, stream } from '../../../test/fixtures/openai-replies.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { collect } from '../collect.ts';
import { isModelError } from '../model-error.ts';
import { type OpenAIOptions, openai } from './index.ts';

describe('limits and aborts', () => {
  const deaf = (): Promise<Response> => new Promise(() => {});

  it.each([
    ['no answer at all', deaf],
    ['silence in the middle', () => stream([chunk('a')], 'open')],
  ])('%s for too long is a timeout', async (_, reply) => {
    const clock = manualClock();
    const one = model([reply], { clock, timeout: 5000 });
    const reading = collect(one.respond(request)).catch((error: unknown) => error);
    for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve));
    clock.advance(5000);
    const error = await reading;
    expect(error).toMatchObject({
      kind: 'timeout',
      retryable: true,
      cause: { name: 'TimeoutError', limit: 'idle', ms: 5000 },
    });
    expect(clock.pending).toBe(0);
  });

  it('a reader that takes its time is no silence of the server', async () => {
    const clock = manualClock();
    const text: string[] = [];
    for await (const part of model([stream([chunk('a'), chunk('b', 'stop')])], {
      clock,
      timeout: 5000,
    }).respond(request)) {
      clock.advance(20_000);
      if (part.type === 'text') text.push(part.text);
    }
    expect(text).toEqual(['a', 'b']);
  });

  it.each([
    ['while it waits for the answer', deaf],
    ['in the middle of one', () => stream([chunk('a')], 'open')],
  ])('an abort %s ends it at once with the reason', async (_, reply) => {
    const clock = manualClock();
    const controller = new AbortController();
    const reading = collect(
      model([reply], { clock, retry: {} }).respond(request, { signal: controller.signal }),
    );
    const outcome = reading.catch((error: unknown) => error);
    for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve));
    controller.abort('enough');
    expect(await outcome).toBe('enough');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('a reader that leaves cancels the answer', async () => {
    let cancelled = false;
    const reply = stream([chunk('a')], 'open', () => {
      cancelled = true;
    });
    for await (const _ of model([reply]).respond(request)) break;
    await new Promise(resolve => setImmediate(resolve));
    expect(cancelled).toBe(true);
  });

  it('a stream that never ends is cut off, though it never falls silent', async () => {
    const comment = new TextEncoder().encode(`: ${'.'.repeat(8 * 1024 * 1024)}\n`);
    let sent = 0;
    let cancelled = false;
    const endless = new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(comment);
          sent += comment.length;
        },
        cancel() {
          cancelled = true;
        },
      }),
    );
    await expect(collect(model([endless]).respond(request))).rejects.toMatchObject({
      kind: 'decode',
      message: expect.stringContaining('longer than 268435456 bytes'),
    });
    expect(cancelled).toBe(true);
    expect(sent).toBeLessThan(300_000_000);
  });

  it('a late answer to a request that was given up is cancelled', async () => {
    let cancelled = false;
    let answerLate: (response: Response) => void = () => {};
    const late = (): Promise<Response> =>
      new Promise(resolve => {
        answerLate = resolve;
      });
    const controller = new AbortController();
    const outcome = collect(model([late]).respond(request, { signal: controller.signal })).catch(
      () => 'gone',
    );
    await new Promise(resolve => setImmediate(resolve));
    controller.abort();
    await outcome;
    answerLate(
      stream([chunk('a')], 'open', () => {
        cancelled = true;
      }),
    );
    await new Promise(resolve => setImmediate(resolve));
    expect(cancelled).toBe(true);
  });

  it('what onAttempt throws passes untouched, and nothing is sent', async () => {
    const one = model([json(answer)], { retry: {} });
    const forbidden = new Error('forbidden');
    const onAttempt = (): never => {
      throw forbidden;
    };
    expect(await collect(one.respond(request, { onAttempt })).catch((error: unknown) => error)).toBe(
      forbidden,
    );
    expect(one.sent).toHaveLength(0);
  });
});

describe('wrong options are named', () => {
  const good = { baseUrl: 'https://host/v1', model: 'm' };
  it.each([
    [{ ...good, baseUrl: '' }, /^openai: baseUrl is missing/],
    [{ model: 'm' }, /^openai: baseUrl is missing/],
    [{ ...good, model: ' ' }, /^openai: model is missing/],
    [{ ...good, baseUrl: 'host/v1' }, /^openai: baseUrl is not a URL/],
    [{ ...good, baseUrl: 'ftp://host/v1' }, /^openai: baseUrl must begin with http/],
    [{ ...good, baseUrl: 'https://me:secret@host/' }, /^openai: baseUrl must not hold/],
    [{ ...good, apiKey: 'a\nsecret-key' }, /^openai: apiKey or headers cannot be sent/],
    [{ ...good, timeout: 0 }, /^openai: timeout/],
    [{ ...good, temperature: 3 }, /^openai: temperature/],
    [{ ...good, maxTokens: 0 }, /^openai: maxTokens/],
  ])('%o', (options, message) => {
    const made = (() => {
      try {
        return openai(options as OpenAIOptions);
      } catch (error) {
        return error as Error;
      }
    })();
    expect(isModelError(made)).toBe(true);
    expect(made).toMatchObject({ kind: 'configuration', message: expect.stringMatching(message) });
    expect(JSON.stringify(made)).not.toContain('secret');
  });
  it('and the key does not show in the model', () => {
    const one = openai({ ...good, apiKey: 'my-own-key' });
    expect(`${JSON.stringify(one)} ${Object.values(one).map(String).join()}`).not.toContain('my-own-key');
  });
});
