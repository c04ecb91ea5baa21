import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../../test/fixtures/http/era-talk.ts';
import type { HttpAcceptOptions } from '../../channels/channel.ts';
import type { Call } from '../../protocol/call.ts';

guardRejections();

type Router = ReturnType<typeof testRouter>;

function talk(handlers: Handlers = {}, options: HttpAcceptOptions = {}): HttpTalk & { router: Router } {
  const router = testRouter({ 'tools/call': () => ({ value: { content: [] } }), ...handlers });
  return Object.assign(new HttpTalk(router, options), { router });
}

/** A handler that waits until it is let go. */
function held(): { handlers: Handlers; calls: Call[]; finish(): void } {
  const waiting: (() => void)[] = [];
  const calls: Call[] = [];
  const handlers: Handlers = {
    'tools/call': call => {
      calls.push(call);
      return new Promise(resolve => waiting.push(() => resolve({ value: { content: [] } })));
    },
  };
  return { handlers, calls, finish: () => waiting.shift()?.() };
}

const jsonOnly = { accepts: { json: true, stream: false } };

describe('a session', () => {
  it('is opened by initialize under an id that nobody can guess', async () => {
    const served = talk();
    const [one, two] = [await served.open(), await served.open()];
    expect(one).toMatch(/^[\x21-\x7e]{20,}$/);
    expect(two).not.toBe(one);
    expect((await served.ask('tools/call', {}, { session: one }).done).status).toBe(200);
  });

  it('is opened whatever the version header says, and answered with a revision that is served', async () => {
    const asked = { headers: { 'mcp-protocol-version': '1999-01-01' } };
    const reply = await talk().ask('initialize', { protocolVersion: '1999-01-01' }, asked).done;
    expect([reply.status, reply.body?.result?.protocolVersion]).toEqual([200, '2025-11-25']);
  });

  it('takes notifications and answers with 202', async () => {
    const served = talk();
    const session = await served.open();
    const told = [
      served.tell('notifications/initialized', {}, { session }),
      served.send({ jsonrpc: '2.0', id: 9, result: {} }, { session }),
    ];
    expect(told.map(({ status, body }) => [status, body])).toEqual([
      [202, undefined],
      [202, undefined],
    ]);
  });

  it.each(['POST', 'GET', 'DELETE'] as const)(
    'must be named by a %s, and be one that is there',
    async method => {
      const served = talk();
      await served.open();
      const body = method === 'POST' ? { jsonrpc: '2.0', id: 5, method: 'ping' } : undefined;
      expect((await served.send(body, { method }).done).status).toBe(400);
      const unknown = await served.send(body, { method, session: 'no-such-session' }).done;
      expect(unknown.status).toBe(404);
      expect(unknown.body?.id).toBe(method === 'POST' ? 5 : null);
    },
  );

  it('belongs to who opened it: to others there is none', async () => {
    const served = talk();
    const session = await served.open('2025-11-25', { principal: 'alice' });
    expect(served.ask('ping', {}, { session, principal: 'alice' }).status).toBe(200);
    expect(served.ask('ping', {}, { session, principal: 'bob' }).status).toBe(404);
    expect(served.ask('ping', {}, { session }).status).toBe(404);
    expect(served.send(undefined, { method: 'DELETE', session, principal: 'bob' }).status).toBe(404);
    expect(served.ask('ping', {}, { session, principal: 'alice' }).status).toBe(200);
  });

  it('tells handlers who calls', async () => {
    const served = talk();
    const session = await served.open('2025-11-25', { principal: 'alice' });
    await served.ask('tools/call', {}, { session, principal: 'alice' }).done;
    expect(served.router.calls[0]?.principal).toBe('alice');
  });

  it.each([
    ['2025-03-26', 200],
    ['2025-06-18', 200],
    ['2025-11-25', 200],
    ['1999-01-01', 400],
    ['nonsense', 400],
    [undefined, 200],
  ])('takes the version header %s with status %s', async (version, status) => {
    const served = talk();
    const session = await served.open('2025-06-18');
    const headers: Record<string, string> = version === undefined ? {} : { 'mcp-protocol-version': version };
    expect(served.ask('ping', {}, { session, headers }).status).toBe(status);
  });

  it('is ended by DELETE: calls are aborted, streams end, and the id is unknown from then on', async () => {
    const { handlers, calls, finish } = held();
    const served = talk(handlers);
    const session = await served.open();
    const standing = served.get(session);
    const call = served.ask('tools/call', {}, { session });
    const aborted = new Promise(resolve => calls[0]?.signal.addEventListener('abort', resolve));
    expect(served.send(undefined, { method: 'DELETE', session }).status).toBe(204);
    expect(standing.complete).toBe(true);
    await aborted;
    finish();
    await call.done;
    expect(served.ask('ping', {}, { session }).status).toBe(404);
    expect(served.router.listeners).toBe(0);
  });

  it('refuses a second initialize that says something else', async () => {
    const served = talk();
    const session = await served.open();
    const reply = await served.ask('initialize', { protocolVersion: '2025-03-26' }, { session }).done;
    expect(reply.body?.error?.message).toContain('initialized already');
  });

  it('is opened anew by a client that still names one which is gone', async () => {
    const served = talk();
    const again = await served.open('2025-11-25', { session: 'gone' });
    expect(served.ask('ping', {}, { session: again }).status).toBe(200);
  });

  it('keeps the answers of two clients with the same ids apart', async () => {
    const echo: Handlers = {
      'tools/call': async call => {
        await Promise.resolve();
        call.progress(1);
        return { value: { said: call.params['said'] } };
      },
    };
    const served = talk(echo);
    const sessions = [await served.open(), await served.open()];
    const replies = sessions.map((session, index) =>
      served.ask('tools/call', { said: index, _meta: { progressToken: 1 } }, { session }, 1),
    );
    const got = await Promise.all(replies.map(reply => reply.done));
    expect(got.map(reply => reply.answer?.result?.said)).toEqual([0, 1]);
    expect(got.map(reply => reply.messages.length)).toEqual([2, 2]);
  });
});

describe('the reply to a POST of a session', () => {
  it('carries what the handler says on its way, and then the answer', async () => {
    const served = talk({
      'tools/call': call => {
        call.log('error', 'careful');
        return { value: { content: [] } };
      },
    });
    const session = await served.open();
    const reply = await served.ask('tools/call', {}, { session }).done;
    expect(reply.messages.map(({ method }) => method)).toEqual(['notifications/message', undefined]);
    const plain = await served.ask('tools/call', {}, { session, ...jsonOnly }).done;
    expect([plain.streamed, plain.body?.result]).toEqual([false, { content: [] }]);
  });

  it('is not lost on a handler whose client has left', async () => {
    const { handlers, calls, finish } = held();
    const served = talk(handlers);
    const session = await served.open();
    const reply = served.ask('tools/call', {}, { session });
    reply.leave();
    expect(calls[0]?.signal.aborted).toBe(false);
    finish();
    await Promise.resolve();
    expect(reply.events).toEqual([]);
  });

  it('aborts the handler of a client that left, where that is wanted', async () => {
    const { handlers, calls, finish } = held();
    const served = talk(handlers, { abortOnDisconnect: true });
    const session = await served.open();
    served.ask('tools/call', {}, { session }).leave();
    expect(calls[0]?.signal.aborted).toBe(true);
    finish();
  });

  it('ends when its call is cancelled by another POST', async () => {
    const { handlers, calls, finish } = held();
    const served = talk(handlers);
    const session = await served.open();
    const stream = served.ask('tools/call', {}, { session }, 'a');
    const whole = served.ask('tools/call', {}, { session, ...jsonOnly }, 'b');
    for (const requestId of ['a', 'b']) served.tell('notifications/cancelled', { requestId }, { session });
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect([stream.complete, stream.messages, whole.status]).toEqual([true, [], 204]);
    finish();
    finish();
  });

  it.each<[string, unknown, number]>([
    ['a request without version member', { id: 3, method: 'ping' }, 200],
    ['an id that is none', { jsonrpc: '2.0', id: null, method: 'ping' }, 400],
    ['no object', 'hello', 400],
    ['an empty batch', [], 400],
    ['a batch in a revision without', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400],
  ])('to %s says what is wrong', async (_what, body, status) => {
    const served = talk();
    const session = await served.open();
    const reply = await served.send(body, { session }).done;
    expect([reply.status, reply.body?.error?.code]).toEqual([status, -32600]);
  });

  it('to a batch is an array, where the revision has them', async () => {
    const served = talk();
    const session = await served.open('2025-03-26');
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} },
    ];
    const reply = await served.send(batch, { session }).done;
    expect((reply.body as unknown as { id: number }[]).map(({ id }) => id).sort()).toEqual([1, 2]);
    const silent = [{ jsonrpc: '2.0', method: 'notifications/initialized' }];
    expect(served.send(silent, { session }).status).toBe(202);
  });

  it('to a batch whose members were all cancelled ends', async () => {
    const { handlers, finish } = held();
    const served = talk(handlers);
    const session = await served.open('2025-03-26');
    const reply = served.send([{ jsonrpc: '2.0', id: 1, method: 'tools/call' }], { session });
    served.tell('notifications/cancelled', { requestId: 1 }, { session });
    expect([reply.complete, reply.messages]).toEqual([true, []]);
    finish();
  });

  it('to a batch whose members were all cancelled, by one of them or later, ends', async () => {
    const { handlers, finish } = held();
    const served = talk(handlers);
    const session = await served.open('2025-03-26');
    const call = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/call' });
    const cancel = (requestId: number): object => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    for (const batch of [
      [call(1), cancel(1)],
      [call(2), call(3), cancel(2), cancel(3)],
    ]) {
      const reply = served.send(batch, { session });
      expect([reply.complete, reply.messages]).toEqual([true, []]);
    }
    const reply = served.send([call(4), cancel(4), call(5)], { session });
    expect(reply.complete).toBe(false);
    served.send(cancel(5), { session });
    expect([reply.complete, reply.messages]).toEqual([true, []]);
    finish();
  });

  it('to a batch of too many is one error, whatever they are', async () => {
    const served = talk();
    const session = await served.open('2025-03-26');
    for (const member of [1, { jsonrpc: '2.0', id: 1, method: 'ping' }]) {
      const reply = await served.send(Array(1_001).fill(member), { session }).done;
      expect([reply.status, reply.body?.error?.code]).toEqual([400, -32600]);
    }
  });

  it('is a stream when the client prefers that, even where there is nothing else to say', async () => {
    const served = talk();
    const session = await served.open();
    const accepts = { json: true, stream: true, prefersStream: true };
    const reply = await served.ask('ping', {}, { session, accepts }).done;
    expect([reply.streamed, reply.messages.length]).toEqual([true, 1]);
    expect(served.tell('notifications/initialized', {}, { session, accepts }).status).toBe(202);
  });
});
