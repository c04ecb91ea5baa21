import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { needInput } from '../../tools/need-input.ts';
import { tool } from '../../tools/tool.ts';
import { question, TaskTalk, taskIdOf, taskServer } from './fixtures/task-server.ts';

guardRejections();

const accept = (name: string): object => ({ action: 'accept', content: { name } });

describe('a tool that begins its task itself', () => {
  it('asks with the call first, in rounds, and in the task afterwards', async () => {
    const { server, diary } = taskServer();
    const talk = new TaskTalk(server);
    const call = { name: 'ask_then_start', arguments: {} };
    const { result: asking } = await talk.send('tools/call', call);
    expect([asking?.resultType, Object.keys(asking?.inputRequests ?? {})]).toEqual([
      'input_required',
      ['who'],
    ]);
    expect(asking).not.toHaveProperty('taskId');
    const retry = { ...call, requestState: asking?.requestState, inputResponses: { who: accept('Alice') } };
    const created = await talk.send('tools/call', retry);
    expect(created.result).toMatchObject({ resultType: 'task', status: 'working' });
    expect(created.result).not.toHaveProperty('requestState');
    expect(created.result).not.toHaveProperty('inputRequests');
    const taskId = taskIdOf(created);
    expect(Object.keys((await talk.look(taskId)).inputRequests ?? {})).toEqual(['more']);
    await talk.send('tasks/update', { taskId, inputResponses: { more: accept('Bob') } });
    expect((await talk.look(taskId)).result?.content?.[0]?.text).toBe('Alice and Bob');
    expect(diary).toEqual(['effect', 'started']);
  });

  it('answers the call itself when it never begins one', async () => {
    const { server, clock } = taskServer();
    const { result } = await new TaskTalk(server).send('tools/call', { name: 'never_starts', arguments: {} });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'no need' }] });
    expect(clock.pending).toBe(0);
  });

  it('runs to its end in one call where there are no tasks', async () => {
    const allowed = tool({
      name: 'either_way',
      description: 'Starts a task where it can.',
      task: 'allowed',
      taskStart: 'by-tool',
      async run(_args, ctx) {
        await ctx.startTask();
        await ctx.startTask();
        return 'done';
      },
    });
    const talk = new TaskTalk(taskServer({}, [allowed]).server);
    const { result } = await talk.send('tools/call', { name: 'either_way', arguments: {} }, {});
    expect(result?.content?.[0]?.text).toBe('done');
    await talk.initialize('2025-06-18');
    const older = await talk.ask('tools/call', { name: 'either_way', arguments: {} });
    expect(older.result?.content?.[0]?.text).toBe('done');
    expect((await talk.look(await talk.begin('either_way'))).result?.content?.[0]?.text).toBe('done');
  });

  it('may not begin it while a question of the call is open', async () => {
    const hasty = tool({
      name: 'hasty',
      description: 'Does not wait for its answer.',
      task: 'required',
      taskStart: 'by-tool',
      async run(_args, ctx) {
        const asked = ctx.elicit('name', question('Who?'));
        await ctx.startTask().catch((error: Error) => outcomes.push(error.message));
        await asked;
        return 'x';
      },
    });
    const outcomes: string[] = [];
    const talk = new TaskTalk(taskServer({}, [hasty]).server);
    const { result } = await talk.send('tools/call', { name: 'hasty', arguments: {} });
    expect(result?.resultType).toBe('input_required');
    expect(outcomes).toEqual([expect.stringContaining('has no answer yet')]);
  });

  it('is aborted with the call before the task began and not by the call afterwards', async () => {
    const signals: AbortSignal[] = [];
    let go: () => void = () => {};
    const gate = new Promise<void>(resolve => {
      go = resolve;
    });
    const patient = tool({
      name: 'patient',
      description: 'Waits, then starts.',
      task: 'required',
      taskStart: 'by-tool',
      async run(_args, ctx) {
        signals.push(ctx.signal);
        await gate;
        await ctx.startTask();
        return new Promise<string>(() => {});
      },
    });
    const { server } = taskServer({}, [patient]);
    const talk = new TaskTalk(server);
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    };
    const params = { name: 'patient', arguments: {}, _meta: envelope };
    talk.say({ jsonrpc: '2.0', id: 'early', method: 'tools/call', params });
    await turn();
    talk.notify('notifications/cancelled', { requestId: 'early' });
    await turn();
    expect(signals[0]?.aborted).toBe(true);
    go();
    const taskId = await talk.begin('patient');
    talk.notify('notifications/cancelled', { requestId: 'early' });
    await talk.inlet.close(new Error('the client left'));
    expect(signals[1]?.aborted).toBe(false);
    expect((await new TaskTalk(server).look(taskId)).status).toBe('working');
  });
});

describe('a tool that asks by what it returns', () => {
  it('is run again inside its task, with the answers and its memo', async () => {
    const runs: unknown[] = [];
    const steps = tool({
      name: 'steps',
      description: 'Asks in two steps.',
      task: 'required',
      run(_args, ctx) {
        runs.push(ctx.memo);
        const name = ctx.answers.elicit('name')?.content?.['name'];
        if (name === 'Ann') return `Hello, ${name}!`;
        return needInput({ name: { elicit: question('Who?') } }, runs.length);
      },
    });
    const talk = new TaskTalk(taskServer({}, [steps]).server);
    const taskId = await talk.begin('steps');
    await talk.send('tasks/update', { taskId, inputResponses: { name: accept('nobody') } });
    expect(Object.keys((await talk.look(taskId)).inputRequests ?? {})).toEqual(['name#2']);
    await talk.send('tasks/update', { taskId, inputResponses: { 'name#2': accept('Ann') } });
    expect((await talk.look(taskId)).result?.content?.[0]?.text).toBe('Hello, Ann!');
    expect(runs).toEqual([undefined, 1, 2]);
  });
});
