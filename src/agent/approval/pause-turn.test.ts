import { describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import { tool } from '../../tools/tool.ts';
import { Agent } from '../agent.ts';
import { isRunAbortedError, isRunError } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import { call, calls, finished, paused, steps, throughJson, workshop } from '../fixtures/workshop.ts';
import type { PausedRun } from './pause-run.ts';

describe('a turn with calls that wait', () => {
  it('asks only for those arguments that need it, and for all when that cannot be told', async () => {
    const { runs, make } = workshop();
    const asked = make('erase', ({ path: at }) =>
      at === 'odd' ? (undefined as never) : at.startsWith('dear'),
    );
    const agent = new Agent({
      model: scripted([calls(call('erase', 'x'), call('erase', 'dear y'), call('erase', 'odd')), 'ok']),
      tools: [asked],
      pause: true,
    });
    const first = paused(await agent.run('go'));
    expect(runs).toEqual(['erase x']);
    expect(first.pending.map(({ id }) => id)).toEqual(['call_2', 'call_3']);
  });

  it('does not run what cannot tell whether it needs approval', async () => {
    const { runs, make } = workshop();
    const broken = make('erase', () => {
      throw new Error('no rule for that');
    });
    const model = scripted([calls(call('erase', 'x'))]);
    const run = new Agent({ model, tools: [broken], pause: true }).run('go');
    await expect(run).rejects.toMatchObject({ stage: 'tool', cause: new Error('no rule for that') });
    expect(runs).toEqual([]);
  });

  it('is not paused for arguments that do not fit, or a tool that is not there', async () => {
    const { runs, erase } = workshop();
    const model = scripted([
      { toolCalls: [{ name: 'erase', arguments: { path: 1 } }, { name: 'none' }] },
      'I see',
    ]);
    const agent = new Agent({ model, tools: [erase], pause: true });
    expect(finished(await agent.run('go')).output).toBe('I see');
    expect(runs).toEqual([]);
  });

  it('fails at once when another call of the turn ends the run', async () => {
    const { erase } = workshop();
    const broken = tool({
      name: 'broken',
      description: '',
      run: () => {
        throw new Error('broken');
      },
    });
    const model = scripted([{ toolCalls: [call('erase', 'x'), { name: 'broken' }] }]);
    const events: RunEvent[] = [];
    const run = new Agent({ model, tools: [erase, broken], pause: true }).run('go', {
      onEvent: event => void events.push(event),
    });
    await expect(run).rejects.toMatchObject({ stage: 'tool', tool: 'broken' });
    expect(events.filter(({ type }) => type === 'tool-end')).toMatchObject([
      { callId: 'call_1', result: 'Not run: another call of this turn failed.' },
      { callId: 'call_2' },
    ]);
  });

  it('keeps count of failures in a row over the pause', async () => {
    const { erase } = workshop();
    const bad = calls(call('erase', 'bad'));
    const agent = new Agent({
      model: scripted([bad, bad, bad]),
      tools: [erase],
      toolRetries: 2,
      pause: true,
    });
    let at: PausedRun = paused(await agent.run('go'));
    for (const id of ['call_1', 'call_2']) at = paused(await agent.resume(throughJson(at), { [id]: true }));
    const error = await agent.resume(throughJson(at), { call_3: true }).catch((thrown: unknown) => thrown);
    expect(isRunError(error) && error).toMatchObject({ stage: 'tool', attempts: 3 });
  });

  it('counts a turn once for a tool, whenever its calls were run', async () => {
    const { make } = workshop();
    const mixed = make('erase', ({ path: at }) => at === 'good');
    const script = [calls(call('erase', 'bad'), call('erase', 'good')), calls(call('erase', 'bad')), 'ok'];
    const agent = new Agent({ model: scripted(script), tools: [mixed], toolRetries: 1, pause: true });
    const first = paused(await agent.run('go'));
    const error = await agent.resume(first.state, { call_2: true }).catch((thrown: unknown) => thrown);
    // As without the pause: the second failing turn in a row is one too many.
    expect(isRunError(error) && error).toMatchObject({ stage: 'tool', attempts: 2 });
  });

  it('holds the limits of the whole run, turns among them', async () => {
    const { erase } = workshop();
    const make = (limits: object, maxTurns: number) =>
      new Agent({ model: scripted(steps.slice(1)), tools: [erase], limits, maxTurns, pause: true });
    const first = paused(await make({}, 10).run('go'));
    await expect(make({ requests: 1 }, 10).resume(first.state, { call_1: true })).rejects.toMatchObject({
      stage: 'usage',
      cause: { kind: 'requests', actual: 2 },
    });
    await expect(make({}, 1).resume(first.state, { call_1: true })).rejects.toMatchObject({ stage: 'loop' });
  });

  it('is aborted like any other, before, while and after it is paused', async () => {
    const { erase } = workshop();
    const agent = new Agent({ model: scripted(steps.slice(1)), tools: [erase], pause: true });
    const first = paused(await agent.run('go'));
    const resumed = agent.resume(
      first.state,
      { call_1: true },
      { signal: AbortSignal.abort(new Error('no')) },
    );
    const error = await resumed.catch((thrown: unknown) => thrown);
    expect(isRunAbortedError(error)).toBe(true);
  });

  it('needs its dependencies anew', async () => {
    const seen: unknown[] = [];
    const look = tool({
      name: 'look',
      description: '',
      needsApproval: true,
      run: (_args, { deps }: ToolContext<{ readonly at: string }>) => {
        seen.push(deps.at);
        return 'seen';
      },
    });
    const agent = new Agent<{ readonly at: string }>({
      model: scripted([{ toolCalls: [{ name: 'look' }] }, 'ok']),
      tools: [look],
      pause: true,
    });
    const first = paused(await agent.run('go', { deps: { at: 'before' } }));
    await agent.resume(first.state, { call_1: true }, { deps: { at: 'after' } });
    expect(seen).toEqual(['after']);
  });
});
