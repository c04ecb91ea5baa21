import { describe, expect, it } from 'vitest';
import { type ManualClock, manualClock } from '../basics/manual-clock.ts';
import { TimeoutError } from '../basics/timeout-error.ts';
import type { ModelMessage } from '../models/model.ts';
import { type ScriptedCall, type ScriptedModel, scripted } from '../testing/scripted.ts';
import { image, text } from '../tools/content.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { Agent } from './agent.ts';
import type { AgentOptions } from './agent-options.ts';
import type { RunError } from './errors.ts';

/** One turn of calls, then an answer. */
function turn(...calls: ScriptedCall[]): ScriptedModel {
  return scripted([{ toolCalls: calls }, 'done']);
}

/** Turns of one call each, then an answer. */
function turns(count: number, call: ScriptedCall): ScriptedModel {
  return scripted([...Array.from({ length: count }, () => ({ toolCalls: [call] })), 'done']);
}

async function run(
  model: ScriptedModel,
  tools: readonly AnyTool[],
  options: Partial<AgentOptions<unknown, undefined>> = {},
): Promise<{ results: readonly unknown[]; counts: unknown }> {
  const { messages, counts } = await new Agent({ model, tools, ...options }).run('go');
  return { results: contents(messages), counts };
}

async function failure(
  model: ScriptedModel,
  tools: readonly AnyTool[],
  options: Partial<AgentOptions<unknown, undefined>> = {},
): Promise<RunError> {
  return new Agent({ model, tools, ...options }).run('go').then(
    () => expect.fail('the run succeeded'),
    (error: RunError) => error,
  );
}

function contents(messages: readonly ModelMessage[]): readonly unknown[] {
  return messages.flatMap(message => (message.role === 'tool' ? [message.content] : []));
}

const number = tool({
  name: 'number',
  description: '',
  input: {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  },
  run: ({ n }) => String(n),
});

function failing(error: unknown, options: { retries?: number; sequential?: boolean } = {}): AnyTool {
  return tool({
    name: 'failing',
    description: '',
    ...options,
    run: () => {
      throw error;
    },
  });
}

describe('what the model can mend goes back to it', () => {
  it.each([
    [
      'arguments that are not JSON',
      '{"n": ',
      /^Tool "number" was not run: the arguments are not valid JSON \(/,
    ],
    ['arguments that are no object', '[1]', /must be one JSON object, not a list/],
    ['arguments that do not fit', { n: 'x' }, /do not fit its schema: .*n/],
    ['arguments that are missing', '', /do not fit its schema: .*n/],
  ])('%s', async (_, args, message) => {
    const { results, counts } = await run(turn({ name: 'number', arguments: args }), [number]);
    expect(results).toEqual([expect.stringMatching(message)]);
    expect(counts).toMatchObject({ toolCalls: 1, rejectedCalls: 1 });
  });
  it('an unknown tool, with the names there are, while its siblings run', async () => {
    const { results, counts } = await run(turn({ name: 'nubmer' }, { name: 'number', arguments: { n: 4 } }), [
      number,
    ]);
    expect(results).toEqual(['There is no tool named "nubmer"; use one of: number', '4']);
    expect(counts).toMatchObject({ toolCalls: 1, rejectedCalls: 1 });
  });
  it('an unknown tool where there are none', async () => {
    const { results } = await run(turn({ name: 'x' }), []);
    expect(results[0]).toContain('there are no tools');
  });
  it('a ToolError, as its message', async () => {
    const { results } = await run(turn({ name: 'failing' }), [failing(new ToolError('no such file: a.txt'))]);
    expect(results).toEqual(['no such file: a.txt']);
  });
  it('a result that reports a failure, blocks and all', async () => {
    const picture = image('AA==', 'image/png');
    const shown = tool({
      name: 'shown',
      description: '',
      run: () => ({ content: [text('see'), picture], isError: true }),
    });
    const { results } = await run(turn({ name: 'shown' }), [shown]);
    expect(results).toEqual([[text('see'), picture]]);
  });
  it('with blank arguments taken as none for a tool that needs none', async () => {
    const plain = tool({ name: 'plain', description: '', run: () => 'x' });
    expect((await run(turn({ name: 'plain', arguments: ' ' }), [plain])).results).toEqual(['x']);
  });
});

describe('the budget of a tool', () => {
  it('is two failures in a row; the third ends the run with its cause', async () => {
    const cause = new ToolError('again');
    const call = { name: 'failing' };
    expect((await run(turns(2, call), [failing(cause)])).results).toEqual(['again', 'again']);
    const error = await failure(turns(3, call), [failing(cause)]);
    expect(error).toMatchObject({ stage: 'tool', tool: 'failing', callId: 'call_3', attempts: 3 });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('tool "failing" failed after 3 attempts: again');
    expect(contents(error.messages)).toEqual(['again', 'again', 'again']);
  });
  it('of 0 forbids any, and says nothing of attempts then', async () => {
    const error = await failure(turns(1, { name: 'failing' }), [
      failing(new ToolError('no'), { retries: 0 }),
    ]);
    expect(error.message).toBe('tool "failing" failed: no');
  });
  it('set by the tool goes before that of the agent', async () => {
    const tools = [failing(new ToolError('no'), { retries: 4 })];
    expect((await run(turns(4, { name: 'failing' }), tools, { toolRetries: 0 })).results).toHaveLength(4);
  });
  it('holds for unknown names and unusable arguments too', async () => {
    expect(await failure(turns(3, { name: 'x' }), [])).toMatchObject({
      stage: 'tool',
      tool: 'x',
      attempts: 3,
    });
    const unusable = turns(3, { name: 'number', arguments: '{' });
    expect(await failure(unusable, [number])).toMatchObject({ stage: 'tool', tool: 'number', attempts: 3 });
  });
  it('is counted by name and turn: failures side by side are one, and success starts anew', async () => {
    let calls = 0;
    const flaky = tool({
      name: 'flaky',
      description: '',
      retries: 1,
      run: () => {
        calls += 1;
        if (calls % 4 !== 0) throw new ToolError(`failure ${calls}`);
        return 'worked';
      },
    });
    const call = { name: 'flaky' };
    const model = scripted([
      { toolCalls: [call, call, call] },
      { toolCalls: [call] },
      { toolCalls: [call, call, call] },
      { toolCalls: [call] },
      'done',
    ]);
    expect((await run(model, [flaky])).results.filter(result => result === 'worked')).toHaveLength(2);
  });
  it('starts anew with each run', async () => {
    const model = scripted(
      [{ toolCalls: [{ name: 'failing' }] }, { toolCalls: [{ name: 'failing' }] }, 'done'],
      {
        cycle: true,
      },
    );
    const agent = new Agent({ model, tools: [failing(new ToolError('no'))] });
    await agent.run('a');
    expect((await agent.run('b')).output).toBe('done');
  });
});

describe('what the model cannot mend ends the run', () => {
  it('a plain throw, whatever the budget', async () => {
    const cause = new Error('the disk is full');
    const error = await failure(turns(1, { name: 'failing' }), [failing(cause, { retries: 9 })]);
    expect(error).toMatchObject({ stage: 'tool', tool: 'failing', callId: 'call_1' });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('tool "failing" failed: the disk is full');
  });
  it('an error that merely has a ToolError as its cause', async () => {
    const cause = new Error('a run inside failed', { cause: new ToolError('mendable there') });
    expect((await failure(turns(1, { name: 'failing' }), [failing(cause)])).cause).toBe(cause);
  });
  it('data that does not fit the declared output', async () => {
    const wrong = tool({
      name: 'wrong',
      description: '',
      output: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      run: () => ({ n: 'x' }) as never,
    });
    const error = await failure(turns(1, { name: 'wrong' }), [wrong]);
    expect(error.message).toMatch(/returned data that does not fit its output schema: .*n/);
  });
  it('data that JSON cannot carry', async () => {
    const odd = tool({ name: 'odd', description: '', run: () => ({ n: 1n }) });
    expect((await failure(turns(1, { name: 'odd' }), [odd])).message).toMatch(/cannot be written as JSON/);
  });
  it('but siblings that run are waited for, their results kept, and nothing more is started', async () => {
    const started: string[] = [];
    const slow = tool({
      name: 'slow',
      description: '',
      run: async () => {
        started.push('slow');
        await new Promise(resolve => setImmediate(resolve));
        return 'slow result';
      },
    });
    const later = tool({
      name: 'later',
      description: '',
      sequential: true,
      run: () => void started.push('later'),
    });
    const model = turn({ name: 'failing' }, { name: 'slow' }, { name: 'later' });
    const error = await failure(model, [failing(new Error('no')), slow, later]);
    expect(started).toEqual(['slow']);
    expect(contents(error.messages)).toEqual([
      'Tool "failing" failed: no',
      'slow result',
      'Not run: another call of this turn failed.',
    ]);
    expect(error.callId).toBe('call_1');
  });
  it('and secrets in its message do not reach the transcript', async () => {
    const error = await failure(turns(1, { name: 'failing' }), [
      failing(new Error('denied for key sk-abcdefgh12345678')),
    ]);
    expect(contents(error.messages)).toEqual(['Tool "failing" failed: denied for key ***']);
  });
});

describe('the policy "observe"', () => {
  it('makes every failure something the model reads, however often', async () => {
    const model = turns(5, { name: 'failing' });
    const { results } = await run(model, [failing(new Error('broken\nwith details'))], {
      onToolFailure: 'observe',
    });
    expect(results).toEqual(Array(5).fill('Tool "failing" failed: broken'));
    const unknown = await run(turns(5, { name: 'x' }), [], { onToolFailure: 'observe' });
    expect(unknown.results).toHaveLength(5);
  });
});

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
