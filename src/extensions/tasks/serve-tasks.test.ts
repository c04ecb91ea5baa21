import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { tool } from '../../tools/tool.ts';
import { question, TaskTalk, taskIdOf, taskServer } from './fixtures/task-server.ts';

guardRejections();

const id = 'io.modelcontextprotocol/tasks';
const neverDeclared = { elicitation: { form: {} } };
const answers = (given: Record<string, string>): object =>
  Object.fromEntries(
    Object.entries(given).map(([key, name]) => [key, { action: 'accept', content: { name } }]),
  );

describe('a server with tasks', () => {
  it('says so when it is discovered, and nothing of tasks as older revisions had them', async () => {
    const { result } = await new TaskTalk(taskServer().server).send('server/discover');
    expect(result?.capabilities?.['extensions']).toEqual({ [id]: {} });
    expect(result?.capabilities?.['tasks']).toBeUndefined();
  });

  it('answers the call of a marked tool with a flat task that can be looked at once', async () => {
    const { server } = taskServer();
    const talk = new TaskTalk(server);
    const { result } = await talk.send('tools/call', { name: 'slow', arguments: {}, task: { ttl: 5 } });
    const { _meta, ...task } = result ?? {};
    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      lastUpdatedAt: expect.any(String),
      ttlMs: 3_600_000,
      pollIntervalMs: 1000,
    });
    const look = await talk.send('tasks/get', { taskId: task.taskId });
    expect(look.result).toMatchObject({ resultType: 'complete', taskId: task.taskId, status: 'working' });
    expect(look.result).not.toHaveProperty('principal');
  });

  it('goes on with the handler after the answer and keeps what it comes to', async () => {
    const { server, open, diary } = taskServer();
    const talk = new TaskTalk(server);
    const taskId = await talk.begin('slow');
    expect(await talk.look(taskId)).toMatchObject({ status: 'working', statusMessage: 'half way' });
    open();
    const done = await talk.look(taskId);
    expect(done).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'done' }] },
    });
    expect(done.result).not.toHaveProperty('_meta');
    expect(diary).toEqual(['slow began', 'slow ended']);
    expect(await talk.look(taskId)).toEqual(done);
    expect(talk.notifications).toEqual([]);
  });

  it('completes a task whose tool failed and fails one whose request did', async () => {
    const { server } = taskServer();
    const talk = new TaskTalk(server);
    const failing = await talk.look(await talk.begin('failing_job'));
    expect(failing).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(failing).not.toHaveProperty('error');
    const broken = await talk.look(await talk.begin('protocol_error_job'));
    expect(broken).toMatchObject({
      status: 'failed',
      statusMessage: 'no printer',
      error: { code: -32603, message: 'no printer', data: { floor: 3 } },
    });
    expect(broken).not.toHaveProperty('result');
  });

  it('leaves tools without the mark alone', async () => {
    const { result } = await new TaskTalk(taskServer().server).send('tools/call', {
      name: 'greet',
      arguments: { name: 'Ann' },
    });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'Hello, Ann!' }] });
  });
});

describe('a client that does not declare tasks', () => {
  it('gets the result itself of a tool that may run as a task, and a refusal of one that must', async () => {
    const { server, open } = taskServer();
    const talk = new TaskTalk(server);
    open();
    const plain = await talk.send('tools/call', { name: 'slow', arguments: {} }, neverDeclared);
    expect(plain.result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
    const refused = await talk.send('tools/call', { name: 'failing_job', arguments: {} }, neverDeclared);
    expect(refused.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [id]: {} } } },
    });
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'is refused %s, whatever it declared before',
    async method => {
      const talk = new TaskTalk(taskServer().server);
      const taskId = await talk.begin('slow');
      const { error } = await talk.send(method, { taskId, inputResponses: {} }, {});
      expect(error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [id]: {} } } },
      });
    },
  );

  it('is none of the newest revision: there tools run at once and the methods are not there', async () => {
    const { server, open } = taskServer();
    const talk = new TaskTalk(server);
    await talk.initialize('2025-11-25', { capabilities: { extensions: { [id]: {} } } });
    open();
    const task = { ttl: 60_000 };
    const called = await talk.ask('tools/call', { name: 'slow', arguments: {}, task });
    expect(called.result).toMatchObject({ content: [{ text: 'done' }] });
    expect((await talk.ask('tools/call', { name: 'failing_job', arguments: {} })).error?.code).toBe(-32600);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
      expect((await talk.ask(method, { taskId: 'x' })).error?.code).toBe(-32601);
    }
  });
});

describe('the methods of tasks', () => {
  it.each([
    ['tasks/get', {}, -32602],
    ['tasks/get', { taskId: 7 }, -32602],
    ['tasks/get', { taskId: '' }, -32602],
    ['tasks/get', { taskId: '__proto__' }, -32602],
    ['tasks/get', { taskId: 'x'.repeat(100_000) }, -32602],
    ['tasks/get', { taskId: ['a'] }, -32602],
    ['tasks/update', { taskId: 'nope', inputResponses: {} }, -32602],
    ['tasks/cancel', { taskId: 'nope' }, -32602],
    ['tasks/cancel', { taskId: null }, -32602],
    ['tasks/result', { taskId: 'nope' }, -32601],
    ['tasks/list', {}, -32601],
  ])('answer %s with odd parameters %#', async (method, params, code) => {
    const { error } = await new TaskTalk(taskServer().server).send(method, params);
    expect(error?.code).toBe(code);
    expect(error?.message.length).toBeLessThan(300);
  });

  it('refuse answers that are no object', async () => {
    const talk = new TaskTalk(taskServer().server);
    const taskId = await talk.begin('two_questions');
    for (const inputResponses of [undefined, null, 'yes', ['yes']]) {
      expect((await talk.send('tasks/update', { taskId, inputResponses })).error?.code).toBe(-32602);
    }
    expect((await talk.look(taskId)).status).toBe('input_required');
  });

  it('know a task only for the principal whose call it was', async () => {
    const { server } = taskServer();
    const ann = new TaskTalk(server, { principal: 'ann' });
    const bob = new TaskTalk(server, { principal: 'bob' });
    const nobody = new TaskTalk(server);
    const taskId = await ann.begin('slow');
    for (const other of [bob, nobody]) {
      const unknown = await other.send('tasks/get', { taskId: crypto.randomUUID() });
      expect(unknown.error?.code).toBe(-32602);
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
        const { error } = await other.send(method, { taskId, inputResponses: {} });
        expect(error?.code).toBe(-32602);
      }
    }
    expect((await ann.look(taskId)).status).toBe('working');
    expect((await new TaskTalk(server, { principal: 'ann' }).look(taskId)).status).toBe('working');
  });
});

describe('a question inside a task', () => {
  it('stays open until tasks/update answers it; others beside it stay open too', async () => {
    const talk = new TaskTalk(taskServer().server);
    const taskId = await talk.begin('two_questions');
    const asking = await talk.look(taskId);
    expect(asking.status).toBe('input_required');
    expect(asking.inputRequests).toEqual({
      first: { method: 'elicitation/create', params: question('One?') },
      second: { method: 'elicitation/create', params: question('Two?') },
    });
    const update = { taskId, inputResponses: { ...answers({ first: 'a' }), stranger: { action: 'accept' } } };
    const { result } = await talk.send('tasks/update', update);
    expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    const half = await talk.look(taskId);
    expect([half.status, Object.keys(half.inputRequests ?? {})]).toEqual(['input_required', ['second']]);
    // A key that was answered is stale.
    await talk.send('tasks/update', { taskId, inputResponses: answers({ first: 'z' }) });
    await talk.send('tasks/update', { taskId, inputResponses: answers({ second: 'b', first: 'z' }) });
    expect(await talk.look(taskId)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'a and b' }] },
    });
    expect(
      (await talk.send('tasks/update', { taskId, inputResponses: answers({ second: 'c' }) })).error,
    ).toBeUndefined();
  });

  it('fails the task when the client said it takes no such question', async () => {
    const talk = new TaskTalk(taskServer().server);
    const created = await talk.send(
      'tools/call',
      { name: 'two_questions', arguments: {} },
      { extensions: { [id]: {} } },
    );
    await turn();
    expect(await talk.look(taskIdOf(created))).toMatchObject({
      status: 'failed',
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
    });
  });

  it('belongs to its key: another question under the same key is a mistake of the tool', async () => {
    const repeat = tool({
      name: 'repeat',
      description: 'Asks two things under one key.',
      task: 'required',
      async run(_args, ctx) {
        const asked = [ctx.elicit('name', question('One?')), ctx.elicit('name', question('Two?'))];
        return (await Promise.allSettled(asked)).map(({ status }) => status).join();
      },
    });
    const talk = new TaskTalk(taskServer({}, [repeat]).server);
    const taskId = await talk.begin('repeat');
    expect((await talk.look(taskId)).inputRequests).toEqual({
      name: { method: 'elicitation/create', params: question('One?') },
    });
    await talk.send('tasks/update', { taskId, inputResponses: answers({ name: 'a' }) });
    expect((await talk.look(taskId)).result?.content?.[0]?.text).toBe('fulfilled,rejected');
  });
});

describe('watching tasks', () => {
  const listen = (talk: TaskTalk, taskIds: readonly string[], declared?: object): Promise<unknown> => {
    const first = talk.next(() => true);
    void talk.send('subscriptions/listen', { notifications: { taskIds } }, declared);
    return first;
  };

  it('tells the owner of each change, with all that a look would find', async () => {
    const { server } = taskServer();
    const ann = new TaskTalk(server, { principal: 'ann' });
    const bob = new TaskTalk(server, { principal: 'bob' });
    const taskId = await ann.begin('two_questions');
    expect(await listen(bob, [taskId])).toMatchObject({ params: { notifications: { taskIds: [] } } });
    const acknowledged = await listen(ann, [taskId, 'unknown', taskId]);
    expect(acknowledged).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId, taskId] } },
    });
    const inputResponses = answers({ first: 'a', second: 'b' });
    await ann.send('tasks/update', { taskId, inputResponses });
    await turn();
    const told = ann.notifications.filter(({ method }) => method === 'notifications/tasks');
    expect(told.map(({ params }) => params?.status)).toEqual(['working', 'completed']);
    const { _meta, ...last } = told.at(-1)?.params ?? {};
    expect(_meta?.['io.modelcontextprotocol/subscriptionId']).toEqual(expect.any(Number));
    const { _meta: _server, resultType, ...look } = await ann.look(taskId);
    expect(last).toEqual(look);
    expect(bob.notifications.filter(({ method }) => method === 'notifications/tasks')).toEqual([]);
  });

  it('is refused to a client that does not declare tasks, which may watch all else', async () => {
    const talk = new TaskTalk(taskServer().server);
    expect(await listen(talk, ['x'], {})).toMatchObject({ error: { code: -32021 } });
    const first = talk.next(() => true);
    void talk.send('subscriptions/listen', { notifications: { toolsListChanged: true } }, {});
    expect(await first).toMatchObject({ params: { notifications: { toolsListChanged: true } } });
  });

  it('ends with the connection', async () => {
    const { server } = taskServer();
    const talk = new TaskTalk(server);
    const taskId = await talk.begin('two_questions');
    await listen(talk, [taskId]);
    await talk.inlet.close(new Error('gone'));
    const before = talk.got.length;
    await new TaskTalk(server).send('tasks/cancel', { taskId });
    await turn();
    expect(talk.got.length).toBe(before);
  });
});
