/** How every connection begins and ends: fresh, once, quietly, and leaving nothing. */
import { nextTurn } from '../basics/next-turn.ts';
import { isConnectionError } from '../rpc/connection-error.ts';
import { check, equal, rejection, within } from './assert.ts';
import { ChannelProbe } from './channel-probe.ts';
import type { ChannelKit } from './channel-suite.ts';
import type { Sentences } from './test-function.ts';

const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>(nextTurn);
};

export const endSentences: Sentences<ChannelKit> = {
  async 'opens a fresh connection each time'({ open }) {
    const [first, second] = [await open(), await open()];
    first.notify('note', { index: 1 });
    equal(await first.ask('notes'), { notes: [1] }, 'the notes of the first');
    equal(await second.ask('notes'), { notes: [] }, 'the notes of the second');
  },

  async 'leaves other connections alone when one is closed'({ open }) {
    const [first, second] = [await open(), await open()];
    await within(first.connection.close(), 'closing');
    equal(await second.ask('echo', { a: 1 }), { a: 1 }, 'the echo of the other');
    equal(second.closings.length, 0, 'ends that the other was told of');
  },

  async 'closes twice, and while requests run'({ open }) {
    const probe = await open();
    probe.request('hold');
    await probe.ask('echo');
    const [first, second] = [probe.connection.close(), probe.connection.close()];
    await within(Promise.all([first, second]), 'closing');
    await within(probe.connection.close(), 'closing again');
    equal(probe.closings.length, 1, 'how often the end was told');
  },

  async 'tells the end once, and delivers nothing afterwards'({ open }) {
    const probe = await open();
    probe.request('count', { to: 500 });
    probe.request('fill', { length: 100_000 });
    await within(probe.connection.close(), 'closing');
    await someTurns();
    equal(probe.closings.length, 1, 'how often the end was told');
    equal(probe.late, [], 'what came afterwards');
    check(isConnectionError(probe.closings[0]), 'the end is told by a ConnectionError');
  },

  async 'may be closed within a delivery, and delivers nothing more'({ open }) {
    const probe = await open();
    probe.onDelivery = () => void probe.connection.close();
    probe.request('count', { to: 500 });
    await probe.until('the end', () => probe.closings[0]);
    await within(probe.connection.close(), 'closing');
    await someTurns();
    equal(probe.delivered.length, 1, 'how many messages were delivered');
    equal(probe.late, [], 'what came afterwards');
  },

  async 'ignores what is sent or abandoned after close'({ open }) {
    const probe = await open();
    await within(probe.connection.close(), 'closing');
    const id = probe.request('echo');
    probe.connection.abandon(id);
    await someTurns();
    equal(probe.delivered, [], 'what was delivered');
    equal(probe.late, [], 'what came afterwards');
  },

  async 'does not open when its signal has aborted before'({ channel }) {
    const probe = new ChannelProbe();
    const reason = new Error('changed my mind');
    const thrown = await rejection(probe.open(channel, AbortSignal.abort(reason)), 'opening');
    check(thrown === reason, 'open rejects with the reason of the signal');
    equal([...probe.delivered, ...probe.closings], [], 'what the receiver was told');
  },

  async 'gives up opening with the reason of its signal'({ channel, adopt }) {
    const probe = new ChannelProbe();
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const opening = probe.open(channel, controller.signal);
    controller.abort(reason);
    const outcome = await opening.then(
      () => 'opened',
      (thrown: unknown) => thrown,
    );
    if (outcome === 'opened') {
      // The connection was there before the signal: then it must be one like any other.
      adopt(probe);
      equal(await probe.ask('echo', { a: 1 }), { a: 1 }, 'the echo');
    } else {
      check(outcome === reason, 'open rejects with the reason of the signal');
      equal([...probe.delivered, ...probe.closings], [], 'what the receiver was told');
    }
  },
};

export const leaveSentences: Sentences<ChannelKit> = {
  async 'tells by a ConnectionError that the server went away'({ open }) {
    const probe = await open();
    probe.request('hold');
    probe.notify('leave');
    const error = await probe.until('the end', () => probe.closings[0]);
    check(isConnectionError(error), 'the end is told by a ConnectionError');
    check(error.message !== '', 'the error says what happened');
    probe.request('echo');
    await within(probe.connection.close(), 'closing what is gone');
    equal(probe.closings.length, 1, 'how often the end was told');
    equal(probe.late, [], 'what came afterwards');
  },

  async 'opens again after the server went away'({ open }) {
    const probe = await open();
    probe.notify('leave');
    await probe.until('the end', () => probe.closings[0]);
    const again = await open();
    equal(await again.ask('echo', { a: 1 }), { a: 1 }, 'the echo');
  },
};
