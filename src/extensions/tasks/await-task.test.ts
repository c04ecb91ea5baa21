import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { memoryChannel } from '../../channels/memory.ts';
import { type Client, connect } from '../../client/client.ts';
import type { ClientOptions } from '../../client/options.ts';
import { EraMemory } from '../../eras/index.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import { drive, patient, scriptedTask, seed } from './fixtures/scripted-tasks.ts';
import { type TaskServerFixture, taskServer } from './fixtures/task-server.ts';
import { TaskCancelledError } from './task-cancelled.ts';
import { tasks } from './tasks.ts';

guardRejections();

const done = { status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };
const elicitation = { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } };
const asks = (...keys: string[]): object => ({
  status: 'input_required',
  inputRequests: Object.fromEntries(keys.map(key => [key, elicitation])),
});

function join(
  { server, clock }: TaskServerFixture,
  replyStreams: boolean,
  options: ClientOptions = {},
): Promise<Client> {
  return connect(memoryChannel(server, { replyStreams }), {
    clock,
    eraMemory: new EraMemory(),
    extensions: [tasks()],
    timeouts: patient,
    ...options,
  });
}

describe.each([
  ['one pipe', false],
  ['reply streams', true],
])('a client and a server with tasks, over %s', (_shape, replyStreams) => {
  it('make of a task a call like any other', async () => {
    const office = taskServer();
    await using client = await join(office, replyStreams);
    const progress: unknown[] = [];
    const call = client.call('slow', {}, { onProgress: each => void progress.push(each) });
    for (let turns = 0; turns < 3; turns += 1) await turn();
    office.clock.advance(1000);
    for (let turns = 0; turns < 3; turns += 1) await turn();
    office.open();
    expect(await drive(office.clock, call)).toEqual({
      content: [{ type: 'text', text: 'done' }],
      isError: false,
    });
    expect(progress).toEqual([{ progress: 1, message: 'half way' }]);
  });

  it('tell failures of the tool from failures of the request', async () => {
    const office = taskServer();
    await using client = await join(office, replyStreams);
    expect(await drive(office.clock, client.call('failing_job'))).toMatchObject({ isError: true });
    await expect(drive(office.clock, client.call('protocol_error_job'))).rejects.toMatchObject({
      name: 'ProtocolError',
      code: codes.internalError,
      reason: 'no printer',
      data: { floor: 3 },
      method: 'tools/call',
    });
  });

  it('answer what is asked before the task in rounds and what is asked in it on the way', async () => {
    const office = taskServer();
    const asked: string[] = [];
    await using client = await join(office, replyStreams, {
      onElicit: question => {
        asked.push(question.message);
        return { action: 'accept', content: { name: question.message === 'Who?' ? 'Ann' : 'Bob' } };
      },
    });
    const result = await drive(office.clock, client.call('ask_then_start'));
    expect(result.content).toEqual([{ type: 'text', text: 'Ann and Bob' }]);
    expect(asked).toEqual(['Who?', 'And who else?']);
    const both = await drive(office.clock, client.call('two_questions'));
    expect(both.content).toEqual([{ type: 'text', text: 'Bob and Bob' }]);
  });

  it('cancel the task when its caller gives up', async () => {
    const office = taskServer();
    await using client = await join(office, replyStreams);
    const controller = new AbortController();
    const call = client.call('slow', {}, { signal: controller.signal });
    const outcome = expect(call).rejects.toThrow('enough');
    await turn();
    office.clock.advance(1000);
    await turn();
    controller.abort(new Error('enough'));
    await outcome;
    await turn();
    expect(office.diary).toEqual(['slow began', 'slow aborted: the client cancelled the task']);
  });

  it('leave the task alone when the client is closed, and leave no timer behind', async () => {
    const office = taskServer({ ttl: null });
    const client = await join(office, replyStreams);
    const call = client.call('slow');
    const outcome = expect(call).rejects.toMatchObject({ name: 'ConnectionError' });
    await turn();
    await client.close();
    await outcome;
    await turn();
    expect(office.diary).toEqual(['slow began']);
    expect(office.clock.pending).toBe(0);
  });

  it('do without tasks in an older revision', async () => {
    const office = taskServer();
    await using client = await join(office, replyStreams, { protocol: '2025-11-25' });
    office.open();
    expect((await client.call('slow')).content).toEqual([{ type: 'text', text: 'done' }]);
    await expect(client.call('failing_job')).rejects.toMatchObject({ name: 'ProtocolError' });
  });
});

describe('awaiting a task', () => {
  it('looks at the server’s interval, which may change', async () => {
    const { client, clock, sent } = await scriptedTask([{}, { pollIntervalMs: 500 }, done]);
    const call = client.call('job');
    const looks: number[] = [];
    for (const ms of [199, 1, 199, 1, 499, 1]) {
      await turn();
      clock.advance(ms);
      await turn();
      looks.push(sent('tasks/get').length);
    }
    expect(looks).toEqual([0, 1, 1, 2, 2, 3]);
    expect((await call).content).toEqual(done.result.content);
    expect(sent('tasks/get')[0]).toEqual({ taskId: 't1' });
  });

  it.each([0, -5, 'soon', Number.NaN, null])(
    'keeps a sane interval when the server says %s',
    async pollIntervalMs => {
      const { client, clock, sent } = await scriptedTask([{}, done], {
        methods: { 'tools/call': () => ({ ...seed, pollIntervalMs }) },
      });
      const call = client.call('job');
      await turn();
      clock.advance(999);
      await turn();
      expect(sent('tasks/get')).toHaveLength(0);
      await drive(clock, call);
    },
  );

  it('asks each question once, and sends each answer as soon as it is there', async () => {
    const answers = new Map<string, () => void>();
    let asked = 0;
    const { client, clock, sent } = await scriptedTask(
      [asks('a', 'b'), asks('a', 'b'), asks('a', 'b'), asks('b'), asks('b'), done],
      {
        onElicit: () => {
          const key = asked === 0 ? 'a' : 'b';
          asked += 1;
          return new Promise(resolve => answers.set(key, () => resolve({ action: 'decline' })));
        },
      },
    );
    const call = client.call('job');
    for (let look = 0; look < 2; look += 1) {
      await turn();
      clock.advance(200);
      await turn();
    }
    expect(asked).toBe(2);
    answers.get('a')?.();
    await turn();
    expect(sent('tasks/update')).toEqual([{ taskId: 't1', inputResponses: { a: { action: 'decline' } } }]);
    clock.advance(200);
    await turn();
    answers.get('b')?.();
    await drive(clock, call, 200);
    expect(sent('tasks/update')).toHaveLength(2);
    expect(asked).toBe(2);
  });

  it('withdraws a question that the server no longer asks', async () => {
    const reasons: unknown[] = [];
    const { client, clock, sent } = await scriptedTask([asks('a'), {}, done], {
      onElicit: (_question, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason.message);
            reject(signal.reason);
          });
        }),
    });
    await drive(clock, client.call('job'));
    expect(reasons).toEqual(['the server withdrew its question']);
    expect(sent('tasks/update')).toEqual([]);
    expect(sent('tasks/cancel')).toEqual([]);
  });

  it('fails and cancels the task when a question cannot be answered', async () => {
    const { client, clock, sent } = await scriptedTask([asks('a')]);
    await expect(drive(clock, client.call('job'))).rejects.toMatchObject({ code: -32601 });
    await turn();
    expect(sent('tasks/cancel')).toEqual([{ taskId: 't1' }]);
    const odd = await scriptedTask([{ status: 'input_required', inputRequests: { a: { method: 'x' } } }]);
    await expect(drive(odd.clock, odd.client.call('job'))).rejects.toThrow(
      'a method that this client does not know',
    );
  });

  it('says by type that the task was cancelled', async () => {
    const { client, clock, sent } = await scriptedTask([
      { status: 'cancelled', statusMessage: 'fire drill' },
    ]);
    const error = await drive(
      clock,
      client.call('job').catch((thrown: unknown) => thrown),
    );
    expect(error).toBeInstanceOf(TaskCancelledError);
    expect(error).toMatchObject({ taskId: 't1', message: expect.stringContaining('fire drill') });
    expect(sent('tasks/cancel')).toEqual([]);
  });

  it('gives up a task that its server calls alive long after its time', async () => {
    const { client, clock, sent } = await scriptedTask([{}]);
    const error = await drive(
      clock,
      client.call('job').catch((thrown: unknown) => thrown),
    );
    expect(error).toMatchObject({ name: 'TimeoutError', limit: 'total', ms: 60_000 });
    expect(clock.now()).toBeGreaterThan(60_000);
    await turn();
    expect(sent('tasks/cancel')).toEqual([{ taskId: 't1' }]);
  });

  it.each([[{ taskId: 5 }], [{ taskId: '' }], [{ status: 'sleeping' }], [{ status: undefined }]])(
    'refuses a task of another shape: %j',
    async odd => {
      const { client } = await scriptedTask([{}], { methods: { 'tools/call': () => ({ ...seed, ...odd }) } });
      const error = await client.call('job').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProtocolError);
      expect((error as Error).message).toContain("the server's task cannot be used");
    },
  );

  it.each([
    [{ taskId: 'another' }],
    [{ status: 'completed' }],
    [{ status: 'completed', result: 'text' }],
    [{ status: 'failed' }],
  ])('refuses to make a result of %j', async odd => {
    const { client, clock } = await scriptedTask([odd]);
    await expect(drive(clock, client.call('job'))).rejects.toThrow("the server's task cannot be used");
  });

  it('refuses a task in answer to a list', async () => {
    const { client } = await scriptedTask([done], { methods: { 'tools/list': () => seed } });
    await expect(client.tools().all()).rejects.toThrow();
  });

  it('tells each change once', async () => {
    const seen: unknown[] = [];
    const { client, clock } = await scriptedTask(
      [{}, { statusMessage: 'one' }, { statusMessage: 'one' }, { statusMessage: 'two' }, done],
      {
        tasks: {
          onStatus: ({ taskId, status, statusMessage }) => void seen.push([taskId, status, statusMessage]),
        },
      },
    );
    const progress: unknown[] = [];
    await drive(clock, client.call('job', {}, { onProgress: each => void progress.push(each) }));
    expect(seen).toEqual([
      ['t1', 'working', undefined],
      ['t1', 'working', 'one'],
      ['t1', 'working', 'two'],
      ['t1', 'completed', undefined],
    ]);
    expect(progress).toEqual([
      { progress: 1, message: 'one' },
      { progress: 2, message: 'two' },
    ]);
  });

  it('is not disturbed by observers that throw', async () => {
    const broken = (): never => {
      throw new Error('observer');
    };
    const { client, clock } = await scriptedTask([{ statusMessage: 'one' }, done], {
      tasks: { onStatus: broken },
    });
    const result = await drive(clock, client.call('job', {}, { onProgress: broken }));
    expect(result.isError).toBe(false);
  });
});
