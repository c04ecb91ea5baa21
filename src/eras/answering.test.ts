import { describe, expect, it } from 'vitest';
import { initialized, answering as script } from '../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Peer, type Script, scriptedChannel, turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, limits, negotiation } from '../../test/fixtures/eras/seat.ts';
import type { Params } from '../rpc/message.ts';
import { ProtocolError } from '../rpc/protocol-error.ts';
import type { ClientSeat } from './era.ts';
import { negotiate } from './negotiate.ts';

guardRejections();

const plain = script({ initialize: (message, peer) => peer.reply(message, initialized()) });

async function connect(seat: Partial<ClientSeat> = {}, server: Script = plain) {
  const channel = scriptedChannel([server]);
  const options = negotiation({ protocol: '2025-11-25' });
  const own = clientSeat(seat);
  const { era, link } = await negotiate(channel, own, options);
  const [peer] = channel.peers as [Peer];
  const begun = peer.sent.length;
  /** What the client answered since it was connected. */
  const answers = (): unknown[] => peer.sent.slice(begun).filter(({ method }) => method === undefined);
  return { era, link, options, peer, answers, logs: own.logs, clock: options.clock };
}

const form = { message: 'm', requestedSchema: { type: 'object' } };
const ask = (id: unknown, method = 'elicitation/create', params: unknown = form) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** A person who takes their time; answers come out of the dialogs by hand. */
function person() {
  const dialogs: { readonly signal: AbortSignal; readonly answer: (value: Params) => void }[] = [];
  const answer: ClientSeat['answer'] = (_question, signal) =>
    new Promise(resolve => dialogs.push({ signal, answer: resolve }));
  return { dialogs, answer };
}

describe('a request of the server', () => {
  it.each([1, 0, '', 'ping-1', -5])('to ping is answered under its id %j', async id => {
    const { peer, answers } = await connect();
    peer.emit(ask(id, 'ping', undefined));
    expect(answers()).toEqual([{ jsonrpc: '2.0', id, result: {} }]);
  });

  it('that is not known is answered with -32601 and its name', async () => {
    const { peer, answers } = await connect();
    peer.emit(ask(1, 'tools/list', {}));
    peer.emit(ask(2, 'constructor', {}));
    expect(answers()).toMatchObject([
      { id: 1, error: { code: -32601, message: 'this client does not serve tools/list' } },
      { id: 2, error: { code: -32601 } },
    ]);
  });

  it('that is a question is answered with what the handler says', async () => {
    const seen: unknown[] = [];
    const { peer, answers } = await connect({
      answer: question => {
        seen.push(question);
        return Promise.resolve({ action: 'accept', content: {} });
      },
    });
    peer.emit(ask(0));
    peer.emit(ask('r', 'roots/list', undefined));
    await turn();
    expect(seen).toEqual([{ kind: 'elicit', params: form }, { kind: 'roots' }]);
    expect(answers()).toEqual([
      { jsonrpc: '2.0', id: 0, result: { action: 'accept', content: {} } },
      { jsonrpc: '2.0', id: 'r', result: { action: 'accept', content: {} } },
    ]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no dialog'))],
    [
      'throws',
      () => {
        throw new Error('no dialog');
      },
    ],
  ] as const)('is answered with an error when the handler %s', async (_name, answer) => {
    const { peer, answers } = await connect({ answer });
    peer.emit(ask(1));
    await turn();
    expect(answers()).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no dialog' } }]);
  });

  it('is answered with the error that the handler chose', async () => {
    const refusal = new ProtocolError(-1, 'the user said no', { data: { at: 1 } });
    const { peer, answers } = await connect({ answer: () => Promise.reject(refusal) });
    peer.emit(ask(1));
    await turn();
    expect(answers()).toMatchObject([
      { id: 1, error: { code: -1, message: 'the user said no', data: { at: 1 } } },
    ]);
  });

  it('under an id that another question has is left alone: an answer would be taken for that one’s', async () => {
    const { dialogs, answer } = person();
    const { peer, answers, options } = await connect({ answer });
    peer.emit(ask(1));
    peer.emit(ask(1));
    await turn();
    expect([answers(), dialogs.length]).toEqual([[], 1]);
    expect(options.diagnostics.at(-1)).toMatchObject({ kind: 'duplicate-id' });
    dialogs[0]?.answer({ action: 'decline' });
    await turn();
    expect(answers()).toMatchObject([{ id: 1, result: { action: 'decline' } }]);
  });

  it('that is withdrawn aborts the handler’s signal, and its late answer is not sent', async () => {
    const { dialogs, answer } = person();
    const { peer, answers } = await connect({ answer });
    peer.emit(ask(1));
    peer.emit(ask(2));
    await turn();
    peer.notify('notifications/cancelled', { requestId: 1 });
    peer.notify('notifications/cancelled', { requestId: 1 });
    peer.notify('notifications/cancelled', { requestId: 77 });
    peer.notify('notifications/cancelled');
    expect(dialogs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    for (const dialog of dialogs) dialog.answer({ action: 'accept' });
    await turn();
    expect(answers()).toMatchObject([{ id: 2 }]);
  });

  it('is let go of when the connection is lost', async () => {
    const { dialogs, answer } = person();
    const { era, peer, answers, options } = await connect({ answer });
    peer.emit(ask(1));
    await turn();
    peer.exit();
    for (const loss of options.losses) era.lost(loss);
    expect(dialogs[0]?.signal.reason).toMatchObject({ name: 'ConnectionError', reason: 'exited' });
    dialogs[0]?.answer({ action: 'accept' });
    await turn();
    expect(answers()).toEqual([]);
  });
});

describe('the idle limit of a call', () => {
  const start = async () => {
    const { dialogs, answer } = person();
    const connected = await connect({ answer });
    const end = connected.era
      .call('tools/call', { name: 'x' }, { limits })
      .catch((thrown: unknown) => thrown);
    const state = { settled: false };
    void end.then(() => (state.settled = true));
    connected.peer.emit(ask('q'));
    await turn();
    return { ...connected, dialogs, end, state };
  };

  it('rests while a person answers, and begins anew with the answer', async () => {
    const { clock, dialogs, end, state } = await start();
    clock.advance(5 * limits.idle);
    await turn();
    expect(state.settled).toBe(false);
    dialogs[0]?.answer({ action: 'accept' });
    await turn();
    clock.advance(limits.idle - 1);
    await turn();
    expect(state.settled).toBe(false);
    clock.advance(1);
    expect(await end).toMatchObject({ name: 'TimeoutError', limit: 'idle' });
  });

  it('goes on once the server has withdrawn the question, though the dialog stays open', async () => {
    const { clock, peer, end } = await start();
    peer.notify('notifications/cancelled', { requestId: 'q' });
    clock.advance(limits.idle);
    expect(await end).toMatchObject({ name: 'TimeoutError', limit: 'idle' });
  });

  it('does not outlast the limit in all', async () => {
    const { clock, end } = await start();
    clock.advance(limits.total);
    expect(await end).toMatchObject({ name: 'TimeoutError', limit: 'total' });
  });
});

describe('what comes before the answer to initialize', () => {
  it('is kept in order and dealt with afterwards; a ping is answered at once', async () => {
    let finish: () => void = () => {};
    const seen: string[] = [];
    const talkative = script({
      initialize: (message, peer) => {
        peer.notify('notifications/message', { level: 'error', data: 'first' });
        peer.emit(ask('q'));
        peer.emit(ask('p', 'ping', undefined));
        peer.emit(ask('x', 'nope', {}));
        peer.notify('notifications/message', { level: 'error', data: 'second' });
        finish = () => peer.reply(message, initialized());
      },
    });
    const channel = scriptedChannel([talkative]);
    const seat = clientSeat({
      log: ({ data }) => void seen.push(String(data)),
      answer: () => {
        seen.push('question');
        return Promise.resolve({ action: 'decline' });
      },
    });
    const opened = negotiate(channel, seat, negotiation({ protocol: '2025-11-25' }));
    await turn();
    const [peer] = channel.peers as [Peer];
    expect(peer.sent.slice(1)).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
    expect(seen).toEqual([]);
    finish();
    await opened;
    await turn();
    expect(seen).toEqual(['first', 'second', 'question']);
    expect(peer.sent.slice(2)).toMatchObject([
      { method: 'notifications/initialized' },
      { id: 'x', error: { code: -32601 } },
      { id: 'q', result: { action: 'decline' } },
    ]);
  });

  it('is bounded: a server that floods the client cannot fill its memory', async () => {
    let finish: () => void = () => {};
    const flooding = script({
      initialize: (message, peer) => {
        for (let count = 0; count < 5000; count += 1) {
          peer.notify('notifications/message', { level: 'error', data: count });
        }
        finish = () => peer.reply(message, initialized());
      },
    });
    const seat = clientSeat();
    const opened = negotiate(scriptedChannel([flooding]), seat, negotiation({ protocol: '2025-11-25' }));
    await turn();
    finish();
    await opened;
    expect(seat.logs).toHaveLength(1000);
  });
});
