import { describe, expect, it } from 'vitest';
import { answerer, elicit, upTo } from '../../../test/fixtures/eras/answerer.ts';
import { discovered, answering as script } from '../../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { scriptedChannel, turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, limits, negotiation } from '../../../test/fixtures/eras/seat.ts';
import type { ClientSeat } from '../era.ts';
import { negotiate } from '../negotiate.ts';

guardRejections();

/** A client of the newer era; the nth call is asked what the nth of `rounds` says, and complete when it answers. */
async function stateless(rounds: readonly Readonly<Record<string, object>>[], seat: Partial<ClientSeat>) {
  const answered: unknown[] = [];
  let asked = 0;
  const server = script({
    'server/discover': (message, peer) => peer.reply(message, discovered),
    'tools/call': (message, peer) => {
      const responses = message.params?.['inputResponses'];
      if (responses === undefined) {
        peer.reply(message, { resultType: 'input_required', inputRequests: rounds[asked++] });
        return;
      }
      answered.push(responses);
      peer.reply(message, { resultType: 'complete', content: [] });
    },
  });
  const channel = scriptedChannel([server]);
  const options = negotiation({ protocol: '2026-07-28' });
  const { era } = await negotiate(channel, clientSeat(seat), options);
  const call = (signal?: AbortSignal): Promise<unknown> =>
    era.call('tools/call', { name: 'x' }, { limits, signal }).catch((thrown: unknown) => thrown);
  return { era, channel, options, answered, call };
}

const round = (count: number, from = 0): Record<string, object> =>
  Object.fromEntries(upTo(count).map(index => [`q${index}`, elicit(from + index)]));

describe('a flood of questions', () => {
  it('of 1,000 in one result is answered 16 at once, under their own keys', async () => {
    const { began, most, seat, endAll } = answerer();
    const { call, answered } = await stateless([round(1000)], seat());
    const result = call();
    await turn();
    expect(began).toEqual(upTo(16).map(String));
    await endAll();
    await result;
    expect(most.atOnce).toBe(16);
    const keys = upTo(1000).map(nr => [`q${nr}`, { action: 'accept', content: { name: String(nr) } }]);
    expect(answered).toEqual([Object.fromEntries(keys)]);
  });

  it('over the results of ten calls has 16 answered at once, and every call its answers', async () => {
    const { began, most, seat, endAll } = answerer();
    const rounds = upTo(10).map(nr => round(1000, 1000 * nr));
    const { call, answered } = await stateless(rounds, seat());
    const results = upTo(10).map(() => call());
    await turn();
    await endAll();
    await Promise.all(results);
    expect([most.atOnce, began.length, answered.length]).toEqual([16, 10_000, 10]);
  });
});

describe('a question that waits', () => {
  it('of a result goes with its call, and the questions of other calls go on', async () => {
    const { began, end, endAll, seat } = answerer();
    const { call, answered } = await stateless([round(1), round(5, 10), round(1, 20)], seat(1));
    const controller = new AbortController();
    const first = call();
    const second = call(controller.signal);
    const third = call();
    await turn();
    controller.abort('enough');
    expect(await second).toBe('enough');
    await end();
    await endAll();
    await Promise.all([first, third]);
    expect(began).toEqual(['0', '20']);
    expect(answered).toHaveLength(2);
  });

  it('of a result goes with the connection', async () => {
    const { began, endAll, seat } = answerer();
    const { call, channel, era, options } = await stateless([round(100)], seat());
    const result = call();
    await turn();
    channel.peers[0]?.exit();
    for (const loss of options.losses) era.lost(loss);
    expect(await result).toMatchObject({ name: 'ConnectionError', reason: 'exited' });
    await endAll();
    expect(began).toHaveLength(16);
  });
});
