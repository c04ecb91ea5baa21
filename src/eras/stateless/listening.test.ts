import { describe, expect, it } from 'vitest';
import { idOf } from '../../../test/fixtures/http/http-kit.ts';
import { mcpKit, methodOf, paramsOf, stateless } from '../../../test/fixtures/http/mcp-script.ts';
import { event, type Script, type Visit } from '../../../test/fixtures/http/scripted-http.ts';
import { manualClock } from '../../basics/manual-clock.ts';

const open = mcpKit();
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const isListen = (visit: Visit): boolean => methodOf(visit) === 'subscriptions/listen';

const told = (visit: Visit, method: string): string =>
  event({ method, params: { _meta: { 'io.modelcontextprotocol/subscriptionId': idOf(visit) } } });
const acknowledge = (visit: Visit): void =>
  void visit.stream().write(told(visit, 'notifications/subscriptions/acknowledged'));

/** Meets the subscriptions one after another as `turns` say, the last one for all that follow. */
function meets(...turns: readonly ((visit: Visit) => void)[]): Script {
  const plain = stateless();
  let count = 0;
  return (visit, total) => {
    if (!isListen(visit)) {
      plain(visit, total);
      return;
    }
    turns[Math.min(count, turns.length - 1)]?.(visit);
    count += 1;
  };
}

describe('a subscription over HTTP', () => {
  it('that is cut off is asked for again, later each time, and everything is worth another look then', async () => {
    const clock = manualClock();
    const { connect, server } = await open(
      meets(
        acknowledge,
        visit => visit.cut(),
        visit => visit.reply(503),
        acknowledge,
      ),
    );
    const client = await connect({ clock });
    const changes = client.watch({ tools: true, uris: ['file:///a'] })[Symbol.asyncIterator]();
    const first = await server.until(() => server.visits.find(isListen));
    first.response.write(told(first, 'notifications/tools/list_changed'));
    expect((await changes.next()).value).toEqual({ kind: 'tools' });
    first.cut();
    const idle = clock.pending;
    for (const [count, wait] of [
      [2, 1000],
      [3, 2000],
      [4, 4000],
    ] as const) {
      while (clock.pending === idle) await turn();
      clock.advance(wait - 1);
      await turn();
      expect(server.visits.filter(isListen)).toHaveLength(count - 1);
      clock.advance(1);
      await server.until(() => server.visits.filter(isListen).length === count);
    }
    expect([(await changes.next()).value, (await changes.next()).value]).toEqual([
      { kind: 'tools' },
      { kind: 'resource', uri: 'file:///a' },
    ]);
    const asked = server.visits.filter(isListen);
    expect(new Set(asked.map(idOf)).size).toBe(4);
    expect(new Set(asked.map(visit => JSON.stringify(paramsOf(visit)))).size).toBe(1);
    await changes.return?.();
    await asked[3]?.over;
  });

  it('that was never taken fails with what went wrong', async () => {
    const { connect, server } = await open(meets(visit => void visit.stream().end()));
    const client = await connect();
    const reading = client.watch({ tools: true })[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toMatchObject({ name: 'ConnectionError', reason: 'stream-ended' });
    expect(server.visits.filter(isListen)).toHaveLength(1);
  });

  it('that is refused later on fails, too', async () => {
    const clock = manualClock();
    const { connect, server } = await open(meets(acknowledge, visit => visit.reply(401)));
    const client = await connect({ clock });
    const reading = client.watch({ tools: true })[Symbol.asyncIterator]().next();
    const caught = expect(reading).rejects.toMatchObject({ status: 401 });
    const first = await server.until(() => server.visits.find(isListen));
    await turn();
    while (!client.diagnostics.some(({ kind }) => kind === 'watching')) await turn();
    const idle = clock.pending;
    first.cut();
    while (clock.pending === idle) await turn();
    clock.advance(1000);
    await caught;
  });

  it('that waits for its next attempt ends with the client, and leaves no timer', async () => {
    const clock = manualClock();
    const { connect, server } = await open(meets(acknowledge));
    const client = await connect({ clock });
    const reading = client.watch({ tools: true })[Symbol.asyncIterator]().next();
    const first = await server.until(() => server.visits.find(isListen));
    while (!client.diagnostics.some(({ kind }) => kind === 'watching')) await turn();
    const idle = clock.pending;
    first.cut();
    while (clock.pending === idle) await turn();
    await client.close();
    expect(await reading).toEqual({ done: true, value: undefined });
    expect(clock.pending).toBe(0);
  });
});
