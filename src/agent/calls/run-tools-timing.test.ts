import { describe, expect, it } from 'vitest';
import { failure, number, run, turn, turns } from '../../../test/fixtures/agent-runs.ts';
import { type ManualClock, manualClock } from '../../basics/manual-clock.ts';
import { TimeoutError } from '../../basics/timeout-error.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';

describe('timeouts', () => {
  function hanging(
    clock: ManualClock,
    timeout: number | undefined,
  ): { tool: AnyTool; signals: AbortSignal[] } {
    const signals: AbortSignal[] = [];
    const hang = tool({
      name: 'hang',
      description: '',
      ...(timeout === undefined ? {} : { timeout }),
      run: (_, ctx) => {
        signals.push(ctx.signal);
        // Nothing but the limit ends this; its own late failure must not be noticed.
        queueMicrotask(() => clock.advance(1000));
        return new Promise<string>((_, reject) =>
          ctx.signal.addEventListener('abort', () => reject(new Error('late'))),
        );
      },
    });
    return { tool: hang, signals };
  }
  it('end a tool that ignores its signal, and the run with a TimeoutError that is no cancellation', async () => {
    const clock = manualClock();
    const { tool: hang, signals } = hanging(clock, 1000);
    const error = await failure(turns(1, { name: 'hang' }), [hang], { clock });
    expect(error).toMatchObject({ name: 'RunError', stage: 'tool', tool: 'hang' });
    expect(error.cause).toBeInstanceOf(TimeoutError);
    expect(error.cause).toMatchObject({ limit: 'tool', ms: 1000 });
    expect(signals[0]?.reason).toBe(error.cause);
    expect(clock.pending).toBe(0);
  });
  it('of the agent hold where the tool sets none, and are observations under that policy', async () => {
    const clock = manualClock();
    const { tool: hang } = hanging(clock, undefined);
    const options = { clock, toolTimeout: 1000, onToolFailure: 'observe' } as const;
    const { results } = await run(turns(1, { name: 'hang' }), [hang], options);
    expect(results).toEqual(['Tool "hang" failed: tool "hang" did not finish within 1000 ms']);
  });
  it('leave no timer behind a tool that finishes', async () => {
    const clock = manualClock();
    await run(turn({ name: 'number', arguments: { n: 1 } }), [number], { clock, toolTimeout: 1000 });
    expect(clock.pending).toBe(0);
  });
});

describe('calls of one turn', () => {
  /** Tools that end when told, and a record of what began and ended. */
  function gates(names: readonly string[]): {
    tools: AnyTool[];
    log: string[];
    open: (name: string) => void;
  } {
    const log: string[] = [];
    const opened = new Map<string, () => void>();
    const tools = names.map(name =>
      tool({
        name,
        description: '',
        sequential: name.startsWith('alone'),
        run: async () => {
          log.push(`+${name}`);
          await new Promise<void>(resolve => opened.set(name, resolve));
          log.push(`-${name}`);
          return name;
        },
      }),
    );
    return { tools, log, open: name => opened.get(name)?.() };
  }
  const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

  it('run side by side, their results in the order of the model', async () => {
    const { tools, log, open } = gates(['a', 'b', 'c']);
    const running = run(turn({ name: 'a' }, { name: 'b' }, { name: 'c' }), tools);
    await settle();
    for (const name of ['c', 'b', 'a']) {
      open(name);
      await settle();
    }
    expect((await running).results).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['+a', '+b', '+c', '-c', '-b', '-a']);
  });
  it('stay within the number that may run at once, eight unless told otherwise', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `t${index}`);
    for (const [parallel, expected] of [
      [undefined, 8],
      [2, 2],
    ] as const) {
      const { tools, log, open } = gates(names);
      const options = parallel === undefined ? {} : { parallel };
      const running = run(turn(...names.map(name => ({ name }))), tools, options);
      await settle();
      expect(log).toHaveLength(expected);
      open('t0');
      await settle();
      expect(log.filter(entry => entry.startsWith('+'))).toHaveLength(expected + 1);
      for (const _ of names) {
        names.forEach(open);
        await settle();
      }
      expect((await running).results).toEqual(names);
    }
  });
  it('let a sequential tool run alone, as a barrier', async () => {
    const names = ['a', 'b', 'alone', 'c'];
    const { tools, log, open } = gates(names);
    const running = run(turn(...names.map(name => ({ name }))), tools);
    await settle();
    expect(log).toEqual(['+a', '+b']);
    open('a');
    await settle();
    expect(log).toEqual(['+a', '+b', '-a']);
    open('b');
    await settle();
    expect(log.slice(3)).toEqual(['-b', '+alone']);
    open('alone');
    await settle();
    expect(log.slice(5)).toEqual(['-alone', '+c']);
    open('c');
    expect((await running).results).toEqual(names);
  });
  it('beyond the most per turn are not run, and each gets its answer', async () => {
    const calls = [1, 2, 3].map(n => ({ name: 'number', arguments: { n } }));
    const { results, counts } = await run(turn(...calls), [number], { maxCallsPerTurn: 1, toolRetries: 0 });
    expect(results[0]).toBe('1');
    expect(results.slice(1)).toEqual(Array(2).fill(expect.stringMatching(/^Not run: 3 calls .* at most 1 /)));
    expect(counts).toMatchObject({ toolCalls: 1, rejectedCalls: 2 });
  });
  it('have their results cut to the permitted length', async () => {
    const long = tool({ name: 'long', description: '', run: () => 'x'.repeat(50) });
    const { results, counts } = await run(turn({ name: 'long' }), [long], { maxObservation: 10 });
    expect(results).toEqual(['xxx… [cut]']);
    expect(counts).toMatchObject({ truncatedObservations: 1 });
  });
});

describe('the context of a tool', () => {
  it('has no client to ask, and says so', async () => {
    const asked: string[] = [];
    const ask = tool({
      name: 'ask',
      description: '',
      run: async (_, { elicit, sample, roots, client, principal, closeStream }) => {
        closeStream();
        const tries = [
          elicit('who', { message: '?', requestedSchema: {} }),
          sample('what', { messages: [], maxTokens: 1 }),
          roots(),
        ];
        for (const attempt of tries) await attempt.catch((error: Error) => asked.push(error.message));
        return { client, principal: principal ?? null };
      },
    });
    const { results } = await run(turn({ name: 'ask' }), [ask]);
    expect(asked).toEqual(Array(3).fill(expect.stringContaining('has no client to ask')));
    expect(results).toEqual(['{"client":{"capabilities":{}},"principal":null}']);
  });
  it('runs an effect once for its name', async () => {
    let effects = 0;
    const once = tool({
      name: 'once',
      description: '',
      run: async (_, ctx) => {
        const [a, b] = await Promise.all([ctx.once('x', () => ++effects), ctx.once('x', () => ++effects)]);
        return `${a} ${b} ${await ctx.once('y', async () => ++effects)}`;
      },
    });
    expect((await run(turn({ name: 'once' }), [once])).results).toEqual(['1 1 2']);
  });
});
