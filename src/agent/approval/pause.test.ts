import { describe, expect, it } from 'vitest';
import { type ScriptedStep, scripted } from '../../testing/scripted.ts';
import { Agent } from '../agent.ts';
import type { RunEvent } from '../events.ts';
import { call, calls, finished, paused, rest, steps, untilDone, workshop } from '../fixtures/workshop.ts';

describe('a run that needs approval', () => {
  it('ends as paused once the other calls of the turn are done', async () => {
    const { runs, read, erase } = workshop();
    const agent = new Agent({ model: scripted(steps), tools: [read, erase], pause: true });
    const run = paused(await agent.run('tidy up'));
    expect(runs).toEqual(['read a', 'read c']);
    expect(run.pending).toEqual([
      { id: 'call_2', tool: 'erase', arguments: { path: 'b' } },
      { id: 'call_4', tool: 'erase', arguments: { path: 'd' } },
    ]);
    expect(run.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolCallId: 'call_1', content: 'read of a' },
      { toolCallId: 'call_3', content: 'read of c' },
    ]);
    expect(run.usage).toEqual({ inputTokens: 10, outputTokens: 2, requests: 1 });
    expect(run.counts).toMatchObject({ turns: 1, toolCalls: 4 });
    expect(JSON.parse(JSON.stringify(run.state))).toEqual(run.state);
  });

  it('comes to the same transcript, usage and counts as one that was never paused', async () => {
    const through = workshop();
    const straight = await new Agent({
      model: scripted(steps),
      tools: [through.read, through.erase],
      instructions: 'be tidy',
      approve: () => true,
    }).run('tidy up');
    const { runs, read, erase } = workshop();
    const make = (turnsDone: number) =>
      new Agent({ model: rest(turnsDone), tools: [read, erase], instructions: 'be tidy', pause: true });
    const first = paused(await make(0).run('tidy up'));
    const resumed = await untilDone(first, make, () => true);
    expect(resumed.output).toBe('all done');
    // The script numbers its calls anew in each process.
    const named = (messages: readonly unknown[]): unknown =>
      JSON.parse(JSON.stringify(messages).replace(/call_\d+/g, 'call'));
    expect(named(resumed.messages)).toEqual(named(straight.messages));
    expect(resumed.usage).toEqual(straight.usage);
    expect(resumed.counts).toEqual(straight.counts);
    expect(runs.toSorted()).toEqual(through.runs.toSorted());
  });

  it('shows the model the same as one that was never paused', async () => {
    const ids = (step: ScriptedStep, index: number): ScriptedStep =>
      typeof step === 'object' && 'toolCalls' in step
        ? { ...step, toolCalls: step.toolCalls?.map((each, at) => ({ ...each, id: `${index}-${at}` })) ?? [] }
        : step;
    const script = steps.map(ids);
    const straight = scripted(script);
    const tools = () => {
      const { read, erase } = workshop();
      return [read, erase];
    };
    const history = Array.from({ length: 6 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `earlier ${index}`,
    }));
    const options = {
      tools: tools(),
      instructions: () => 'be tidy',
      trim: { maxMessages: 4 },
      summarize: () => 'they talked',
    };
    await new Agent({ model: straight, ...options, approve: () => true }).run('tidy up', { history });
    const asked: unknown[] = [];
    const make = (from: number) => {
      const model = scripted(script.slice(from));
      asked.push(model);
      return new Agent({ model, ...options, pause: true });
    };
    await untilDone(paused(await make(0).run('tidy up', { history })), make, () => true);
    const requests = asked.flatMap(model => (model as ReturnType<typeof scripted>).requests);
    expect(requests).toEqual(straight.requests);
    expect(JSON.stringify(requests)).toContain('they talked');
  });

  it('reads what was denied, with the reason, and goes on', async () => {
    const { runs, read, erase } = workshop();
    const agent = new Agent({ model: scripted(steps), tools: [read, erase], pause: true });
    const first = paused(await agent.run('tidy up'));
    const second = paused(
      await agent.resume(first.state, { call_2: false, call_4: { allow: false, reason: 'd is dear' } }),
    );
    expect(runs).toEqual(['read a', 'read c']);
    expect(second.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolCallId: 'call_1' },
      { content: 'Tool "erase" was not run: it was not approved', isError: true },
      { toolCallId: 'call_3' },
      { content: 'Tool "erase" was not run: it was not approved: d is dear', isError: true },
    ]);
    expect(second.pending).toMatchObject([{ id: 'call_5' }]);
    expect(finished(await agent.resume(second.state, { call_5: true })).output).toBe('all done');
    expect(runs).toEqual(['read a', 'read c', 'erase e']);
  });

  it('never counts a denial against the tool', async () => {
    const { erase } = workshop();
    const script = [...Array.from({ length: 6 }, () => calls(call('erase', 'x'))), 'gave up'];
    const model = scripted(script);
    const agent = new Agent({ model, tools: [erase], toolRetries: 0, pause: true });
    const resumed = await untilDone(
      paused(await agent.run('go')),
      () => agent,
      () => false,
    );
    expect(resumed.output).toBe('gave up');
  });

  it('waits on for what nobody has decided, and runs the others meanwhile', async () => {
    const { runs, read, erase } = workshop();
    const agent = new Agent({ model: scripted(steps), tools: [read, erase], pause: true });
    const first = paused(await agent.run('tidy up'));
    const again = paused(await agent.resume(first.state, { call_4: true }));
    expect(again.pending.map(({ id }) => id)).toEqual(['call_2']);
    expect(runs).toEqual(['read a', 'read c', 'erase d']);
    expect(again.usage).toEqual(first.usage);
    expect(again.counts).toEqual(first.counts);
    const none = paused(await agent.resume(again.state, {}));
    expect(none.state).toEqual(again.state);
    const second = paused(await agent.resume(none.state, { call_2: true }));
    expect(second.messages.filter(({ role }) => role === 'tool').map(message => message.content)).toEqual([
      'read of a',
      'erase of b',
      'read of c',
      'erase of d',
    ]);
  });

  it('runs with other arguments when whoever approves gives some', async () => {
    const { runs, erase } = workshop();
    const agent = new Agent({
      model: scripted([calls(call('erase', 'all')), 'ok']),
      tools: [erase],
      pause: true,
    });
    const first = paused(await agent.run('go'));
    await agent.resume(first.state, { call_1: { allow: true, arguments: { path: 'one' } } });
    expect(runs).toEqual(['erase one']);
  });

  it('runs nothing at all when other arguments do not fit', async () => {
    const { runs, erase, read } = workshop();
    const agent = new Agent({ model: scripted(steps), tools: [read, erase], pause: true });
    const first = paused(await agent.run('go'));
    const decisions = { call_2: true, call_4: { allow: true, arguments: { path: 7 } } };
    await expect(agent.resume(first.state, decisions)).rejects.toMatchObject({
      stage: 'tool',
      callId: 'call_4',
      message: expect.stringContaining('the approved arguments do not fit tool "erase"'),
    });
    expect(runs).toEqual(['read a', 'read c']);
  });
});

describe('the events of a paused run', () => {
  it('end with run-paused, and go on with the calls that waited', async () => {
    const { read, erase } = workshop();
    const agent = new Agent({ model: scripted(steps), tools: [read, erase], pause: true });
    const stream = agent.stream('tidy up');
    const events: RunEvent[] = [];
    for await (const event of stream) events.push(event);
    const first = paused(await stream.result);
    const about = (event: RunEvent): string =>
      'callId' in event ? `${event.type} ${event.callId}` : event.type;
    expect(events.slice(-5).map(about)).toEqual([
      'tool-start call_1',
      'tool-start call_3',
      'tool-end call_1',
      'tool-end call_3',
      'run-paused',
    ]);
    expect(events.at(-1)).toMatchObject({ turn: 1, pending: first.pending, usage: first.usage });
    const later: RunEvent[] = [];
    const onEvent = (event: RunEvent): void => void later.push(event);
    await agent.resume(first.state, { call_2: true, call_4: false }, { onEvent });
    expect(later.slice(0, 5).map(about)).toEqual([
      'run-start',
      'tool-start call_2',
      'tool-end call_2',
      'tool-end call_4',
      'turn-start',
    ]);
  });
});
