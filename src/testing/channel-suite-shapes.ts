/** What follows from a channel's shape: a reply stream per request, or one pipe for all. */
import { equal } from './assert.ts';
import type { ChannelKit } from './channel-suite.ts';
import type { Sentences } from './test-function.ts';

export const streamSentences: Sentences<ChannelKit> = {
  async 'ends the reply stream of each request once, after its answer'({ open }) {
    const probe = await open();
    const ids = [probe.request('echo'), probe.request('count', { to: 3 })];
    for (const id of ids) {
      const end = await probe.until('the end of the stream', () => probe.ends.find(({ of }) => of === id));
      const own = probe.delivered.slice(0, end.after).filter(({ of }) => of === id);
      equal(own.at(-1)?.message['id'], id, 'the last message before the end');
      equal(probe.ends.filter(({ of }) => of === id).length, 1, 'how often it ended');
    }
  },

  async 'brings what belongs to a request on the stream of that request'({ open }) {
    const probe = await open();
    const ids = [probe.request('count', { to: 20 }), probe.request('count', { to: 20 })];
    await Promise.all(ids.map(id => probe.result(id)));
    const strays = probe.delivered.filter(({ message, of }) => {
      const params = message['params'] as { for?: unknown } | undefined;
      return of !== (message['id'] ?? params?.for);
    });
    equal(strays, [], 'messages on a stream that is not theirs');
  },

  async 'asks on the stream of the request that it asks for'({ open }) {
    const probe = await open();
    const asked = probe.request('ask');
    const question = await probe.until('the question', () =>
      probe.delivered.find(({ message }) => message['method'] === 'question'),
    );
    equal(question.of, asked, 'the stream of the question');
    probe.connection.send({ jsonrpc: '2.0', id: question.message['id'] as string, result: 1 });
    await probe.result(asked);
  },

  async 'stops listening to an abandoned request, and tells the server'({ open }) {
    const probe = await open();
    const held = probe.request('hold');
    await probe.ask('echo');
    probe.connection.abandon(held);
    probe.connection.abandon(held);
    equal(await probe.ask('abandoned'), { abandoned: 1 }, 'what the server saw of it');
    probe.notify('release');
    await probe.ask('echo');
    equal(
      probe.delivered.filter(({ of }) => of === held),
      [],
      'what still came for it',
    );
  },
};

export const pipeSentences: Sentences<ChannelKit> = {
  async 'delivers what belongs to no request'({ open }) {
    const probe = await open();
    probe.notify('call out', { to: 'anybody' });
    const message = await probe.until('the notification', () => probe.delivered[0]?.message);
    equal(message['params'], { to: 'anybody' }, 'what is said');
  },

  async 'names no reply stream, and abandons none'({ open }) {
    const probe = await open();
    const held = probe.request('hold');
    probe.connection.abandon(held);
    probe.notify('release');
    equal(await probe.result(held), { held: true }, 'the answer');
    equal(probe.delivered[0]?.of, undefined, 'the stream it came on');
    equal(probe.ends, [], 'streams that ended');
  },
};
