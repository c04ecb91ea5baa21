/** What users may rely on when a call takes long, is given up, or loses its connection. */

import { manualClock } from '../basics/manual-clock.ts';
import { isTimeoutError } from '../basics/timeout-error.ts';
import { isConnectionError } from '../rpc/connection-error.ts';
import type { Progress } from '../rpc/inflight.ts';
import { check, equal, rejection, within } from './assert.ts';
import { type EraKit, say, textOf } from './era-suite.ts';
import type { Sentences } from './test-function.ts';

/** Progress reports, and a promise of the next one. */
function reports(): { onProgress(progress: Progress): void; next(): Promise<Progress> } {
  const came: Progress[] = [];
  const wanted: ((progress: Progress) => void)[] = [];
  return {
    onProgress(progress) {
      const take = wanted.shift();
      if (take) take(progress);
      else came.push(progress);
    },
    next() {
      const [first] = came.splice(0, 1);
      if (first) return Promise.resolve(first);
      return within(new Promise(resolve => wanted.push(resolve)), 'a progress report');
    },
  };
}

export const limitSentences: Sentences<EraKit> = {
  async 'progress reaches its caller, and only what grows'({ connect, lacks }) {
    const client = await connect();
    const came: Progress[] = [];
    await within(client.call('steps', {}, { onProgress: progress => came.push(progress) }), 'the answer');
    const half = lacks('progress-message') ? {} : { message: 'half' };
    equal(
      came,
      [
        { progress: 1, total: 2, ...half },
        { progress: 2, total: 2 },
      ],
      'the reports',
    );
  },

  async 'progress puts off the idle limit, and not the limit in all'({ connect }) {
    const clock = manualClock();
    const client = await connect({ clock });
    const { onProgress, next } = reports();
    const call = client.call('wait', {}, { onProgress, timeouts: { idle: 1000, total: 2500 } });
    const failed = rejection(call, 'the call');
    await next();
    for (const expected of [2, 3]) {
      clock.advance(900);
      await say(client, 'nudge');
      equal((await next()).progress, expected, 'the progress');
    }
    clock.advance(701);
    const thrown = await failed;
    check(isTimeoutError(thrown), 'the error is a TimeoutError');
    equal(thrown.limit, 'total', 'the limit that ran out');
  },

  async 'a call that gives no sign of life is given up, and its tool is told'({ connect }) {
    const clock = manualClock();
    const client = await connect({ clock });
    const failed = rejection(client.call('wait', {}, { timeouts: { idle: 1000 } }), 'the call');
    await say(client, 'happened', { name: 'waiting', count: 1 });
    clock.advance(1001);
    const thrown = await failed;
    check(isTimeoutError(thrown), 'the error is a TimeoutError');
    equal([thrown.limit, thrown.ms], ['idle', 1000], 'the limit that ran out');
    equal(await say(client, 'happened', { name: 'aborted', count: 1 }), '1', 'how many tools were told');
  },

  async 'a call that is aborted before it begins never reaches its tool'({ connect }) {
    const client = await connect();
    const reason = new Error('changed my mind');
    const thrown = await rejection(
      client.call('wait', {}, { signal: AbortSignal.abort(reason) }),
      'the call',
    );
    check(thrown === reason, 'the call rejects with the reason of the signal');
    equal(await say(client, 'count', { name: 'waiting' }), '0', 'how often the tool began');
  },

  async 'a call that is aborted while it runs rejects with the reason, and its tool is told'({ connect }) {
    const client = await connect();
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const failed = rejection(client.call('wait', {}, { signal: controller.signal }), 'the call');
    await say(client, 'happened', { name: 'waiting', count: 1 });
    controller.abort(reason);
    check((await failed) === reason, 'the call rejects with the reason of the signal');
    equal(await say(client, 'happened', { name: 'aborted', count: 1 }), '1', 'how many tools were told');
    equal(await say(client, 'finish'), '0', 'how many calls are left on the server');
  },

  async 'an abort in the tick of the answer is settled once, a hundred times'({ connect }) {
    const client = await connect();
    for (let round = 0; round < 100; round += 1) {
      const controller = new AbortController();
      const call = client.call('echo', { value: 'x' }, { signal: controller.signal });
      const outcome = call.then(textOf, (thrown: unknown) => String(thrown));
      queueMicrotask(() => controller.abort('aborted'));
      check(['x', 'aborted'].includes(await within(outcome, 'the outcome')), 'the call has one outcome');
    }
    equal(await say(client, 'echo', { value: 'well' }), 'well', 'a call afterwards');
  },

  async 'an aborted call gives its place to the next one'({ connect }) {
    const client = await connect({ maxInFlight: 1 });
    const { onProgress, next } = reports();
    const controller = new AbortController();
    const failed = rejection(client.call('wait', {}, { signal: controller.signal, onProgress }), 'the call');
    const waiting = say(client, 'echo', { value: 'my turn' });
    await next();
    controller.abort();
    await failed;
    equal(await waiting, 'my turn', 'the call that waited');
  },

  async 'closing rejects what runs and what comes later, and may be done twice'({ connect }) {
    const client = await connect();
    const running = rejection(client.call('wait'), 'the running call');
    await say(client, 'happened', { name: 'waiting', count: 1 });
    await within(Promise.all([client.close(), client.close()]), 'closing');
    const thrown = await running;
    check(isConnectionError(thrown), 'the running call rejects with a ConnectionError');
    equal(thrown.outcome, 'unknown', 'what is known of the running call');
    const later = await rejection(client.call('echo', { value: 'x' }), 'a later call');
    check(isConnectionError(later), 'a later call rejects with a ConnectionError');
    equal(later.outcome, 'not-sent', 'what is known of the later call');
  },
};
