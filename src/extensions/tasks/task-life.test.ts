import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { TaskTalk, taskIdOf, taskServer } from './fixtures/task-server.ts';
import type { TaskStore } from './store.ts';
import type { TaskRecord } from './task.ts';
import { tasks } from './tasks.ts';

guardRejections();

const accept = (name: string): object => ({ action: 'accept', content: { name } });

describe('cancelling a task', () => {
  it('ends it at once, aborts its handler, and drops what the handler comes to', async () => {
    const { server, clock, open, diary } = taskServer();
    const talk = new TaskTalk(server);
    const taskId = await talk.begin('slow');
    expect((await talk.send('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect(await talk.look(taskId)).toMatchObject({ status: 'cancelled' });
    open();
    const cancelled = await talk.look(taskId);
    expect(cancelled.status).toBe('cancelled');
    expect(cancelled).not.toHaveProperty('result');
    expect(diary).toEqual(['slow began', 'slow aborted: the client cancelled the task', 'slow ended']);
    expect(clock.pending).toBe(0);
  });

  it('that is over is acknowledged and changes nothing', async () => {
    const { server, open } = taskServer();
    const talk = new TaskTalk(server);
    const taskId = await talk.begin('slow');
    open();
    const done = await talk.look(taskId);
    expect((await talk.send('tasks/cancel', { taskId })).error).toBeUndefined();
    expect(await talk.look(taskId)).toEqual(done);
  });

  it('withdraws its questions', async () => {
    const talk = new TaskTalk(taskServer().server);
    const taskId = await talk.begin('two_questions');
    await talk.send('tasks/cancel', { taskId });
    const update = { taskId, inputResponses: { first: accept('a'), second: accept('b') } };
    expect((await talk.send('tasks/update', update)).error).toBeUndefined();
    const { status, inputRequests, result } = await talk.look(taskId);
    expect([status, inputRequests, result]).toEqual(['cancelled', undefined, undefined]);
  });

  it('before its handler began keeps it from beginning', async () => {
    const { server, diary } = taskServer();
    const talk = new TaskTalk(server);
    const created = talk.send('tools/call', { name: 'slow', arguments: {} });
    const taskId = taskIdOf(await created);
    expect(diary).toEqual([]);
    await talk.send('tasks/cancel', { taskId });
    expect((await talk.look(taskId)).status).toBe('cancelled');
    expect(diary).toEqual([]);
  });
});

describe('the time to live of a task', () => {
  it('ends a handler that takes longer, and forgets the task', async () => {
    const { server, clock, diary } = taskServer({ ttl: 5000 });
    const talk = new TaskTalk(server);
    const taskId = await talk.begin('slow');
    clock.advance(4999);
    expect(await talk.look(taskId)).toMatchObject({ status: 'working', ttlMs: 5000 });
    clock.advance(1);
    expect(diary[1]).toContain('not over within its time to live of 5000 ms');
    expect((await talk.send('tasks/get', { taskId })).error?.code).toBe(-32602);
    expect(clock.pending).toBe(0);
  });

  it('keeps results until it is over', async () => {
    const { server, clock, open } = taskServer({ ttl: 5000 });
    const talk = new TaskTalk(server);
    const taskId = await talk.begin('slow');
    open();
    clock.advance(4999);
    expect((await talk.look(taskId)).status).toBe('completed');
    clock.advance(1);
    expect((await talk.send('tasks/get', { taskId })).error?.code).toBe(-32602);
  });

  it('can be without end', async () => {
    const { server, clock } = taskServer({ ttl: null, pollInterval: 250 });
    const talk = new TaskTalk(server);
    const taskId = await talk.begin('slow');
    clock.advance(1e12);
    expect(await talk.look(taskId)).toMatchObject({ status: 'working', ttlMs: null, pollIntervalMs: 250 });
    expect(clock.pending).toBe(0);
  });
});

describe('a server that keeps as many tasks as it may', () => {
  it('forgets the oldest that is over, and refuses a new one when none is', async () => {
    const { server, open } = taskServer({ maxTasks: 2 });
    const talk = new TaskTalk(server);
    const first = await talk.begin('failing_job');
    const second = await talk.begin('slow');
    const third = await talk.begin('two_questions');
    expect((await talk.send('tasks/get', { taskId: first })).error?.code).toBe(-32602);
    const refused = await talk.send('tools/call', { name: 'slow', arguments: {} });
    expect(refused.error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('2 tasks are running'),
    });
    open();
    expect((await talk.look(second)).status).toBe('completed');
    expect((await talk.look(third)).status).toBe('input_required');
  });
});

describe('a store of one’s own', () => {
  function storeOf(overrides: Partial<TaskStore> = {}): { store: TaskStore; kept: Map<string, TaskRecord> } {
    const kept = new Map<string, TaskRecord>();
    const store: TaskStore = {
      create: async record => void kept.set(record.taskId, record),
      get: async taskId => kept.get(taskId),
      update: async record => void kept.set(record.taskId, record),
      ...overrides,
    };
    return { store, kept };
  }

  it('is waited for before the task is told of, and tells of it when the process does not know it', async () => {
    let keep: () => void = () => {};
    const { store, kept } = storeOf();
    const slow: TaskStore = {
      ...store,
      create: record =>
        new Promise(resolve => {
          keep = () => {
            kept.set(record.taskId, record);
            resolve();
          };
        }),
    };
    const { server, open } = taskServer({ store: slow });
    const talk = new TaskTalk(server);
    const created = talk.send('tools/call', { name: 'slow', arguments: {} });
    await turn();
    expect(talk.got).toEqual([]);
    keep();
    const taskId = taskIdOf(await created);
    open();
    expect((await talk.look(taskId)).status).toBe('completed');
    // Another process with the same store.
    expect((await new TaskTalk(taskServer({ store }).server).look(taskId)).result?.content?.[0]?.text).toBe(
      'done',
    );
  });

  it('that refuses a new task fails the call, and one that loses an update is reported and made up for', async () => {
    const full = storeOf({ create: () => Promise.reject(new Error('disk full')) });
    const refused = taskServer({ store: full.store });
    const talk = new TaskTalk(refused.server);
    expect((await talk.send('tools/call', { name: 'slow', arguments: {} })).error?.code).toBe(-32603);
    expect(refused.diary).toEqual([]);
    const lossy = storeOf({ update: () => Promise.reject(new Error('disk full')) });
    const { server, open, faults } = taskServer({ store: lossy.store });
    const other = new TaskTalk(server);
    const taskId = await other.begin('slow');
    open();
    expect((await other.look(taskId)).result?.content?.[0]?.text).toBe('done');
    expect(faults.at(-1)).toBe('a task could not be kept as "completed"');
  });

  it('lets another process cancel a task, and does not pretend to take answers there', async () => {
    const { store } = storeOf();
    const taskId = await new TaskTalk(taskServer({ store }).server).begin('two_questions');
    const elsewhere = new TaskTalk(taskServer({ store }).server);
    const update = { taskId, inputResponses: { first: accept('a') } };
    expect((await elsewhere.send('tasks/update', update)).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('does not run in this process'),
    });
    await elsewhere.send('tasks/cancel', { taskId });
    expect(await elsewhere.look(taskId)).toMatchObject({ status: 'cancelled' });
  });
});

describe('the options of tasks', () => {
  it.each([{ ttl: 0 }, { ttl: 1.5 }, { ttl: 2 ** 40 }, { pollInterval: -1 }, { maxTasks: 0 }])(
    'are refused when they cannot be used: %j',
    options => {
      expect(() => tasks(options)).toThrow(`tasks: ${Object.keys(options)[0]} must be`);
    },
  );
});
