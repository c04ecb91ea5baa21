import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { type Client, connect } from '../../client/client.ts';
import type { ClientOptions } from '../../client/options.ts';
import { EraMemory } from '../../eras/index.ts';
import { drive, patient, scriptedTask } from './fixtures/scripted-tasks.ts';
import { type TaskServerFixture, taskServer } from './fixtures/task-server.ts';
import { tasks } from './tasks.ts';

guardRejections();

function join({ server, clock }: TaskServerFixture, options: ClientOptions = {}): Promise<Client> {
  return connect(server, {
    clock,
    eraMemory: new EraMemory(),
    extensions: [tasks()],
    timeouts: patient,
    ...options,
  });
}

describe('a task held by hand', () => {
  it('outlives the client that started it: its id is enough for another', async () => {
    const office = taskServer();
    const first = await join(office);
    const started = await tasks.start(first, 'slow');
    expect(started.status).toBe('working');
    const { id = '' } = started;
    await turn();
    await first.close();
    await using second = await join(office);
    const found = await tasks.resume(second, id);
    expect([found.id, found.status, found.statusMessage]).toEqual([id, 'working', 'half way']);
    office.open();
    expect(await drive(office.clock, found.result())).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(found.status).toBe('completed');
    expect(await found.result()).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(await found.refresh()).toBe('completed');
  });

  it('is not found by an id that the server does not know, nor for a client that does not declare tasks', async () => {
    const office = taskServer();
    await using client = await join(office);
    await expect(tasks.resume(client, 'nope')).rejects.toMatchObject({ code: -32602 });
    const { id = '' } = await tasks.start(client, 'slow');
    await using stranger = await join(office, { extensions: [] });
    await expect(tasks.resume(stranger, id)).rejects.toMatchObject({ code: -32021 });
  });

  it('is over at once when the server answered at once', async () => {
    const office = taskServer();
    await using client = await join(office);
    const greeted = await tasks.start(client, 'greet', { name: 'Ann' });
    expect([greeted.id, greeted.status]).toEqual([undefined, 'completed']);
    expect((await greeted.result()).content).toEqual([{ type: 'text', text: 'Hello, Ann!' }]);
    await greeted.cancel();
    expect(await greeted.refresh()).toBe('completed');
  });

  it('can be left by those who wait without ending it, and cancelled by hand', async () => {
    const office = taskServer({ ttl: null });
    await using client = await join(office);
    const handle = await tasks.start(client, 'slow');
    await turn();
    const controller = new AbortController();
    const waiting = handle.result({ signal: controller.signal });
    const outcome = expect(waiting).rejects.toThrow('later');
    await turn();
    controller.abort(new Error('later'));
    await outcome;
    await turn();
    expect(await handle.refresh()).toBe('working');
    expect(office.clock.pending).toBe(0);
    await handle.cancel();
    await expect(drive(office.clock, handle.result())).rejects.toMatchObject({
      name: 'TaskCancelledError',
      taskId: handle.id,
    });
    expect(office.diary).toContain('slow aborted: the client cancelled the task');
  });

  it('answers what is asked once, however many wait', async () => {
    let asked = 0;
    const office = taskServer();
    await using client = await join(office, {
      onElicit: () => {
        asked += 1;
        return { action: 'accept', content: { name: String(asked) } };
      },
    });
    const handle = await tasks.start(client, 'two_questions');
    const results = await drive(office.clock, Promise.all([handle.result(), handle.result()]));
    expect(results.map(({ content }) => content)).toEqual(
      Array.from({ length: 2 }, () => [{ type: 'text', text: '1 and 2' }]),
    );
    expect(asked).toBe(2);
  });

  it('asks again what was open when everybody had left', async () => {
    const signals: AbortSignal[] = [];
    const question = { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } };
    const { client, clock, sent } = await scriptedTask(
      [{ status: 'input_required', inputRequests: { a: question } }],
      {
        onElicit: (_question, { signal }) => {
          signals.push(signal);
          return signals.length === 1 ? new Promise(() => {}) : { action: 'decline' };
        },
      },
    );
    const handle = await tasks.start(client, 'job');
    const leave = new AbortController();
    const first = handle.result({ signal: leave.signal }).catch(() => 'left');
    for (let step = 0; step < 3; step += 1) {
      await turn();
      clock.advance(200);
    }
    await turn();
    leave.abort();
    expect(await first).toBe('left');
    await turn();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const end = new AbortController();
    const second = handle.result({ signal: end.signal }).catch(() => 'left');
    await turn();
    expect(sent('tasks/update')).toEqual([{ taskId: 't1', inputResponses: { a: { action: 'decline' } } }]);
    end.abort();
    expect(await second).toBe('left');
    await turn();
  });

  it('fails when the client is closed while somebody waits', async () => {
    const office = taskServer();
    const client = await join(office);
    const handle = await tasks.start(client, 'slow');
    const waiting = expect(handle.result()).rejects.toMatchObject({ name: 'ConnectionError' });
    await turn();
    await client.close();
    await waiting;
    expect(office.diary).toEqual(['slow began']);
  });
});
