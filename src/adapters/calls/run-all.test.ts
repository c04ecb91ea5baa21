import { expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { makeCallable } from './callable-tools.ts';
import { deferred } from './fixtures/deferred.ts';
import { runAll } from './run-all.ts';

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

it('waits for all calls before it fails with the first that cannot be mended', async () => {
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
  await expect(runAll(callable, [call('fails'), call('other')], {}, () => 0)).rejects.toThrow('out of order');
  expect(ended).toEqual(['other']);
});

it('fails with the reason of the signal', async () => {
  const waits = tool({ name: 'waits', description: 'Waits.', run: () => new Promise<string>(() => {}) });
  const callable = await makeCallable([waits], {}, about);
  const controller = new AbortController();
  const running = runAll(callable, [call('waits')], { signal: controller.signal }, () => 0);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});
