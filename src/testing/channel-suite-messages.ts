/** What every channel must do with messages: all of them, whole, in order, both ways. */
import { equal } from './assert.ts';
import type { ChannelKit } from './channel-suite.ts';
import type { Sentences } from './test-function.ts';

const megabyte = 1_000_000;
const range = (length: number): number[] => Array.from({ length }, (_none, index) => index);

export const messageSentences: Sentences<ChannelKit> = {
  async 'says what shape it has'({ open, channel, replyStreams }) {
    const probe = await open();
    equal(probe.connection.replyStreams, replyStreams, 'replyStreams');
    equal(channel.label.trim() === '', false, 'whether the label is blank');
  },

  async 'delivers what the client sends, in order'({ open }) {
    const probe = await open();
    for (const index of range(200)) probe.notify('note', { index });
    equal(await probe.ask('notes'), { notes: range(200) }, 'the notes that the server received');
  },

  async 'delivers what the server sends, in order and before the answer'({ open }) {
    const probe = await open();
    await probe.ask('count', { to: 200 });
    const members = probe.delivered.map(({ message }) =>
      message['method'] === 'counted' ? (message['params'] as { index: number }).index : 'answer',
    );
    equal(members, [...range(200), 'answer'], 'what was delivered');
  },

  async 'carries a message of a megabyte each way'({ open }) {
    const probe = await open();
    const text = 'y'.repeat(megabyte);
    equal(await probe.ask('echo', { text }), { text }, 'the echo');
    equal(await probe.ask('fill', { length: megabyte }), { text: 'x'.repeat(megabyte) }, 'the filled text');
  },

  async 'carries line breaks, control characters and all of unicode in strings'({ open }) {
    const probe = await open();
    const text = 'a\nb\r\nc\u2028d\u2029e"f\\g\u0000h\u0085é—漢字😀\uFEFF';
    equal(await probe.ask('echo', { text, [text]: [text] }), { text, [text]: [text] }, 'the echo');
  },

  async 'carries every kind of JSON value'({ open }) {
    const probe = await open();
    const values = { none: null, yes: true, no: false, zero: 0, half: -1.5e-7, empty: [{}, [], ''] };
    equal(await probe.ask('echo', values), values, 'the echo');
  },

  async 'carries a thousand requests of one tick'({ open }) {
    const probe = await open();
    const ids = range(1000).map(index => probe.request('echo', { index }));
    const results = await Promise.all(ids.map(id => probe.result(id)));
    equal(
      results,
      range(1000).map(index => ({ index })),
      'the answers',
    );
  },

  async 'lets the server ask while it works on a request'({ open }) {
    const probe = await open();
    const asked = probe.request('ask', { about: 'tea' });
    const question = await probe.until('the question', () =>
      probe.delivered.map(({ message }) => message).find(message => message['method'] === 'question'),
    );
    equal(question['params'], { about: 'tea' }, 'what is asked');
    probe.connection.send({ jsonrpc: '2.0', id: question['id'] as string, result: { milk: true } });
    equal(await probe.result(asked), { answer: { milk: true } }, 'the answer after the question');
  },
};
