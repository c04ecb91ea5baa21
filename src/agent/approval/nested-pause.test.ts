import { describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { Agent } from '../agent.ts';
import { call, finished, paused, steps, throughJson, workshop } from '../fixtures/workshop.ts';

describe('a run below that needs approval', () => {
  const about = { name: 'expert', description: '' };
  const nested = () => {
    const { runs, read, erase } = workshop();
    const inner = (from: number) =>
      new Agent({ model: scripted(steps.slice(from)), tools: [read, erase], pause: true, name: 'inner' });
    const script = [
      {
        toolCalls: [call('read', 'z'), { name: 'expert', arguments: { prompt: 'tidy' } }, call('erase', 'y')],
      },
      'the expert did it',
    ];
    const outer = (from: number, innerFrom: number) =>
      new Agent({
        model: scripted(script.slice(from)),
        tools: [read, erase, inner(innerFrom).asTool(about)],
        pause: true,
        name: 'outer',
      });
    return { runs, outer, inner };
  };

  it('pauses the run above too, and goes on inside of it', async () => {
    const { runs, outer } = nested();
    const first = paused(await outer(0, 0).run('go'));
    expect(first.pending).toEqual([
      { id: 'call_2/call_2', tool: 'erase', arguments: { path: 'b' } },
      { id: 'call_2/call_4', tool: 'erase', arguments: { path: 'd' } },
      { id: 'call_3', tool: 'erase', arguments: { path: 'y' } },
    ]);
    expect(first.usage.requests).toBe(2);
    const decided = { 'call_2/call_2': true, 'call_2/call_4': false, call_3: true };
    const second = paused(await outer(1, 1).resume(throughJson(first), decided));
    expect(second.pending).toMatchObject([{ id: 'call_2/call_1', arguments: { path: 'e' } }]);
    expect(second.usage).toMatchObject({ requests: 3, inputTokens: 20 });
    const last = finished(await outer(1, 2).resume(throughJson(second), { 'call_2/call_1': true }));
    expect(last.output).toBe('the expert did it');
    expect(runs.toSorted()).toEqual(['erase b', 'erase e', 'erase y', 'read a', 'read c', 'read z']);
    expect(last.messages.filter(({ role }) => role === 'tool').map(message => message.content)).toEqual([
      'read of z',
      'all done',
      'erase of y',
    ]);
    // One for each response: three below, two above.
    expect(last.usage).toMatchObject({ requests: 5, inputTokens: 40 });
    expect(last.counts.toolCalls).toBe(8);
  });

  it('has ids that no other call can have, whatever a model calls its calls', async () => {
    const { runs, erase } = workshop();
    const twisted = (id: string, at: string) => ({ id, name: 'erase', arguments: { path: at } });
    const inner = new Agent({
      model: scripted([{ toolCalls: [twisted('y', 'inner'), twisted('__proto__', 'proto')] }, 'done']),
      tools: [erase],
      pause: true,
    });
    const toolCalls = [
      { id: 'x', name: 'expert', arguments: { prompt: 'go' } },
      twisted('x/y', 'outer'),
      twisted('x%2Fy', 'odd'),
    ];
    const agent = new Agent({
      model: scripted([{ toolCalls }, 'done']),
      tools: [erase, inner.asTool(about)],
      pause: true,
    });
    const first = paused(await agent.run('go'));
    const ids = first.pending.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    const second = paused(await agent.resume(first.state, { [ids[0] ?? '']: true }));
    expect(runs).toEqual(['erase inner']);
    const decisions = Object.fromEntries(second.pending.map(({ id }) => [id, true]));
    expect(finished(await agent.resume(throughJson(second), decisions)).output).toBe('done');
    expect(runs.toSorted()).toEqual(['erase inner', 'erase odd', 'erase outer', 'erase proto']);
  });

  it('waits for the call of the agent first, and for those of its run then', async () => {
    const { runs, erase } = workshop();
    const inner = new Agent({
      model: scripted([{ toolCalls: [call('erase', 'x')] }, 'done']),
      tools: [erase],
      pause: true,
    });
    const model = scripted([{ toolCalls: [{ name: 'expert', arguments: { prompt: 'go' } }] }, 'ok']);
    const tools = [inner.asTool({ ...about, needsApproval: true })];
    const agent = new Agent({ model, tools, pause: true });
    const first = paused(await agent.run('go'));
    expect(first.pending).toEqual([{ id: 'call_1', tool: 'expert', arguments: { prompt: 'go' } }]);
    const second = paused(await agent.resume(first.state, { call_1: true }));
    expect(second.pending.map(({ id }) => id)).toEqual(['call_1/call_1']);
    expect(finished(await agent.resume(throughJson(second), { 'call_1/call_1': true })).output).toBe('ok');
    expect(runs).toEqual(['erase x']);
  });

  it('ends the run above when that cannot be paused', async () => {
    const { runs, inner } = nested();
    const model = scripted([{ toolCalls: [{ name: 'expert', arguments: { prompt: 'tidy' } }] }]);
    const run = new Agent({ model, tools: [inner(0).asTool(about)] }).run('go');
    await expect(run).rejects.toMatchObject({
      stage: 'tool',
      cause: {
        message: expect.stringContaining('cannot be paused'),
        hint: expect.stringContaining('pause: true'),
      },
    });
    expect(runs).toEqual(['read a', 'read c']);
  });

  it('is refused when the tool no longer stands for the same agent', async () => {
    const { outer } = nested();
    const first = paused(await outer(0, 0).run('go'));
    const other = new Agent({ model: scripted([]), pause: true, name: 'other' });
    const { read, erase } = workshop();
    const changed = new Agent({
      model: scripted([]),
      tools: [read, erase, other.asTool(about)],
      pause: true,
      name: 'outer',
    });
    await expect(changed.resume(first.state, { 'call_2/call_2': true })).rejects.toMatchObject({
      stage: 'tool',
      message: expect.stringContaining(
        'the state is that of the agent "inner", and this is the agent "other"',
      ),
    });
  });
});
