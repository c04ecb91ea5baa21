import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import type { Question } from '../../protocol/question.ts';
import { RunningTask } from './running-task.ts';
import type { TaskRecord } from './task.ts';

guardRejections();

const elicit = (message: string): Question => ({
  kind: 'elicit',
  params: { message, requestedSchema: { type: 'object' } },
});

function runningTask(): { task: RunningTask; saved: TaskRecord[]; reports: string[]; ends: () => number } {
  const saved: TaskRecord[] = [];
  const reports: string[] = [];
  let ends = 0;
  const time = new Date(0).toISOString();
  const record: TaskRecord = {
    taskId: 't',
    principal: null,
    status: 'working',
    createdAt: time,
    lastUpdatedAt: time,
    ttlMs: null,
    pollIntervalMs: 1000,
  };
  const task = new RunningTask(record, {
    controller: new AbortController(),
    save: changed => void saved.push(changed),
    report: message => void reports.push(message),
    ended: () => {
      ends += 1;
    },
  });
  return { task, saved, reports, ends: () => ends };
}

describe('a running task', () => {
  it('moves between working and input_required as questions open and close', async () => {
    const { task, saved } = runningTask();
    const asked = [task.ask('a', elicit('A?')), task.ask('b', { kind: 'roots' })];
    task.answer({ b: { roots: [] } });
    task.answer({ a: { action: 'decline' } });
    expect(await Promise.all(asked)).toEqual([{ action: 'decline' }, { roots: [] }]);
    expect(
      saved.map(({ status, inputRequests }) => [status, Object.keys(inputRequests ?? {}).join()]),
    ).toEqual([
      ['input_required', 'a'],
      ['input_required', 'a,b'],
      ['input_required', 'a'],
      ['working', ''],
    ]);
    expect(task.record).not.toHaveProperty('inputRequests');
    expect(saved[1]?.inputRequests?.['b']).toEqual({ method: 'roots/list' });
  });

  it('asks anew under a key of its own when a name that was answered is asked again', async () => {
    const { task } = runningTask();
    const first = task.needInput({ name: elicit('Who?') }, 1);
    task.answer({ name: { action: 'accept', content: { name: '' } } });
    await first;
    const second = task.needInput({ name: elicit('Who, really?') }, 2);
    expect(Object.keys(task.record.inputRequests ?? {})).toEqual(['name#2']);
    task.answer({ name: { action: 'decline' } });
    expect(task.record.status).toBe('input_required');
    task.answer({ 'name#2': { action: 'accept', content: { name: 'Ann' } } });
    await second;
    expect(task.answers).toEqual({ name: { action: 'accept', content: { name: 'Ann' } } });
    expect(task.memo).toBe(2);
  });

  it.each(['__proto__', 'constructor', 'toString'])('takes the key %s as any other', async key => {
    const { task } = runningTask();
    const asked = task.ask(key, elicit('?'));
    task.answer(JSON.parse(`{"valueOf":1}`));
    expect(task.record.status).toBe('input_required');
    task.answer(JSON.parse(`{${JSON.stringify(key)}:{"action":"decline"}}`));
    expect(await asked).toEqual({ action: 'decline' });
  });

  it('has one end: what comes afterwards changes nothing', async () => {
    const ways: readonly ((task: RunningTask) => void)[] = [
      task => task.complete({ content: [] }),
      task => task.fail(new Error('x')),
      task => task.cancel(new Error('cancelled')),
      task => task.expire(new Error('over')),
    ];
    for (const end of ways) {
      const { task, saved, ends } = runningTask();
      end(task);
      const { record } = task;
      for (const other of ways) other(task);
      task.note('late');
      task.answer({ a: 1 });
      await expect(task.ask('late', elicit('?'))).rejects.toThrow();
      expect(task.record).toBe(record);
      expect(saved).toHaveLength(1);
      expect(ends()).toBe(1);
    }
  });

  it('rejects open questions when it ends, and aborts its handler when that was not its own doing', async () => {
    const { task } = runningTask();
    const asked = task.ask('a', elicit('?'));
    const reason = new Error('no more');
    task.cancel(reason);
    await expect(asked).rejects.toBe(reason);
    expect(task.signal.reason).toBe(reason);
    expect(task.record).not.toHaveProperty('inputRequests');
    const other = runningTask().task;
    const open = other.ask('a', elicit('?'));
    other.complete({ content: [] });
    await expect(open).rejects.toThrow('the task ended before this was answered');
    expect(other.signal.aborted).toBe(false);
  });

  it('hides a fault that is no answer and reports it', () => {
    const { task, reports } = runningTask();
    task.fail(new Error('/etc/secret is missing'));
    expect(task.record).toMatchObject({ status: 'failed', error: { code: -32603 } });
    expect(JSON.stringify(task.record)).not.toContain('secret');
    expect(reports).toEqual(['a task failed: internal error']);
  });
});
