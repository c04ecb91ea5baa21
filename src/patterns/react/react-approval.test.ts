import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import { type ScriptedCall, scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import type { Approval, ApprovalDecision, ApprovalRequest } from '../approval/approval.ts';
import type { TraceEvent } from '../contract/trace.ts';
import { demoTools } from '../demo-tools/demo-tools.ts';
import { calls, observations } from '../fixtures/approval.ts';
import { failureOf } from '../fixtures/pattern-failure.ts';
import { type ReactOptions, reactLoop } from '../react.ts';

const tools = demoTools;
const echo = (text: string): ScriptedCall => ({ name: 'echo', arguments: { text } });
describe('reactLoop with approval', () => {
  it('goes on after a denial and after a gate that fails: both are observations, and counted', async () => {
    const answers: Record<string, () => ApprovalDecision> = {
      yes: () => true,
      no: () => ({ allow: false, reason: 'too loud' }),
      broken: () => {
        throw new Error('gate on fire');
      },
    };
    const approve: Approval = ({ arguments: args }) => {
      const { text } = args as { text: string };
      return answers[text]?.() ?? false;
    };
    const model = scripted([calls(echo('yes'), echo('no'), echo('broken')), 'ok']);
    const { value, evidence } = await reactLoop(model, 'p', { tools, approve });
    expect(value).toBe('ok');
    expect(observations(evidence.messages)).toEqual([
      'yes',
      'Tool "echo" was not run: the operator denied it: too loud',
      'Tool "echo" was not run: it could not be approved',
    ]);
    expect(evidence).toMatchObject({ toolCalls: 3, rejectedToolCalls: 0, deniedToolCalls: 2 });
    expect(JSON.stringify(model.requests)).not.toContain('on fire');
  });

  it('counts no denial without a gate', async () => {
    const model = scripted([calls(echo('a')), 'ok']);
    expect((await reactLoop(model, 'p', { tools })).evidence.deniedToolCalls).toBe(0);
  });

  it('goes on however often a tool is denied, and never runs it', async () => {
    let runs = 0;
    const danger = tool({
      name: 'danger',
      description: '',
      run: () => {
        runs += 1;
        return 'ran';
      },
    });
    const steps = Array.from({ length: 6 }, () => calls({ name: 'danger' }));
    const { evidence } = await reactLoop(scripted([...steps, 'gave up']), 'p', {
      tools: [danger],
      approve: () => false,
    });
    expect(runs).toBe(0);
    expect(evidence).toMatchObject({ rounds: 7, deniedToolCalls: 6 });
  });

  it('is asked with the id of the call, also when calls are side by side', async () => {
    const asked: [string | undefined, unknown][] = [];
    const approve = async ({ callId, arguments: args }: ApprovalRequest): Promise<boolean> => {
      asked.push([callId, args]);
      return true;
    };
    const model = scripted([calls(echo('a'), echo('b')), 'ok']);
    await reactLoop(model, 'p', { tools, approve });
    expect(asked).toEqual([
      ['call_1', { text: 'a' }],
      ['call_2', { text: 'b' }],
    ]);
  });

  it('asks about the tools that are named only', async () => {
    const asked: string[] = [];
    const approve = {
      ask: ({ tool: name }: ApprovalRequest) => {
        asked.push(name);
        return false;
      },
      tools: ['calculator'],
    };
    const model = scripted([calls(echo('a'), { name: 'calculator', arguments: { expression: '1' } }), 'ok']);
    const { evidence } = await reactLoop(model, 'p', { tools, approve });
    expect(asked).toEqual(['calculator']);
    expect(observations(evidence.messages)[0]).toBe('a');
  });

  it.each<[string, unknown]>([
    ['approve must be a function, or an object with a function ask', 'always'],
    ['approve.timeout must be a number of milliseconds above 0, got -1', { ask: () => true, timeout: -1 }],
    [
      'approval is asked for the tool "rm", which is not there; the tools are: calculator, echo',
      { ask: () => true, tools: ['rm'] },
    ],
  ])('checks it before anything is spent: %s', async (message, approve) => {
    const model = scripted(['x']);
    await expect(reactLoop(model, 'p', { tools, approve: approve as Approval })).rejects.toThrow(
      new TypeError(`reactLoop: ${message}`),
    );
    expect(model.requests).toEqual([]);
  });
});

describe('the time of an approval in reactLoop', () => {
  /** The clock passes the time for the decision as soon as it is asked for. */
  const late = (
    onTimeout: 'deny' | 'raise' | 'approve',
  ): Pick<ReactOptions, 'approve' | 'clock'> & { clock: ReturnType<typeof manualClock> } => {
    const clock = manualClock();
    const ask = (): Promise<boolean> => {
      queueMicrotask(() => clock.advance(60_000));
      return new Promise(() => undefined);
    };
    return { clock, approve: { ask, timeout: 60_000, onTimeout } };
  };

  it('ends in an observation when it is to deny', async () => {
    const options = late('deny');
    const { evidence } = await reactLoop(scripted([calls(echo('a')), 'ok']), 'p', { tools, ...options });
    expect(observations(evidence.messages)).toEqual([
      'Tool "echo" was not run: nobody approved it within 60000 ms',
    ]);
    expect(evidence.deniedToolCalls).toBe(1);
    expect(options.clock.pending).toBe(0);
  });

  it('ends the loop with a typed error, cost and evidence when it is to raise', async () => {
    const options = late('raise');
    const controller = new AbortController();
    const model = scripted([calls(echo('a')), 'never']);
    const error = await failureOf(reactLoop(model, 'p', { tools, ...options, signal: controller.signal }));
    expect(error).toMatchObject({
      name: 'PatternError',
      kind: 'approval',
      message: 'reactLoop: nobody approved a call of tool "echo" within 60000 ms',
      cost: { calls: 1 },
      evidence: { rounds: 1, toolCalls: 1, deniedToolCalls: 1, terminationReason: 'approval' },
      cause: { name: 'TimeoutError', ms: 60_000 },
    });
    expect(model.remaining).toBe(1);
    expect(options.clock.pending).toBe(0);
    expect(controller.signal.aborted).toBe(false);
  });

  it('lets the tool run and notes it when it is to approve', async () => {
    const options = late('approve');
    const { evidence } = await reactLoop(scripted([calls(echo('a')), 'ok']), 'p', { tools, ...options });
    expect(observations(evidence.messages)).toEqual(['a']);
    expect(evidence).toMatchObject({
      deniedToolCalls: 0,
      notes: ['tool "echo" ran without approval: nobody decided within 60000 ms'],
    });
  });

  it('does not count as the time of the tool', async () => {
    const clock = manualClock();
    const approve = async (): Promise<boolean> => {
      clock.advance(3_600_000);
      return true;
    };
    const model = scripted([calls(echo('a')), 'ok']);
    const { evidence } = await reactLoop(model, 'p', { tools, approve, clock, toolTimeout: 10 });
    expect(observations(evidence.messages)).toEqual(['a']);
  });

  it('is over at once when the caller aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const signals: AbortSignal[] = [];
    const approve = ({ signal }: ApprovalRequest): Promise<boolean> => {
      signals.push(signal);
      controller.abort(reason);
      return new Promise(() => undefined);
    };
    const model = scripted([calls(echo('a')), 'never']);
    const error = await failureOf(reactLoop(model, 'p', { tools, approve, signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', name: 'AbortError', cost: { calls: 1 } });
    expect(error.cause).toBe(reason);
    expect(error.evidence['deniedToolCalls']).toBe(0);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('tracing approvals', () => {
  const trace = async (approve: Approval, traceContent?: boolean): Promise<TraceEvent[]> => {
    const events: TraceEvent[] = [];
    const model = scripted([calls(echo('private')), 'ok']);
    await reactLoop(model, 'p', { tools, approve, traceContent, onTrace: event => events.push(event) });
    return events.filter(event => !event.type.startsWith('llm'));
  };

  it('shows asking and deciding within the call, with names of arguments and no values', async () => {
    const events = await trace(() => ({ allow: false, reason: 'private matters' }));
    expect(events).toEqual([
      { type: 'tool-start', id: 'call_1', name: 'echo', arguments: { text: '[masked]' } },
      { type: 'approval-asked', id: 'call_1', name: 'echo', arguments: { text: '[masked]' } },
      {
        type: 'approval-decided',
        id: 'call_1',
        name: 'echo',
        outcome: 'denied',
        reason: '[15 characters]',
      },
      expect.objectContaining({ type: 'tool-end', id: 'call_1', isError: true }),
    ]);
  });

  it('shows values, reasons and what the gate threw when asked to', async () => {
    const broken = await trace(() => {
      throw new RangeError('gate on fire');
    }, true);
    expect(broken[1]).toMatchObject({ arguments: { text: 'private' } });
    expect(broken[2]).toMatchObject({ outcome: 'failed', error: 'RangeError', detail: 'gate on fire' });
    const allowed = await trace(() => ({ allow: true, reason: 'fine' }), true);
    expect(allowed[2]).toMatchObject({ outcome: 'approved', reason: 'fine' });
  });

  it('shows the name of what the gate threw, without its message', async () => {
    const events = await trace(() => Promise.reject(new RangeError('gate on fire')));
    expect(events[2]).toMatchObject({ outcome: 'failed', error: 'RangeError', detail: '[12 characters]' });
  });
});
