import { describe, expect, it } from 'vitest';
import { plainClient } from '../../../test/fixtures/plain-server.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { isTimeoutError } from '../../basics/timeout-error.ts';
import type { Client } from '../../client/client.ts';
import { clientOf, factory, listen, namesOf, refused, runTool, textOf } from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';

describe('the servers of a toolset', () => {
  it('lose only their own tools when they cannot be reached, and say so', async () => {
    const one = await clientOf('one', ['a', 'b']);
    const three = await clientOf('three', ['c']);
    const set = toolset({ one, two: refused, three });
    expect(set.servers().map(({ state }) => state)).toEqual(['idle', 'idle', 'idle']);
    expect(namesOf(await set.tools())).toEqual(['a', 'b', 'c']);
    expect(set.servers()).toMatchObject([
      { key: 'one', name: 'one', state: 'ready', tools: 2 },
      { key: 'two', state: 'failed', tools: 0, error: { message: 'no such host' } },
      { key: 'three', state: 'ready', tools: 1 },
    ]);
    expect(set.servers()[0]?.tokens).toBeGreaterThan(0);
    expect(textOf(await runTool(await set.tools(), 'c'))).toBe('three:c');
    await set.close();
    await Promise.all([one.close(), three.close()]);
  });

  it('are asked for nothing before their tools are', async () => {
    const { made, connect: make } = factory('lazy', ['a']);
    const set = toolset({ lazy: make });
    expect(made).toHaveLength(0);
    await Promise.all([set.tools(), set.tools()]);
    expect(made).toHaveLength(1);
    await set.close();
    await expect(made[0]?.tools().all()).rejects.toThrow(/closed/);
  });

  it('that were given as clients stay open when the toolset is closed', async () => {
    const client = await clientOf('mine', ['a']);
    const set = toolset(client);
    await set.tools();
    await set.close();
    await set.close();
    expect(await client.tools().all()).toHaveLength(1);
    await expect(set.tools()).rejects.toThrow('the toolset is closed');
    expect(set.servers()).toMatchObject([{ state: 'closed' }]);
    await client.close();
  });

  it('are all down: the list rejects with what one fails with, or names each', async () => {
    await expect(toolset({ only: refused }).tools()).rejects.toThrow('no such host');
    await expect(toolset({ one: refused, two: refused }).tools()).rejects.toThrow(
      /none of the 2 servers can be used: one: no such host; two: no such host/,
    );
    expect(await toolset([]).tools()).toEqual([]);
  });

  it('that failed are tried again after a rest that doubles, and at once by refresh()', async () => {
    const clock = manualClock();
    const one = await clientOf('one', ['a']);
    let tries = 0;
    let isUp = false;
    const back = factory('two', ['b']);
    const two = async (): Promise<Client> => {
      tries += 1;
      return isUp ? back.connect() : refused();
    };
    const { events, onEvent } = listen();
    const set = toolset({ one, two }, { clock, onEvent });
    const list = await set.tools();
    expect(await set.tools()).toBe(list);
    expect(tries).toBe(1);
    clock.advance(1_000);
    await set.tools();
    expect(tries).toBe(2);
    clock.advance(1_000);
    await set.tools();
    expect(tries).toBe(2);
    clock.advance(1_000);
    expect(await set.tools()).toBe(list);
    expect(tries).toBe(3);
    isUp = true;
    expect(namesOf(await set.refresh())).toEqual(['a', 'b']);
    expect(tries).toBe(4);
    expect(events).toContainEqual({ type: 'change', added: ['b'], removed: [], changed: [] });
    expect(clock.pending).toBe(0);
    await set.close();
    await one.close();
  });

  it('that never answer cost no more than their time, and a client that comes too late is closed', async () => {
    const clock = manualClock();
    const one = await clientOf('one', ['a']);
    let arrive: (client: Client) => void = () => {};
    let asked: () => void = () => {};
    const wasAsked = new Promise<void>(resolve => {
      asked = resolve;
    });
    const slow = (): Promise<Client> =>
      new Promise(resolve => {
        arrive = resolve;
        asked();
      });
    const set = toolset({ one, slow }, { clock, loadTimeout: 5_000 });
    const listing = set.tools();
    await wasAsked;
    clock.advance(5_000);
    expect(namesOf(await listing)).toEqual(['a']);
    const { error } = set.servers()[1] ?? {};
    expect(isTimeoutError(error) && error.message).toBe('server "slow" was not connected within 5000 ms');
    const late = await clientOf('late', ['x']);
    arrive(late);
    await set.close();
    await expect(late.tools().all()).rejects.toThrow(/closed/);
    await one.close();
  });

  it('whose list never comes are failed in the same way', async () => {
    const clock = manualClock();
    let asked: () => void = () => {};
    const wasAsked = new Promise<void>(resolve => {
      asked = resolve;
    });
    const list = ({ signal }: { readonly signal: AbortSignal }): Promise<object> => {
      asked();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const { client } = await plainClient({ 'tools/list': list });
    const one = await clientOf('one', ['a']);
    const { onEvent, next } = listen();
    const set = toolset([one, client], { clock, loadTimeout: 50, onEvent });
    const listing = set.tools();
    // Both are connecting by now; the one that works is ready next.
    await Promise.all([wasAsked, next('server')]);
    clock.advance(50);
    expect(namesOf(await listing)).toEqual(['a']);
    expect(set.servers()[1]).toMatchObject({
      key: 'plain',
      state: 'failed',
      error: { name: 'TimeoutError' },
    });
    await Promise.all([set.close(), client.close(), one.close()]);
  });

  it('that a function does not give as clients are failed, with what was given', async () => {
    const set = toolset({ odd: (() => ({ tools: 3 })) as never });
    await expect(set.tools()).rejects.toThrow(/servers\["odd"\] connects must be a client/);
    const thrower = toolset({
      odd: () => {
        throw new Error('at once');
      },
    });
    await expect(thrower.tools()).rejects.toThrow('at once');
  });

  it('are named by what they call themselves, with a number where two are alike', async () => {
    const clients = await Promise.all([
      clientOf('My server / v2', ['a']),
      clientOf('same', ['b']),
      clientOf('same', ['c']),
    ]);
    const set = toolset(clients);
    expect(set.servers().map(({ key }) => key)).toEqual(['My_server_v2', 'same', 'same-2']);
    await Promise.all(clients.map(client => client.close()));
  });

  it.each([
    [{ '': refused }, /key "" of a server/],
    [{ 'a/b': refused }, /key "a\/b" of a server/],
    [{ a: 3 }, /servers\["a"\] must be a client/],
  ])('are refused when %o', (servers, message) => {
    expect(() => toolset(servers as never)).toThrow(message);
  });
});
