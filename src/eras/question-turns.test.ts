import { describe, expect, it } from 'vitest';
import { answerer, elicit, upTo } from '../../test/fixtures/eras/answerer.ts';
import { initialized, answering as script } from '../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Peer, type Sent, scriptedChannel, turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, limits, negotiation } from '../../test/fixtures/eras/seat.ts';
import type { ClientSeat } from './era.ts';
import { negotiate } from './negotiate.ts';

guardRejections();

const sample = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };

async function handshake(seat: Partial<ClientSeat>) {
  const channel = scriptedChannel([
    script({ initialize: (message, peer) => peer.reply(message, initialized()) }),
  ]);
  const options = negotiation({ protocol: '2025-11-25' });
  const { era, link } = await negotiate(channel, clientSeat(seat), options);
  const [peer] = channel.peers as [Peer];
  const begun = peer.sent.length;
  const ask = (id: number, question: object = elicit(id)): void =>
    peer.emit({ jsonrpc: '2.0', id, ...question });
  const answers = (): readonly Sent[] => peer.sent.slice(begun).filter(({ method }) => method === undefined);
  return { era, link, options, peer, ask, answers };
}

describe('a flood of 10,000 questions', () => {
  it('has 16 answered at once, the next 1,024 in order, and the rest refused while it comes', async () => {
    const { began, most, endAll, seat } = answerer();
    const { ask, answers } = await handshake(seat());
    for (const id of upTo(10_000)) ask(id);
    const refused = answers();
    expect(refused.map(({ id }) => id)).toEqual(upTo(10_000).slice(16 + 1024));
    expect(refused[0]?.error).toEqual({
      code: -32603,
      message:
        'busy: 16 questions of the kind "elicit" are being answered and the queue is full; ask again later',
    });
    await turn();
    expect(began).toEqual(upTo(16).map(String));
    await endAll();
    expect(most.atOnce).toBe(16);
    expect(began).toEqual(upTo(16 + 1024).map(String));
    expect(answers()).toHaveLength(10_000);
    ask(10_000);
    await turn();
    await endAll();
    expect(answers().at(-1)).toMatchObject({ id: 10_000, result: { action: 'accept' } });
  });

  it('is told of once when the first has to wait, and once when the first is refused', async () => {
    const { diagnostics, endAll, seat } = answerer();
    const { ask } = await handshake(seat());
    const kinds = (): readonly string[] => diagnostics.map(({ kind }) => kind);
    for (const id of upTo(16)) ask(id);
    expect(kinds()).toEqual([]);
    for (const id of upTo(1024)) ask(16 + id);
    expect(kinds()).toEqual(['questions-wait']);
    for (const id of upTo(9000)) ask(2000 + id);
    expect(kinds()).toEqual(['questions-wait', 'questions-refused']);
    expect(diagnostics[0]?.message).toContain('see the option maxQuestions');
    await turn();
    await endAll();
  });

  it('leaves pings answered at once', async () => {
    const { seat, endAll } = answerer();
    const { ask, answers } = await handshake(seat());
    for (const id of upTo(1040)) {
      ask(id);
      ask(-1 - id, { method: 'ping' });
    }
    expect(answers()).toEqual(upTo(1040).map(id => ({ jsonrpc: '2.0', id: -1 - id, result: {} })));
    await turn();
    await endAll();
  });

  it('that the connection ends is forgotten: what waits never begins, what runs is aborted', async () => {
    const { began, open, seat, endAll } = answerer();
    const { era, ask, answers, options, peer } = await handshake(seat());
    for (const id of upTo(1040)) ask(id);
    await turn();
    peer.exit();
    for (const loss of options.losses) era.lost(loss);
    expect([...open].map(({ signal }) => signal.aborted)).toEqual(upTo(16).map(() => true));
    await endAll();
    expect([began.length, answers().length]).toEqual([16, 0]);
  });
});

describe('a question that waits', () => {
  it('and is withdrawn never begins, is not answered, and leaves its turn to the next', async () => {
    const { began, end, seat, endAll } = answerer();
    const { ask, answers, peer } = await handshake(seat(1));
    for (const id of upTo(4)) ask(id);
    await turn();
    peer.notify('notifications/cancelled', { requestId: 1 });
    await end();
    expect(began).toEqual(['0', '2']);
    await endAll();
    expect(answers().map(({ id }) => id)).toEqual([0, 2, 3]);
  });

  it('makes room in the queue when it is withdrawn', async () => {
    const { seat, endAll } = answerer();
    const { ask, answers, peer } = await handshake(seat());
    for (const id of upTo(1041)) ask(id);
    expect(answers()).toHaveLength(1);
    peer.notify('notifications/cancelled', { requestId: 500 });
    ask(2000);
    ask(2001);
    expect(answers().map(({ id }) => id)).toEqual([1040, 2001]);
    await turn();
    await endAll();
  });

  it.each(upTo(12))(
    'does not begin once it is withdrawn, be that %i steps after its turn has come',
    async steps => {
      const { began, open, seat, endAll } = answerer();
      const { ask, peer } = await handshake(seat(1));
      for (const id of upTo(3)) ask(id);
      await turn();
      const [first] = open;
      first?.end();
      for (let step = 0; step < steps; step += 1) await undefined;
      const before = [...began];
      peer.notify('notifications/cancelled', { requestId: 1 });
      await turn();
      expect(began.includes('1')).toBe(before.includes('1'));
      await endAll();
      expect(began.at(-1)).toBe('2');
    },
  );

  it('puts off the idle limits of calls, as one that is being answered does', async () => {
    const { seat, end, endAll } = answerer();
    const { era, ask, link, options } = await handshake(seat(1));
    const result = era.call('tools/call', { name: 'x' }, { limits }).catch((thrown: unknown) => thrown);
    ask(0);
    ask(1);
    await turn();
    await end();
    options.clock.advance(2 * limits.idle);
    expect(link.inflight.size).toBe(1);
    await endAll();
    options.clock.advance(limits.idle);
    expect(await result).toMatchObject({ name: 'TimeoutError', limit: 'idle' });
  });

  it('keeps none of another kind waiting', async () => {
    const { began, seat, endAll } = answerer();
    const { ask } = await handshake(seat(1));
    for (const id of upTo(3)) ask(id);
    ask(3, { method: 'roots/list' });
    ask(4, sample);
    await turn();
    expect(began).toEqual(['0', 'roots', 'sample']);
    await endAll();
  });

  it('counts by its size too: 64 MiB wait, and no more', async () => {
    const { began, seat, endAll } = answerer();
    const { ask, answers } = await handshake(seat(1));
    const large = { ...elicit(0), params: { ...elicit(0).params, padding: 'x'.repeat(16 * 1024 * 1024) } };
    for (const id of upTo(7)) ask(id, large);
    expect(answers().map(({ id }) => id)).toEqual([5, 6]);
    await turn();
    await endAll();
    expect(began).toHaveLength(5);
  });
});

describe('a question that is withdrawn while it is answered', () => {
  it('keeps its place until its handler has ended: else asking and withdrawing would be a way round', async () => {
    const { began, most, end, seat, endAll } = answerer();
    const { ask, peer } = await handshake(seat());
    for (const id of upTo(100)) {
      ask(id);
      await turn();
      if (id < 16) peer.notify('notifications/cancelled', { requestId: id });
    }
    expect(began).toHaveLength(16);
    await end();
    expect(began).toHaveLength(17);
    await endAll();
    expect([most.atOnce, began.length]).toEqual([16, 100]);
  });
});
