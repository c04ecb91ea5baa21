import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { Agent } from '../../agent/agent.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { connect } from '../../client/client.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import { isToolError } from '../../tools/tool-error.ts';
import type { TraceEvent } from '../contract/trace.ts';
import { call, calls, context, desk, observations, recorder, rejectionOf } from '../fixtures/approval.ts';
import type { Approval, ApprovalDecision } from './approval.ts';
import { withApproval } from './with-approval.ts';

describe('a tool with approval', () => {
  it('keeps its name, description and schemas', () => {
    const { tool: plain } = recorder('save');
    const guarded = withApproval(plain, () => true);
    const { run, timeout, ...rest } = guarded;
    expect(rest).toEqual({ name: plain.name, description: plain.description, input: plain.input });
    expect(run).not.toBe(plain.run);
  });

  it('runs in any agent when it is allowed, with the arguments the gate saw', async () => {
    const { tool: plain, runs } = recorder('save');
    const { ask, asked, answers, untilAsked } = desk();
    const model = scripted([calls(call('save', { path: '/a' })), 'ok']);
    const run = new Agent({ model, tools: withApproval([plain], ask) }).run('p');
    await untilAsked(1);
    expect(asked[0]).toMatchObject({ tool: 'save', arguments: { path: '/a' } });
    expect(runs).toEqual([]);
    answers[0]?.resolve({ allow: true });
    const { output, messages } = await run;
    expect(output).toBe('ok');
    expect(observations(messages)).toEqual(['done']);
    expect(runs).toEqual([{ path: '/a' }]);
  });

  it('is asked about only when its arguments fit', async () => {
    const { tool: plain } = recorder('save');
    const { ask, asked } = desk();
    const model = scripted([calls(call('save', { path: 7 })), 'ok']);
    const { messages } = await new Agent({ model, tools: [withApproval(plain, ask)] }).run('p');
    expect(observations(messages)[0]).toContain('path');
    expect(asked).toEqual([]);
  });

  it('that is denied is a failure the model can mend, with the reason of the operator', async () => {
    const { tool: plain, runs } = recorder('save');
    const model = scripted([calls(call('save', { path: '/etc' })), 'I will not.']);
    const ask = (): ApprovalDecision => ({ allow: false, reason: ' not below /etc\n' });
    const { output, messages } = await new Agent({ model, tools: [withApproval(plain, ask)] }).run('p');
    expect(output).toBe('I will not.');
    expect(observations(messages)).toEqual([
      'Tool "save" was not run: the operator denied it: not below /etc',
    ]);
    expect(runs).toEqual([]);
  });

  it('tells no more than 500 characters of a reason', async () => {
    const { tool: plain } = recorder('save');
    const reason = `${'x'.repeat(498)}😀${'y'.repeat(600)}`;
    const error = await rejectionOf(
      withApproval(plain, () => ({ allow: false, reason })).run({ path: '' }, context()) as Promise<unknown>,
    );
    expect(isToolError(error) && error.message).toBe(
      `Tool "save" was not run: the operator denied it: ${'x'.repeat(498)}…`,
    );
  });

  it('never runs on a decision other than true or { allow: true }, whatever it is', async () => {
    const decision = fc.oneof(
      fc.anything(),
      fc.record({ allow: fc.anything(), reason: fc.anything() }, { requiredKeys: [] }),
    );
    await fc.assert(
      fc.asyncProperty(decision, fc.boolean(), async (decided, late) => {
        const { tool: plain, runs } = recorder('save');
        const ask = (() => (late ? Promise.resolve(decided) : decided)) as unknown as Approval;
        const run = withApproval(plain, ask).run({ path: 'p' }, context()) as Promise<unknown>;
        const outcome = await run.catch((error: unknown) => error);
        const allowed =
          decided === true ||
          (typeof decided === 'object' &&
            decided !== null &&
            (decided as { allow?: unknown }).allow === true);
        expect(runs).toHaveLength(allowed ? 1 : 0);
        expect(isToolError(outcome)).toBe(!allowed);
      }),
    );
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('ldap://secret-host is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('ldap://secret-host is down'))],
    ['throws what is no error', () => Promise.reject('ldap://secret-host')],
    ['says something truthy that is no decision', () => 'ldap://secret-host'],
    ['says nothing', () => undefined],
  ])(
    'does not run when the gate %s, and the words of the gate go to the trace only',
    async (_what, answer) => {
      const { tool: plain, runs } = recorder('save');
      const events: TraceEvent[] = [];
      const guarded = withApproval(plain, answer as Approval, {
        onTrace: event => events.push(event),
        traceContent: true,
      });
      const error = await rejectionOf(guarded.run({ path: 'p' }, context()) as Promise<unknown>);
      expect(isToolError(error) && error.message).toBe('Tool "save" was not run: it could not be approved');
      expect(JSON.stringify(error)).not.toContain('secret-host');
      expect(events[1]).toMatchObject({
        type: 'approval-decided',
        outcome: 'failed',
        detail: expect.any(String),
      });
      expect(runs).toEqual([]);
    },
  );

  it('that does not need approval is the tool it was', () => {
    const [save, read] = [recorder('save').tool, recorder('read').tool];
    const byName = withApproval([save, read], { ask: () => true, tools: ['save'] });
    expect(byName[1]).toBe(read);
    expect(byName[0]).not.toBe(save);
    const chosen = withApproval([save, read], { ask: () => true, tools: ({ name }) => name === 'read' });
    expect(chosen[0]).toBe(save);
    expect(chosen[1]).not.toBe(read);
    const forgetful = (() => undefined) as unknown as () => boolean;
    expect(withApproval(save, { ask: () => true, tools: forgetful })).not.toBe(save);
  });

  it('has the type it had: its arguments, and what it needs of its agent', () => {
    const needy = tool({
      name: 'needy',
      description: '',
      run: (_args, ctx: ToolContext<{ readonly n: number }>) => String(ctx.deps.n),
    });
    const { tool: save } = recorder('save');
    expectTypeOf(withApproval(needy, () => true)).toEqualTypeOf(needy);
    const both = withApproval([save, needy], () => true);
    expectTypeOf(both).toEqualTypeOf<readonly [typeof save, typeof needy]>();
    const model = scripted([]);
    // @ts-expect-error An agent without dependencies cannot have it.
    new Agent<{ readonly other: string }>({ model, tools: both });
    expect(both).toHaveLength(2);
  });

  it('can be offered by a server: a denial is a failed result, and its own limit starts after the approval', async () => {
    const clock = manualClock();
    const slow = tool({
      name: 'slow',
      description: '',
      timeout: 10,
      run: () => {
        clock.advance(9);
        return 'done';
      },
    });
    let allow = true;
    const ask = (): boolean => {
      clock.advance(1_000);
      return allow;
    };
    const server = new Server({
      name: 's',
      version: '1',
      tools: withApproval([slow], ask, { clock }),
      clock,
    });
    const client = await connect(server);
    expect(await client.call('slow')).toMatchObject({ isError: false, content: [{ text: 'done' }] });
    allow = false;
    expect(await client.call('slow')).toMatchObject({
      isError: true,
      content: [{ text: 'Tool "slow" was not run: the operator denied it' }],
    });
    await client.close();
    expect(clock.pending).toBe(0);
  });

  it.each<[string, unknown]>([
    ['approval must be a function, or an object with a function ask', undefined],
    ['approval must be a function, or an object with a function ask', { ask: true }],
    ['approval.timeout must be a number of milliseconds above 0, got 0', { ask: () => true, timeout: 0 }],
    [
      'approval.onTimeout must be "deny" or "raise" or "approve", got "allow"',
      { ask: () => true, onTimeout: 'allow' },
    ],
    ['approval.tools must be a list of names or a function, got "save"', { ask: () => true, tools: 'save' }],
    ['approval.sequential must be true or false', { ask: () => true, sequential: 1 }],
    [
      'approval is asked for the tool "svae", which is not there; the tools are: save',
      { ask: () => true, tools: ['svae'] },
    ],
  ])('is refused when its options cannot be used: %s', (message, approval) => {
    expect(() => withApproval(recorder('save').tool, approval as Approval)).toThrow(
      new TypeError(`withApproval: ${message}`),
    );
  });

  it('is refused when it is no tool', () => {
    expect(() => withApproval([undefined as unknown as Tool], () => true)).toThrow(
      /tools\[0\] is not a tool/,
    );
  });
});

describe('a tool with approval and a limit of its own', () => {
  const guard = (run: (signal: AbortSignal) => unknown) => {
    const clock = manualClock();
    const limited = tool({
      name: 'limited',
      description: '',
      timeout: 10,
      run: (_args, ctx) => run(ctx.signal) as string,
    });
    const guarded = withApproval(limited, { ask: () => true, timeout: 50 }, { clock });
    return { clock, guarded };
  };

  it.each<[string, () => unknown]>([
    ['works', () => 'done'],
    [
      'fails',
      () => {
        throw new Error('broken');
      },
    ],
  ])('leaves neither a timer nor a listener when it %s', async (_how, run) => {
    const { clock, guarded } = guard(run);
    const { signal } = new AbortController();
    await Promise.allSettled([guarded.run({}, context(signal))]);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('sees a cancellation, which is at once the outcome', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const seen: unknown[] = [];
    const { clock, guarded } = guard(signal => {
      controller.abort(reason);
      seen.push(signal.reason);
      return new Promise(() => undefined);
    });
    expect(await rejectionOf(guarded.run({}, context(controller.signal)))).toBe(reason);
    expect(seen).toEqual([reason]);
    expect(clock.pending).toBe(0);
  });
});
