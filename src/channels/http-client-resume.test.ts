import { describe, expect, it } from 'vitest';
import { httpKit } from '../../test/fixtures/http/http-kit.ts';
import type { Visit } from '../../test/fixtures/http/scripted-http.ts';
import { manualClock } from '../basics/manual-clock.ts';

const open = httpKit();
const place = (id: string) => ({ 'x-place': id });
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('the rest of a reply stream that broke off', () => {
  it.each<[string, (visit: Visit) => void, string]>([
    ['are cut', visit => visit.cut(), 'network'],
    ['meet 503', visit => visit.reply(503), 'http-status'],
    ['meet 429', visit => visit.reply(429), 'http-status'],
  ])('is no reason to send the request again when all attempts %s', async (_what, resumed, reason) => {
    const clock = manualClock();
    const { ask, server } = await open(
      (visit, count) => void (count === 1 ? visit.stream().end('id: a\ndata:\n\n') : resumed(visit)),
      { clock },
    );
    const asked = ask('work', { resume: place });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      while (clock.pending === 0) await turn();
      clock.advance(30_000);
      await server.visit(attempt);
    }
    expect((await asked).error).toMatchObject({ reason, outcome: 'unknown', retryable: false });
  });

  it('is no reason to send the request again when the server cannot be reached any more', async () => {
    const clock = manualClock();
    let calls = 0;
    const body = 'id: a\ndata:\n\n';
    const replies = async (): Promise<Response> => {
      calls += 1;
      if (calls === 1) return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    };
    const { ask } = await open(() => {}, { clock, fetch: replies });
    const asked = ask('work', { resume: place });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      while (clock.pending === 0) await turn();
      clock.advance(30_000);
    }
    expect((await asked).error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(calls).toBe(6);
  });

  it.each(['日本', 'a\u0001b'])(
    'is given up at once behind an event id that no header can hold',
    async id => {
      const clock = manualClock();
      const { ask, server } = await open(visit => void visit.stream().end(`id: ${id}\ndata:\n\n`), { clock });
      const { error } = await ask('work', { resume: place });
      expect(error).toMatchObject({ reason: 'stream-ended', outcome: 'unknown', retryable: false });
      expect([server.visits.length, clock.pending]).toEqual([1, 0]);
    },
  );

  it('is fetched at a decent pace whatever the server asks for, slower when it keeps ending empty', async () => {
    const clock = manualClock();
    const { ask, connection, server } = await open(
      (visit, count) => void visit.stream().end(`id: ${count}\nretry: 0\ndata:\n\n`),
      { clock },
    );
    void ask('work', { resume: place });
    while (clock.now() < 60_000) {
      while (clock.pending === 0) await turn();
      clock.advance(250);
    }
    expect(server.visits.length).toBeGreaterThan(10);
    expect(server.visits.length).toBeLessThan(25);
    connection.abandon(1);
  });
});
