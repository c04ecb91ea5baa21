import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import type { Client } from '../../client/client.ts';
import { isConnectionError } from '../../rpc/connection-error.ts';
import { tool } from '../../tools/tool.ts';
import { clientOf, factory, namesOf, refused, runTool, textOf } from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';

/** A tool whose call waits until it is let go, and says when it has begun. */
function waitingTool() {
  let begun: () => void = () => {};
  const running = new Promise<void>(resolve => {
    begun = resolve;
  });
  const waiting = tool({
    name: 'wait',
    description: '',
    run: (_args, ctx) =>
      new Promise<string>((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
        begun();
      }),
  });
  return { waiting, running };
}

describe('connections of a toolset', () => {
  it('are reached by tools of before a reconnect', async () => {
    const { made, connect: make } = factory('one', ['a']);
    const set = toolset({ one: make });
    const tools = await set.tools();
    await made[0]?.close();
    expect(set.servers()).toMatchObject([{ state: 'failed' }]);
    const calls = await Promise.all([runTool(tools, 'a'), runTool(tools, 'a')]);
    expect(calls.map(textOf)).toEqual(['one:a', 'one:a']);
    expect(made).toHaveLength(2);
    expect(set.servers()).toMatchObject([{ state: 'ready', tools: 1 }]);
    expect(await set.tools()).toBe(tools);
    await set.close();
    await expect(made[1]?.tools().all()).rejects.toThrow(/closed/);
  });

  it('that do not come back refuse calls without being asked each time', async () => {
    let tries = 0;
    const first = await clientOf('one', ['a']);
    const set = toolset({
      one: () => {
        tries += 1;
        return tries === 1 ? Promise.resolve(first) : refused();
      },
    });
    const tools = await set.tools();
    await first.close();
    await expect(runTool(tools, 'a')).rejects.toThrow('no such host');
    await expect(runTool(tools, 'a')).rejects.toThrow(
      'server "one" cannot be reached and is tried again later: no such host',
    );
    expect(tries).toBe(2);
    await set.close();
  });

  it('that fail for several calls at once failed once, and rest no longer for it', async () => {
    const clock = manualClock();
    let tries = 0;
    const first = await clientOf('one', ['a']);
    const set = toolset(
      {
        one: () => {
          tries += 1;
          return tries === 1 ? first : refused();
        },
      },
      { clock },
    );
    const tools = await set.tools();
    await first.close();
    await Promise.allSettled([1, 2, 3, 4].map(() => runTool(tools, 'a')));
    expect(tries).toBe(2);
    clock.advance(1_000);
    await runTool(tools, 'a').catch(() => undefined);
    expect(tries).toBe(3);
    await set.close();
  });

  it('whose given client is closed keep no tools, and calls say how to reconnect', async () => {
    const one = await clientOf('one', ['a']);
    const two = await clientOf('two', ['b']);
    const set = toolset([one, two]);
    const tools = await set.tools();
    await one.close();
    expect(namesOf(await set.tools())).toEqual(['b']);
    expect(set.servers()).toMatchObject([{ state: 'closed', tools: 0 }, { state: 'ready' }]);
    const error = await runTool(tools, 'a').catch((thrown: unknown) => thrown);
    if (!isConnectionError(error)) throw error;
    expect(error.outcome).toBe('not-sent');
    expect(error.hint).toContain('toolset({ "one": () => connect(…) })');
    await set.close();
    await two.close();
  });

  it('close during a call: the error says that the toolset did it', async () => {
    const { waiting, running } = waitingTool();
    const { connect: make } = factory('one', [waiting]);
    const set = toolset({ one: make });
    const call = runTool(await set.tools(), 'wait').catch((error: unknown) => error);
    await running;
    await set.close();
    expect(await call).toMatchObject({
      name: 'ConnectionError',
      message: 'the toolset was closed while "wait" of server "one" ran',
      reason: 'toolset-closed',
    });
  });

  it('close during a call: the error says that the client was closed here', async () => {
    const { waiting, running } = waitingTool();
    const client = await clientOf('one', [waiting]);
    const set = toolset(client);
    const call = runTool(await set.tools(), 'wait').catch((error: unknown) => error);
    await running;
    await client.close();
    expect(await call).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(
        /^server "one": its client was closed in this process while "wait" ran: /,
      ),
      outcome: 'unknown',
    });
    await set.close();
  });

  it('end waiting lists when the toolset is closed or its caller leaves, and only then', async () => {
    let stop: unknown;
    const never = ({ signal }: { readonly signal: AbortSignal }): Promise<Client> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stop = signal.reason;
          reject(signal.reason);
        });
      });
    const set = toolset({ never });
    const controller = new AbortController();
    const first = set.tools({ signal: controller.signal }).catch((error: unknown) => error);
    const second = set.tools().catch((error: unknown) => error);
    controller.abort(new Error('enough'));
    expect(await first).toEqual(new Error('enough'));
    expect(stop).toBeUndefined();
    await set.close();
    expect(await second).toMatchObject({ message: 'the toolset is closed' });
    expect(stop).toBeDefined();
  });

  it('are idle again when the only one who waited has left', async () => {
    const { made, connect: make } = factory('one', ['a']);
    let isFirst = true;
    const set = toolset({
      one: ({ signal }) => {
        if (!isFirst) return make();
        isFirst = false;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    const controller = new AbortController();
    const left = set.tools({ signal: controller.signal }).catch((error: unknown) => error);
    controller.abort(new Error('gone'));
    await left;
    expect(namesOf(await set.tools())).toEqual(['a']);
    expect(made).toHaveLength(1);
    await set.close();
  });
});
