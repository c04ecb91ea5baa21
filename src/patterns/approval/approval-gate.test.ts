import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent } from '../../agent/agent.ts';
import { isRunError } from '../../agent/errors.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { isTimeoutError } from '../../basics/timeout-error.ts';
import { scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import { tool } from '../../tools/tool.ts';
import { isToolError } from '../../tools/tool-error.ts';
import type { TraceEvent } from '../contract/trace.ts';
import { call, calls, context, desk, observations, recorder, rejectionOf } from '../fixtures/approval.ts';
import { withApproval } from './with-approval.ts';

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', onUnhandled));
afterEach(async () => {
  // Node tells of unhandled rejections after the microtasks of a macrotask.
  await new Promise(resolve => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled.splice(0)).toEqual([]);
});

describe('the time for an approval', () => {
  const impatient = async (onTimeout: 'deny' | 'raise' | 'approve' | undefined) => {
    const clock = manualClock();
    const { tool: plain, runs } = recorder('save');
    const { ask, asked, answers } = desk();
    const guarded = withApproval(plain, { ask, timeout: 50, onTimeout }, { clock });
    const run = guarded.run({ path: 'p' }, context()) as Promise<unknown>;
    const settled = run.catch((error: unknown) => error);
    clock.advance(49);
    expect(asked[0]?.signal.aborted).toBe(false);
    clock.advance(1);
    const outcome = await settled;
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
    return { outcome, runs, answers };
  };

  it.each([undefined, 'deny'] as const)(
    'is followed by a refusal (%s), and a late yes is too late',
    async on => {
      const { outcome, runs, answers } = await impatient(on);
      expect(isToolError(outcome) && outcome.message).toBe(
        'Tool "save" was not run: nobody approved it within 50 ms',
      );
      answers[0]?.resolve(true);
      await new Promise(resolve => setImmediate(resolve));
      expect(runs).toEqual([]);
    },
  );

  it('is followed by an error that no model can mend when it is to raise', async () => {
    const { outcome, runs, answers } = await impatient('raise');
    expect(outcome).toMatchObject({ name: 'TimeoutError', phase: 'approval of tool save', ms: 50 });
    answers[0]?.reject(new Error('late'));
    expect(runs).toEqual([]);
  });

  it('is followed by the run of the tool when it is to approve', async () => {
    const { outcome, runs } = await impatient('approve');
    expect(outcome).toBe('done');
    expect(runs).toHaveLength(1);
  });

  it('that raises ends the run of an agent', async () => {
    const clock = manualClock();
    const { ask, untilAsked } = desk();
    const tools = withApproval([recorder('save').tool], { ask, timeout: 50, onTimeout: 'raise' }, { clock });
    const run = rejectionOf(
      new Agent({ model: scripted([calls(call('save', { path: 'p' }))]), tools }).run('p'),
    );
    await untilAsked(1);
    clock.advance(50);
    const error = await run;
    expect(isRunError(error) && error.stage).toBe('tool');
    expect(isTimeoutError((error as Error).cause)).toBe(true);
  });

  it.each<[string, { timeout?: number }, { toolTimeout?: number }]>([
    ['of the tool', { timeout: 100 }, {}],
    ['for all tools', {}, { toolTimeout: 100 }],
  ])(
    "does not count as the tool's own time: the limit %s starts after it, in an agent with a limit",
    async (_whose, own, options) => {
      const clock = manualClock();
      const { ask, answers, untilAsked } = desk();
      let entered = (): void => {};
      const running = new Promise<void>(resolve => {
        entered = resolve;
      });
      const signals: AbortSignal[] = [];
      const slow = tool({
        name: 'slow',
        description: '',
        ...own,
        run: (_args, ctx) => {
          signals.push(ctx.signal);
          entered();
          return new Promise<string>(() => undefined);
        },
      });
      const model = scripted([calls(call('slow')), 'ok']);
      const tools = withApproval([slow], ask, { clock, ...options });
      const run = new Agent({ model, tools, toolTimeout: 10, onToolFailure: 'observe', clock }).run('p');
      await untilAsked(1);
      clock.advance(1_000_000);
      answers[0]?.resolve(true);
      await running;
      clock.advance(99);
      expect(signals[0]?.aborted).toBe(false);
      clock.advance(1);
      const { messages } = await run;
      expect(observations(messages)[0]).toContain('tool "slow" did not finish within 100 ms');
      expect(signals[0]?.aborted).toBe(true);
      expect(clock.pending).toBe(0);
    },
  );

  it('leaves a tool with a limit its whole context', async () => {
    const seen: unknown[] = [];
    const chatty = tool({
      name: 'chatty',
      description: '',
      timeout: 100,
      async run(_args, { progress, log, once, deps, closeStream }: ToolContext<{ readonly n: number }>) {
        progress(1, { total: 2 });
        log('info', 'x');
        closeStream();
        return String(await once('n', () => deps.n));
      },
    });
    const model = scripted([calls(call('chatty')), 'ok']);
    const agent = new Agent<{ readonly n: number }>({ model, tools: [withApproval(chatty, () => true)] });
    const { messages } = await agent.run('p', { deps: { n: 7 }, onEvent: event => seen.push(event.type) });
    expect(observations(messages)).toEqual(['7']);
    expect(seen).toEqual(expect.arrayContaining(['tool-progress', 'tool-log']));
  });
});

describe('cancelling while the gate waits', () => {
  it.each(['yes', 'an error'])('rejects at once; the late decision (%s) changes nothing', async late => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const clock = manualClock();
    const { tool: plain, runs } = recorder('save');
    const { ask, asked, answers } = desk();
    const events: TraceEvent[] = [];
    const guarded = withApproval(
      plain,
      { ask, timeout: 50 },
      { clock, onTrace: event => events.push(event) },
    );
    const run = rejectionOf(guarded.run({ path: 'p' }, context(controller.signal)) as Promise<unknown>);
    controller.abort(reason);
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(await run).toBe(reason);
    if (late === 'yes') answers[0]?.resolve(true);
    else answers[0]?.reject(new Error('late'));
    await new Promise(resolve => setImmediate(resolve));
    expect(runs).toEqual([]);
    expect(clock.pending).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: 'approval-decided', outcome: 'cancelled' });
  });

  it('wins over a yes of the same moment', async () => {
    const controller = new AbortController();
    const { tool: plain, runs } = recorder('save');
    const guarded = withApproval(plain, () => {
      controller.abort(new Error('enough'));
      return true;
    });
    await rejectionOf(guarded.run({ path: 'p' }, context(controller.signal)) as Promise<unknown>);
    expect(runs).toEqual([]);
  });

  it('never starts a tool after it, however close the yes was', async () => {
    for (let gap = 0; gap < 12; gap += 1) {
      const controller = new AbortController();
      const { tool: plain, runs } = recorder('save');
      const { ask, answers } = desk();
      const guarded = withApproval(plain, ask);
      const run = guarded.run({ path: 'p' }, context(controller.signal)) as Promise<unknown>;
      const settled = run.catch((error: unknown) => error);
      answers[0]?.resolve(true);
      for (let step = 0; step < gap; step += 1) await Promise.resolve();
      const before = runs.length;
      controller.abort(new Error('enough'));
      await settled;
      expect(runs).toHaveLength(before);
    }
  });

  it('is not asked about any more when it was cancelled before', async () => {
    const { ask, asked } = desk();
    const guarded = withApproval(recorder('save').tool, ask);
    const reason = new Error('enough');
    const run = guarded.run({ path: 'p' }, context(AbortSignal.abort(reason))) as Promise<unknown>;
    expect(await rejectionOf(run)).toBe(reason);
    expect(asked).toEqual([]);
  });
});

describe('several calls of one turn', () => {
  const three = [1, 2, 3].map(at => call('save', { path: String(at) }));
  it('are asked about side by side', async () => {
    const { tool: plain } = recorder('save');
    const { ask, asked, answers, untilAsked } = desk();
    const model = scripted([calls(...three), 'ok']);
    const run = new Agent({ model, tools: withApproval([plain], ask) }).run('p');
    await untilAsked(3);
    expect(asked.map(request => request.arguments)).toEqual([{ path: '1' }, { path: '2' }, { path: '3' }]);
    for (const answer of answers.reverse()) answer.resolve(true);
    expect(observations((await run).messages)).toEqual(['done', 'done', 'done']);
  });

  it('are asked about one after the other when told so, a failure and a timeout between them', async () => {
    const clock = manualClock();
    const { tool: plain, runs } = recorder('save');
    const { ask, asked, answers, untilAsked } = desk();
    const model = scripted([calls(...three), 'ok']);
    const tools = withApproval([plain], { ask, sequential: true, timeout: 50 }, { clock });
    const run = new Agent({ model, tools }).run('p');
    await untilAsked(1);
    clock.advance(49);
    expect(asked).toHaveLength(1);
    answers[0]?.reject(new Error('broken'));
    await untilAsked(2);
    expect(asked).toHaveLength(2);
    clock.advance(49);
    expect(asked[1]?.signal.aborted).toBe(false);
    clock.advance(1);
    await untilAsked(3);
    answers[2]?.resolve(true);
    expect(observations((await run).messages)).toEqual([
      'Tool "save" was not run: it could not be approved',
      'Tool "save" was not run: nobody approved it within 50 ms',
      'done',
    ]);
    expect(runs).toEqual([{ path: '3' }]);
    expect(clock.pending).toBe(0);
  });

  it('leave the queue when cancelled, without letting the next pass the one before', async () => {
    const { tool: plain } = recorder('save');
    const { ask, asked, answers, untilAsked } = desk();
    const guarded = withApproval(plain, { ask, sequential: true });
    const controller = new AbortController();
    const go = (path: string, signal?: AbortSignal): Promise<unknown> =>
      guarded.run({ path }, context(signal)) as Promise<unknown>;
    const first = go('1');
    const second = rejectionOf(go('2', controller.signal));
    const third = go('3');
    await untilAsked(1);
    controller.abort(new Error('enough'));
    expect(await second).toBe(controller.signal.reason);
    await new Promise(resolve => setImmediate(resolve));
    expect(asked).toHaveLength(1);
    answers[0]?.resolve(true);
    await first;
    await untilAsked(2);
    expect(asked[1]?.arguments).toEqual({ path: '3' });
    answers[1]?.resolve(true);
    await third;
  });
});
