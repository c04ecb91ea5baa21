import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { makeCallable } from './callable-tools.ts';
import { CallsError, isCallsError } from './calls-error.ts';
import { deferred } from './fixtures/deferred.ts';
import { runAll } from './run-all.ts';
import type { CallResult } from './run-call.ts';

const about = { name: 'test', family: 'openai', shows: () => true } as const;
const call = (name: string) => ({ id: `call_${name}`, name, input: {} });

it('gives the results in the order of the calls, whatever ends first', async () => {
  const { promise, resolve } = deferred<string>();
  const slow = tool({ name: 'slow', description: 'Waits.', run: () => promise });
  const quick = tool({ name: 'quick', description: 'Tells.', run: () => void resolve('slow') });
  const callable = await makeCallable([slow, quick], {}, about);
  const names = await runAll(callable, [call('slow'), call('quick')], {}, (_, { name }) => name);
  expect(names).toEqual(['slow', 'quick']);
});

/** Ends well; `pay` counts as done. */
function payment() {
  const paid: string[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    run: () => {
      paid.push('5');
      return 'paid 5';
    },
  });
  return { paid, pay };
}
const show = ({ content, isError }: CallResult, { id }: { id: string }) => ({ id, isError, content });
const thrown = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => expect.fail('the run succeeded'),
    (error: unknown) => error,
  );

describe('a call that fails for good', () => {
  const boom = tool({
    name: 'boom',
    description: 'Fails.',
    run: () => {
      throw new Error('db gone');
    },
  });

  it('fails the turn, with the answers to all calls', async () => {
    const { pay, paid } = payment();
    const callable = await makeCallable([pay, boom], {}, about);
    const error = await thrown(runAll(callable, [call('pay'), call('boom'), call('none')], {}, show));
    expect(error).toBeInstanceOf(CallsError);
    expect(isCallsError(error)).toBe(true);
    expect(error).toMatchObject({
      message: '1 of 3 calls failed: Tool "boom" failed: db gone',
      messages: [
        { id: 'call_pay', isError: false, content: [{ type: 'text', text: 'paid 5' }] },
        { id: 'call_boom', isError: true, content: [{ type: 'text', text: 'Tool "boom" failed: db gone' }] },
        { id: 'call_none', isError: true },
      ],
      failures: [{ id: 'call_boom', name: 'boom', error: { cause: { message: 'db gone' } } }],
    });
    expect((error as CallsError).cause).toBe((error as CallsError).failures[0]?.error);
    expect(paid).toEqual(['5']);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: 'CallsError', messages: [{}, {}, {}] });
  });

  it('is waited out with all others', async () => {
    const ended: string[] = [];
    const { promise, resolve } = deferred<void>();
    const fails = tool({
      name: 'fails',
      description: 'Fails.',
      run: () => {
        resolve();
        throw new Error('out of order');
      },
    });
    const other = tool({
      name: 'other',
      description: 'Ends later.',
      run: async () => {
        await promise;
        ended.push('other');
      },
    });
    const callable = await makeCallable([fails, other], {}, about);
    await expect(runAll(callable, [call('fails'), call('other')], {}, () => 0)).rejects.toThrow(
      'out of order',
    );
    expect(ended).toEqual(['other']);
  });
});

describe('an abort', () => {
  const waits = tool({ name: 'waits', description: 'Waits.', run: () => new Promise<string>(() => {}) });

  it('is thrown as it is when no call has a result', async () => {
    const callable = await makeCallable([waits], {}, about);
    const controller = new AbortController();
    const running = runAll(callable, [call('waits')], { signal: controller.signal }, () => 0);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await thrown(running)).toBe(reason);
    expect(await thrown(runAll(callable, [], { signal: controller.signal }, () => 0))).toBe(reason);
  });

  it('leaves the results there are', async () => {
    const controller = new AbortController();
    const { promise, resolve } = deferred<void>();
    const pay = tool({ name: 'pay', description: 'Pays.', run: () => void resolve() });
    const callable = await makeCallable([pay, waits], {}, about);
    const running = thrown(
      runAll(callable, [call('pay'), call('waits')], { signal: controller.signal }, show),
    );
    await promise;
    await new Promise(next => setImmediate(next));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await running).toMatchObject({
      name: 'CallsError',
      cause: reason,
      messages: [
        { id: 'call_pay', isError: false },
        { id: 'call_waits', isError: true, content: [{ text: expect.stringContaining('was aborted') }] },
      ],
    });
  });
});

it('a call that is refused is answered so, and nothing is run', async () => {
  const { pay, paid } = payment();
  const callable = await makeCallable([pay], {}, about);
  const refused = { ...call('pay'), refusal: 'not here' };
  expect(await runAll(callable, [refused], {}, show)).toEqual([
    { id: 'call_pay', isError: true, content: [{ type: 'text', text: 'not here' }] },
  ]);
  expect(paid).toEqual([]);
});
