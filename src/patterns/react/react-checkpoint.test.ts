import { describe, expect, it } from 'vitest';
import { ModelError } from '../../models/model-error.ts';
import { scripted } from '../../testing/scripted.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { Budget } from '../budget/budget.ts';
import type { TraceEvent } from '../contract/trace.ts';
import { observations } from '../fixtures/approval.ts';
import { failureOf } from '../fixtures/pattern-failure.ts';
import { byRound, callsOf, crashAt, noting, type ReactCheckpoint, round } from '../fixtures/react-runs.ts';
import { reactLoop } from '../react.ts';

/** Every checkpoint of a whole run, as it would be read back. */
async function checkpointsOf(
  model: ReturnType<typeof byRound>,
  tools: readonly AnyTool[],
): Promise<ReactCheckpoint[]> {
  const texts: string[] = [];
  await reactLoop(model, 'go', { tools, onCheckpoint: made => texts.push(JSON.stringify(made)) });
  return texts.map(text => JSON.parse(text) as ReactCheckpoint);
}

describe('the checkpoints of reactLoop', () => {
  it('are made after an answer, when a tool is about to run, after each call, and at the end', async () => {
    const ran: string[] = [];
    const made = await checkpointsOf(byRound([round(1, 'write', 'write')]), [noting('write', ran)]);
    expect(made.map(callsOf)).toEqual([
      ['open', 'open'],
      ['started', 'open'],
      ['started', 'started'],
      ['done', 'started'],
      ['done', 'done'],
      [],
    ]);
    expect(made.map(({ cost }) => cost.calls)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(made.at(-1)?.state.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'the end' });
  });

  it('give the rest of the run: no finished call is run again, and no answer is asked for again', async () => {
    const rounds = [round(1, 'write', 'write'), round(2, 'write')];
    const ran: string[] = [];
    const tools = [noting('write', ran)];
    const whole = await reactLoop(byRound(rounds), 'go', { tools });
    ran.length = 0;
    const model = byRound(rounds);
    // One tool at a time: after the first of two calls.
    const resume = await crashAt(2, model, { tools, concurrency: 1 });
    expect(resume && callsOf(resume)).toEqual(['done', 'open']);
    expect(ran).toEqual(['write-1-1']);
    const resumed = await reactLoop(model, 'go', { tools, concurrency: 1, resume });
    expect(resumed).toEqual(whole);
    expect(ran).toEqual(['write-1-1', 'write-1-2', 'write-2-1']);
    expect(model.requests).toHaveLength(3);
  });

  it('after the last answer ask for nothing', async () => {
    const tools = [noting('write', [])];
    const model = byRound([round(1, 'write')]);
    const whole = await reactLoop(model, 'go', { tools });
    const resume = (await checkpointsOf(byRound([round(1, 'write')]), tools)).at(-1);
    const silent = scripted([]);
    expect(await reactLoop(silent, 'go', { tools, resume })).toEqual(whole);
    expect(silent.requests).toEqual([]);
  });

  it('keep what was counted in the middle of a round', async () => {
    const tools = [noting('write', [], { work: () => 'x'.repeat(50) })];
    const rounds = [round(1, 'write', 'nothing', 'write')];
    const options = { tools, concurrency: 1, maxObservation: 20 };
    const whole = await reactLoop(byRound(rounds), 'go', options);
    expect(whole.evidence).toMatchObject({ toolCalls: 2, rejectedToolCalls: 1, truncatedObservations: 3 });
    for (const number of [0, 2, 3, 5]) {
      const model = byRound(rounds);
      const resume = await crashAt(number, model, options);
      expect(await reactLoop(model, 'go', { ...options, resume })).toEqual(whole);
    }
  });

  it('let it go on with more rounds than it had', async () => {
    const made: ReactCheckpoint[] = [];
    const tools = [noting('write', [])];
    const model = byRound([round(1, 'write'), round(2, 'write')]);
    const options = { tools, onCheckpoint: (checkpoint: ReactCheckpoint) => void made.push(checkpoint) };
    const error = await failureOf(reactLoop(model, 'go', { ...options, maxRounds: 2 }));
    expect(error.kind).toBe('rounds-exhausted');
    const result = await reactLoop(model, 'go', { tools, maxRounds: 3, resume: made.at(-1) });
    expect(result).toMatchObject({ value: 'the end', cost: { calls: 3 }, evidence: { rounds: 3 } });
  });

  it('remember what was noted: a temperature that was refused is not tried again', async () => {
    const refusal = new ModelError('temperature is not supported', {
      kind: 'invalid-request',
      provider: 'p',
    });
    const rounds = byRound([round(1, 'write')]);
    const model = scripted([refusal, () => round(1, 'write')]);
    const tools = [noting('write', [])];
    const resume = await crashAt(0, model, { tools });
    const result = await reactLoop(rounds, 'go', { tools, resume });
    expect(rounds.requests.map(({ temperature }) => temperature)).toEqual([undefined]);
    expect(result.evidence.notes).toEqual([
      'the model refuses a temperature; its default is used instead of 0.3',
    ]);
    expect(result.cost.calls).toBe(3);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])(
    'that a keeper %s at do not end the run, which tells of each and how many they were',
    async (_how, fail) => {
      const events: TraceEvent[] = [];
      let made = 0;
      const onCheckpoint = (): unknown => {
        made += 1;
        // The first is kept.
        return made === 1 ? undefined : fail();
      };
      const tools = [noting('write', [])];
      const options = { tools, onCheckpoint, onTrace: (event: TraceEvent) => void events.push(event) };
      const { value, evidence } = await reactLoop(
        byRound([round(1, 'write'), round(2, 'write')]),
        'go',
        options,
      );
      expect(value).toBe('the end');
      const lost = events.filter(({ type }) => type === 'checkpoint-failed');
      expect(lost[0]).toEqual({ type: 'checkpoint-failed', error: 'Error' });
      expect(evidence.notes).toEqual([
        expect.stringMatching(/^\d of \d checkpoints were not kept, the last of them because: disk full$/),
      ]);
      expect(lost.length).toBeGreaterThanOrEqual(made - 2);
    },
  );
});

describe('a tool that was being run when everything stopped', () => {
  const interrupted = async (
    annotations: NonNullable<Parameters<typeof noting>[2]>['annotations'] & object,
  ): Promise<{ readonly ran: string[]; readonly seen: unknown[] }> => {
    const ran: string[] = [];
    const stuck = noting('write', ran, { annotations, work: () => new Promise(() => undefined) });
    const model = byRound([round(1, 'write')]);
    // Made right before the tool runs, so the crash is put off until it does.
    const made: ReactCheckpoint[] = [];
    const controller = new AbortController();
    const first = reactLoop(model, 'go', {
      tools: [stuck],
      signal: controller.signal,
      onCheckpoint: checkpoint => {
        made.push(checkpoint);
        if (made.length === 2) queueMicrotask(() => queueMicrotask(() => controller.abort('crash')));
      },
    });
    await failureOf(first);
    const tools = [noting('write', ran, { annotations })];
    const { evidence } = await reactLoop(model, 'go', { tools, resume: made[1] });
    expect(model.requests).toHaveLength(2);
    return { ran, seen: observations(evidence.messages) };
  };

  it('is not run again: the model is told that its outcome is not known', async () => {
    const { ran, seen } = await interrupted({});
    expect(ran).toEqual(['write-1-1']);
    expect(seen).toEqual([expect.stringContaining('whether it did its work is not known')]);
  });

  it.each([{ readOnlyHint: true }, { idempotentHint: true }])('is run again when it says %j', async hints => {
    const { ran, seen } = await interrupted(hints);
    expect(ran).toEqual(['write-1-1', 'write-1-1']);
    expect(seen).toEqual(['done']);
  });

  it('has not begun while somebody is asked about it, who is then asked again', async () => {
    const ran: string[] = [];
    const asked: string[] = [];
    const tools = [noting('write', ran), noting('read', ran)];
    const model = byRound([round(1, 'write', 'read', 'write')]);
    const made: ReactCheckpoint[] = [];
    const controller = new AbortController();
    const approve =
      (answers: Readonly<Record<string, boolean>>) =>
      ({ callId = '' }: { readonly callId?: string | undefined }): boolean | Promise<boolean> => {
        asked.push(callId);
        const answer = answers[callId];
        if (answer !== undefined) return answer;
        controller.abort('crash');
        return new Promise(() => undefined);
      };
    const before = { ask: approve({ 'write-1-1': false }), tools: ['write'] };
    await failureOf(
      reactLoop(model, 'go', {
        tools,
        concurrency: 1,
        approve: before,
        signal: controller.signal,
        onCheckpoint: checkpoint => void made.push(checkpoint),
      }),
    );
    expect(asked).toEqual(['write-1-1', 'write-1-3']);
    const resume = JSON.parse(JSON.stringify(made.at(-1))) as ReactCheckpoint;
    expect(callsOf(resume)).toEqual(['done', 'done', 'open']);
    const after = { ask: approve({ 'write-1-3': true }), tools: ['write'] };
    const { evidence } = await reactLoop(model, 'go', { tools, approve: after, resume });
    expect(asked).toEqual(['write-1-1', 'write-1-3', 'write-1-3']);
    expect(ran).toEqual(['read-1-2', 'write-1-3']);
    expect(evidence.deniedToolCalls).toBe(1);
  });
});

it('reactLoop goes on when a schema is the same in another order', async () => {
  const write = (names: readonly string[]): AnyTool => {
    const properties = Object.fromEntries(names.map(name => [name, { type: 'string' }]));
    return { ...noting('write', []), input: { type: 'object', properties } } as AnyTool;
  };
  const [resume] = await checkpointsOf(byRound([round(1, 'write')]), [write(['a', 'b'])]);
  const result = await reactLoop(byRound([]), 'go', { tools: [write(['b', 'a'])], resume });
  expect(result.value).toBe('the end');
});

describe('reactLoop refuses a checkpoint', () => {
  const tools = [noting('write', [])];
  const usual = async (): Promise<ReactCheckpoint> => {
    const [made] = await checkpointsOf(byRound([round(1, 'write')]), tools);
    if (made === undefined) throw new Error('none was made');
    return made;
  };
  const other = noting('write', [], {});
  const changed = {
    ...other,
    input: { type: 'object', properties: { path: { type: 'string' } } },
  } as AnyTool;

  it.each<[string, string, readonly AnyTool[], string]>([
    ['of another prompt', 'stop', tools, 'another task: prompt is not what it was made with'],
    ['of a tool that is gone', 'go', [], 'another task: tool "write" is not'],
    ['of a tool that has changed', 'go', [changed], 'another task: tool "write" is not'],
    ['of fewer tools', 'go', [...tools, noting('read', [])], 'another task: tool "read" is not'],
  ])('%s', async (_what, prompt, given, message) => {
    const model = scripted([]);
    const run = reactLoop(model, prompt, { tools: given, resume: await usual() });
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toBeInstanceOf(TypeError);
    expect(model.requests).toEqual([]);
  });

  it.each<[string, (made: ReactCheckpoint) => unknown, RegExp]>([
    ['that is none', () => 7, /must be a checkpoint of reactLoop, got something else/],
    ['of another pattern', made => ({ ...made, pattern: 'refine' }), /got one of "refine"/],
    ['of another version', made => ({ ...made, version: 2 }), /version 2; this one reads version 1/],
    ['without its cost', ({ cost: _, ...made }) => made, /damaged/],
    ['without its runs', ({ runs: _, ...made }) => made, /damaged/],
    ['with a run that is none', made => ({ ...made, runs: [{ id: 'a', ms: 0, booked: [] }] }), /damaged/],
    ['without its state', made => ({ ...made, state: {} }), /damaged/],
    [
      'that lost a call',
      made => ({ ...made, state: { ...made.state, calls: [] } }),
      /damaged; give what onCheckpoint was given, whole/,
    ],
    ['that lost a message', made => ({ ...made, state: { ...made.state, messages: [] } }), /damaged/],
    ['that is older', ({ task: _, ...made }) => made, /damaged/],
  ])('%s', async (_what, change, message) => {
    const model = scripted([]);
    const budget = new Budget({ calls: 5 });
    const resume = change(await usual()) as ReactCheckpoint;
    const run = reactLoop(model, 'go', { tools, budget, resume });
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toBeInstanceOf(TypeError);
    expect([model.requests.length, budget.spent.calls]).toEqual([0, 0]);
  });
});
