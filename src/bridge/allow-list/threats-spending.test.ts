import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { call, closeServed, counted, files, react, said, say, serve, serverOf } from './fixtures/served.ts';

afterEach(closeServed);

describe('a caller, or a model, that would spend without end', () => {
  it('is stopped by the budget of one call', async () => {
    const model = scripted([call('read_file')], { cycle: true });
    const config = files({ allow: ['read_file'] }, { budgets: { call: { calls: 3 } } });
    const setup = await serve(config, { files: serverOf(counted('read_file')) }, model);
    const result = await react(setup, { max_rounds: 8 });
    expect(model.requests).toHaveLength(3);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { kind: 'budget', cost: { calls: 3 } },
    });
  });

  it('is stopped by the budget of one call also when it goes on after approvals', async () => {
    const model = scripted([call('read_file')], { cycle: true });
    const config = files({ allow: ['read_file'], approval: 'ask' }, { budgets: { call: { calls: 3 } } });
    const setup = await serve(config, { files: serverOf(counted('read_file')) }, model);
    const caller = await setup.caller({
      onElicit: () => ({ action: 'accept', content: { approve: true } }),
    });
    const result = await caller.call('react_loop', { prompt: 'go', max_rounds: 8 });
    expect(model.requests).toHaveLength(3);
    expect(result.isError).toBe(true);
  });

  it('is stopped by the budget of the process, over all calls that run at once', async () => {
    const model = scripted([say('a')], { cycle: true });
    const config = { patterns: { consensus: true }, budgets: { process: { calls: 5 } } };
    const setup = await serve(config, {}, model);
    const caller = await setup.caller();
    const results = await Promise.all(
      Array.from({ length: 6 }, () => caller.call('consensus', { prompt: 'p', n: 3 })),
    );
    expect(model.requests.length).toBeLessThanOrEqual(5);
    expect(results.some(({ isError }) => isError)).toBe(true);
  });

  it('cannot ask for more than the schema allows that it sees', async () => {
    const model = scripted([say('a')], { cycle: true });
    const setup = await serve({ patterns: { consensus: { maxSamples: 2 } } }, {}, model);
    const result = await (await setup.caller()).call('consensus', { prompt: 'p', n: 3 });
    expect(result.isError).toBe(true);
    expect(model.requests).toEqual([]);
  });

  it('calls a tool no more often than its rule says, whoever uses it', async () => {
    const read = counted('read_file');
    const model = scripted([
      call('read_file'),
      call('read_file'),
      say('done'),
      call('read_file'),
      say('done'),
    ]);
    const access = { allow: ['read_file'], rules: { read_file: { maxCalls: 1 } } };
    const config = files(access, { agents: { helper: { description: 'Helps' } } });
    const setup = await serve(config, { files: serverOf(read) }, model);
    await react(setup);
    await (await setup.caller()).call('helper', { prompt: 'go' });
    expect(read.runs).toHaveLength(1);
    expect(said(model.requests.at(-1))).toContain('it may be called 1 times while this server runs');
  });
});
