import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import { scripted } from '../testing/scripted.ts';
import { collect } from './collect.ts';
import { instantClock } from './fixtures/instant-clock.ts';
import { fault } from './fixtures/model-fault.ts';
import { rateLimit } from './rate-limit.ts';
import { retry } from './retry.ts';
import { TokenBucket } from './token-bucket.ts';

const request = { messages: [{ role: 'user', content: 'x' }] } as const;
const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('a model with a rate limit', () => {
  it('sends a burst at once, and then one for each permit that comes', async () => {
    const { clock, waits } = instantClock();
    const model = rateLimit(scripted(['1', '2', '3', '4']), { perMinute: 60, burst: 2, clock });
    for (let call = 0; call < 4; call += 1) await collect(model.respond(request));
    expect(waits).toEqual([1000, 1000]);
  });

  it('serves callers in the order in which they asked', async () => {
    const clock = manualClock();
    const model = rateLimit(scripted(['1', '2', '3']), { perMinute: 60, clock });
    const done: number[] = [];
    const all = [1, 2, 3].map(async number => {
      await collect(model.respond(request));
      done.push(number);
    });
    await tick();
    expect(done).toEqual([1]);
    clock.advance(1000);
    await tick();
    expect(done).toEqual([1, 2]);
    clock.advance(1000);
    await Promise.all(all);
    expect(done).toEqual([1, 2, 3]);
  });

  it('is drained for all by a refusal for too many requests, as long as the provider asks', async () => {
    const clock = manualClock();
    const bucket = new TokenBucket({ perMinute: 6000, burst: 100, clock });
    const refused = fault({ kind: 'rate-limit', retryAfterMs: 5000 });
    const first = rateLimit(scripted([refused]), bucket);
    const second = rateLimit(scripted(['ok']), bucket);
    await expect(collect(first.respond(request))).rejects.toMatchObject({ kind: 'rate-limit' });
    let text: string | undefined;
    const asked = collect(second.respond(request)).then(response => {
      text = response.text;
    });
    clock.advance(4999);
    await tick();
    expect(text).toBeUndefined();
    clock.advance(10);
    await asked;
    expect(text).toBe('ok');
  });

  it('keeps the longer of two pauses', async () => {
    const { clock, waits } = instantClock();
    const bucket = new TokenBucket({ perMinute: 60_000, burst: 1, clock });
    bucket.drain(5000);
    bucket.drain(10);
    await bucket.take();
    expect(waits).toEqual([5000]);
  });

  it.each([
    [undefined, 60_000],
    [50, 50],
  ])('is shut no longer than its cap (%s), whatever the provider asks for', async (cap, ms) => {
    const { clock, waits } = instantClock();
    const refused = fault({ kind: 'rate-limit', retryAfterMs: 86_400_000 });
    const model = rateLimit(scripted([refused, 'ok']), { perMinute: 60_000, cap, clock });
    await expect(collect(model.respond(request))).rejects.toMatchObject({ kind: 'rate-limit' });
    expect((await collect(model.respond(request))).text).toBe('ok');
    expect(waits).toEqual([ms]);
  });

  it('counts each attempt when it stands inside the retry', async () => {
    const { clock, waits } = instantClock();
    const inner = rateLimit(scripted([fault(), 'ok']), { perMinute: 1, clock });
    const model = retry(inner, { clock, random: () => 0 });
    expect((await collect(model.respond(request))).text).toBe('ok');
    expect(waits).toEqual([0, 60_000]);
  });

  it('lets an abort end the wait of those who queue, at once and without taking a permit', async () => {
    const clock = manualClock();
    const bucket = new TokenBucket({ perMinute: 1, clock });
    await bucket.take();
    const first = new AbortController();
    const second = new AbortController();
    const waits = [bucket.take(first.signal), bucket.take(second.signal), bucket.take()];
    const failed = waits.map(wait => wait.catch((error: unknown) => error));
    second.abort(new Error('second left'));
    expect(await failed[1]).toMatchObject({ message: 'second left' });
    first.abort(new Error('first left'));
    expect(await failed[0]).toMatchObject({ message: 'first left' });
    await tick();
    clock.advance(60_000);
    expect(await failed[2]).toBeUndefined();
    expect(getEventListeners(first.signal, 'abort')).toEqual([]);
    expect(getEventListeners(second.signal, 'abort')).toEqual([]);
  });

  it.each([
    [{ perMinute: 0 }, /perMinute/],
    [{ perMinute: Number.NaN }, /perMinute/],
    [{ perMinute: 1, burst: 0 }, /burst/],
    [{ perMinute: 1, cap: -1 }, /cap/],
  ])('refuses %j', (options, message) => {
    expect(() => rateLimit(scripted(['a']), options)).toThrow(message);
  });
});
