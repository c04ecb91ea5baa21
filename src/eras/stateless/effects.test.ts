import { describe, expect, it } from 'vitest';
import { enveloped, Talk } from '../../../test/fixtures/eras/talk.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { memoryStore, type StateStore } from '../../basics/state-store.ts';
import { Server } from '../../server/server.ts';
import { tool } from '../../tools/tool.ts';
import { Effects } from './effects.ts';

const form = { message: '?', requestedSchema: { type: 'object' } } as const;

/** A tool with an effect between two questions, and how often the effect happened. */
function effectful(store?: StateStore): { server: Server; count: () => number } {
  let count = 0;
  const pay = tool({
    name: 'pay',
    description: '',
    async run(_args, { elicit, once }) {
      await elicit('first', form);
      const receipt = await once('charge', async () => ({ number: ++count }));
      await elicit('second', form);
      return `receipt ${receipt.number}`;
    },
  });
  const state = store ? { state: { store } } : {};
  return { server: new Server({ name: 's', version: '1', tools: [pay], ...state }), count: () => count };
}

const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const round = (key?: string, requestState?: unknown): Record<string, unknown> =>
  enveloped(
    {
      name: 'pay',
      arguments: {},
      ...(key ? { inputResponses: { [key]: { action: 'accept', content: {} } }, requestState } : {}),
    },
    meta,
  );

describe('an effect between two questions', () => {
  it.each<[string, StateStore | undefined, number, RegExp]>([
    ['without a store happens again when its round is sent again', undefined, 3, /^receipt [123]$/],
    ['with a store happens once however often its round is sent', memoryStore(), 1, /^receipt 1$/],
  ])('%s', async (_what, store, times, receipt) => {
    const { server, count } = effectful(store);
    const talk = new Talk(server);
    const first = await talk.ask('tools/call', round());
    const again = round('first', first.result?.requestState);
    const [second, ...others] = await Promise.all([1, 2, 3].map(() => talk.ask('tools/call', again)));
    expect(count()).toBe(times);
    for (const other of others) expect(other.result?.resultType).toBe('input_required');
    const last = await talk.ask('tools/call', round('second', second?.result?.requestState));
    // The three rounds run side by side; each has sealed the effect that it saw.
    expect(last.result?.content?.[0]?.text).toMatch(receipt);
    expect(count()).toBe(times);
  });

  it('with a store happens once for each call that is made anew', async () => {
    const { server, count } = effectful(memoryStore());
    const talk = new Talk(server);
    for (const expected of [1, 2]) {
      const first = await talk.ask('tools/call', round());
      await talk.ask('tools/call', round('first', first.result?.requestState));
      expect(count()).toBe(expected);
    }
  });
});

describe('remembering effects', () => {
  it('gives back the JSON value, also to another process', async () => {
    const store = memoryStore();
    expect(await new Effects(store, 1000).run('k', () => ({ a: [1] }))).toEqual({ a: [1] });
    expect(await new Effects(store, 1000).run('k', () => 'never')).toEqual({ a: [1] });
    expect(await new Effects(store, 1000).run('nothing', () => undefined)).toBeUndefined();
    expect(await new Effects(store, 1000).run('nothing', () => 'never')).toBeNull();
  });

  it('lets an effect that failed run again', async () => {
    const effects = new Effects(memoryStore(), 1000);
    await expect(effects.run('k', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await effects.run('k', () => 'yes')).toBe('yes');
  });

  it('says that it does not know when an effect was begun elsewhere and never ended', async () => {
    const store = memoryStore();
    void new Effects(store, 1000).run('k', () => new Promise(() => {}));
    await Promise.resolve();
    await expect(new Effects(store, 1000).run('k', () => 'twice')).rejects.toThrow(
      'its outcome is not known',
    );
  });

  it('waits for one that runs in this process', async () => {
    const effects = new Effects(memoryStore(), 1000);
    let finish: (value: string) => void = () => {};
    const running = effects.run('k', () => new Promise<string>(resolve => (finish = resolve)));
    const second = effects.run('k', () => 'never');
    await Promise.resolve();
    await Promise.resolve();
    finish('once');
    expect(await Promise.all([running, second])).toEqual(['once', 'once']);
  });
});

it('a store that cannot do all that is needed of it is refused when the server is made', () => {
  const state = { store: { get: () => undefined, set: () => {}, delete: () => {} } as never };
  expect(() => new Server({ name: 's', version: '1', state })).toThrow(
    'state.store must have add, get, set and delete; it has no add',
  );
});

describe('a store in memory', () => {
  it('forgets what is too old, and the oldest when there is too much', async () => {
    const clock = manualClock();
    const store = memoryStore({ entries: 2, clock });
    expect(await store.add('a', '1', 10)).toBe(true);
    expect(await store.add('a', '2', 10)).toBe(false);
    clock.advance(10);
    expect(await store.get('a')).toBeUndefined();
    expect(await store.add('a', '2', 10)).toBe(true);
    await store.set('b', '3', 10);
    await store.set('c', '4', 10);
    expect(await Promise.all(['a', 'b', 'c'].map(key => store.get(key)))).toEqual([undefined, '3', '4']);
    await store.delete('b');
    expect(await store.get('b')).toBeUndefined();
  });
});
