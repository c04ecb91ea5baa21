import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import { scripted } from '../testing/scripted.ts';
import { BudgetError } from './budget-error.ts';
import { collect } from './collect.ts';
import { instantClock } from './fixtures/instant-clock.ts';
import { fault } from './fixtures/model-fault.ts';
import type { Model, Part } from './model.ts';
import { retry } from './retry.ts';

const request = { messages: [{ role: 'user', content: 'x' }] } as const;

describe('a model that retries', () => {
  it('makes three attempts in all, unless told otherwise', async () => {
    const { clock } = instantClock();
    const good = scripted([fault(), fault(), 'ok']);
    expect((await collect(retry(good, { clock }).respond(request))).text).toBe('ok');
    const bad = scripted([fault(), fault(), fault(), 'ok']);
    await expect(collect(retry(bad, { clock }).respond(request))).rejects.toThrow(
      'overloaded (after 3 attempts)',
    );
    expect(bad.requests).toHaveLength(3);
    const once = scripted([fault(), 'ok']);
    await expect(collect(retry(once, { clock, attempts: 1 }).respond(request))).rejects.toThrow(
      /^overloaded$/,
    );
  });

  it('waits a random share of a delay that doubles up to the cap', async () => {
    const { clock, waits } = instantClock();
    const model = scripted(Array.from({ length: 9 }, () => fault()));
    const settings = { clock, attempts: 9, random: () => 0.5 };
    await expect(collect(retry(model, settings).respond(request))).rejects.toThrow();
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it.each([
    [5000, 5000],
    [10, 250],
    [3_600_000, 60_000],
    [0, 250],
  ])('when asked to wait %d ms waits %d', async (retryAfterMs, expected) => {
    const { clock, waits } = instantClock();
    const model = scripted([fault({ retryAfterMs }), 'ok']);
    await collect(retry(model, { clock, random: () => 0.25 }).respond(request));
    expect(waits).toEqual([expected]);
  });

  it('does not repeat what cannot succeed, nor errors it does not know', async () => {
    for (const error of [fault({ kind: 'auth', retryable: false }), new Error('a bug')]) {
      const model = scripted([error, 'never']);
      await expect(collect(retry(model).respond(request))).rejects.toThrow(error.message);
      expect(model.requests).toHaveLength(1);
    }
  });

  it('does not begin again once a part was passed on', async () => {
    const model = scripted([{ text: 'half', error: fault() }, 'never']);
    const parts: Part[] = [];
    const reading = (async () => {
      for await (const part of retry(model).respond(request)) parts.push(part);
    })();
    await expect(reading).rejects.toThrow('overloaded');
    expect(parts).toEqual([{ type: 'text', text: 'half' }]);
    expect(model.requests).toHaveLength(1);
  });

  it('does after a mere note', async () => {
    const { clock } = instantClock();
    const model = scripted([{ notes: [{ code: 'c', message: 'm' }], error: fault() }, 'ok']);
    const response = await collect(retry(model, { clock }).respond(request));
    expect(response).toMatchObject({ text: 'ok', notes: [{ code: 'c' }] });
  });

  it('counts what failed attempts used, in the final usage and on the error', async () => {
    const { clock } = instantClock();
    const good = scripted([fault(), fault(), { text: 'ok', usage: { inputTokens: 5, outputTokens: 2 } }]);
    const { usage } = await collect(retry(good, { clock }).respond(request));
    expect(usage).toEqual({ inputTokens: 7, outputTokens: 2, requests: 3 });
    const bad = scripted([fault(), fault(), fault()]);
    await expect(collect(retry(bad, { clock }).respond(request))).rejects.toMatchObject({
      usage: { inputTokens: 3, outputTokens: 0, requests: 3 },
    });
  });

  it('tells what it used even when the model does not', async () => {
    const { clock } = instantClock();
    let calls = 0;
    const silent: Model = {
      name: 'silent',
      async *respond(): AsyncGenerator<Part> {
        calls += 1;
        if (calls === 1) throw fault();
        yield { type: 'text', text: 'a' };
      },
    };
    expect((await collect(retry(silent, { clock }).respond(request))).usage.requests).toBe(2);
  });

  it('announces each dispatch by its number before it happens', async () => {
    const { clock } = instantClock();
    const model = scripted([fault(), fault(), 'ok'], { name: 'm' });
    const told: unknown[] = [];
    const onAttempt = (attempt: unknown): unknown => told.push([attempt, model.requests.length]);
    await collect(
      retry(model, { clock }).respond(request, { onAttempt: attempt => void onAttempt(attempt) }),
    );
    expect(told).toEqual([
      [{ model: 'm', number: 1 }, 0],
      [{ model: 'm', number: 2 }, 1],
      [{ model: 'm', number: 3 }, 2],
    ]);
  });

  it.each([
    ['a BudgetError', new BudgetError('no', { kind: 'calls', limit: 1, actual: 2 })],
    ['anything else, even what looks retryable', fault()],
  ])('never repeats after onAttempt threw %s', async (_, error) => {
    const { clock } = instantClock();
    const model = scripted([fault(), 'never']);
    const onAttempt = ({ number }: { number: number }): void => {
      if (number === 2) throw error;
    };
    const thrown = await collect(retry(model, { clock }).respond(request, { onAttempt })).catch(
      (e: unknown) => e,
    );
    expect(thrown).toBe(error);
    expect(model.requests).toHaveLength(1);
  });

  it('stops waiting at once when the signal aborts, and leaves no timer or listener', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const model = scripted([fault(), 'never']);
    const reading = collect(retry(model, { clock }).respond(request, { signal: controller.signal }));
    const outcome = reading.catch((error: unknown) => error);
    while (clock.pending === 0) await Promise.resolve();
    controller.abort('enough');
    expect(await outcome).toBe('enough');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(model.requests).toHaveLength(1);
  });

  it('does not repeat a failure that came with an abort', async () => {
    const controller = new AbortController();
    const model = scripted([
      () => {
        controller.abort('enough');
        return fault();
      },
      'never',
    ]);
    const options = { signal: controller.signal };
    expect(await collect(retry(model).respond(request, options)).catch((error: unknown) => error)).toBe(
      'enough',
    );
  });

  it('frees the model when its reader leaves', async () => {
    let freed = false;
    const endless: Model = {
      name: 'endless',
      async *respond(): AsyncGenerator<Part> {
        try {
          for (;;) yield { type: 'text', text: 'a' };
        } finally {
          freed = true;
        }
      },
    };
    for await (const part of retry(endless).respond(request)) if (part.type === 'text') break;
    expect(freed).toBe(true);
  });

  it.each([
    [{ attempts: 0 }, /attempts/],
    [{ attempts: 1.5 }, /attempts/],
    [{ delay: -1 }, /delay/],
    [{ cap: Number.NaN }, /cap/],
  ])('refuses %o', (options, message) => {
    expect(() => retry(scripted([]), options)).toThrow(message);
  });
});
