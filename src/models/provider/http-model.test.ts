import { expect, it } from 'vitest';
import { answer, json, model, request } from '../../../test/fixtures/openai-replies.ts';
import { collect } from '../collect.ts';
import { instantClock } from '../fixtures/instant-clock.ts';

it('a provider that asks to wait for a day shuts the gate of its rate no longer than the cap of retries', async () => {
  const { clock, waits } = instantClock();
  const busy = json({ error: { message: 'slow down' } }, 429, { 'retry-after': '86400' });
  const one = model([busy, json(answer)], {
    rateLimit: { perMinute: 60_000, clock },
    retry: { random: () => 0, cap: 50, clock },
  });
  expect((await collect(one.respond(request))).text).toBe('hi');
  expect(Math.max(...waits)).toBe(50);
});
