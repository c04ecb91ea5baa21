import { describe, expect, it } from 'vitest';
import { elicit } from '../../../test/fixtures/eras/questions.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../../test/fixtures/http/era-talk.ts';

guardRejections();

const asking: Handlers = {
  'tools/call': async call => ({ value: { said: await call.ask('name', elicit('Who?')) } }),
  'tools/list': call => ({ value: { seen: [call.client.revision, call.client.capabilities] } }),
};
const answered = { action: 'accept', content: {} };

describe.each([false, 'none'] as const)('a server with sessions: %s', sessions => {
  const talk = (): HttpTalk & { router: ReturnType<typeof testRouter> } => {
    const router = testRouter(asking);
    return Object.assign(new HttpTalk(router, { sessions }), { router });
  };

  it('opens none, keeps nothing, and serves requests that never introduced themselves', async () => {
    const served = talk();
    const opened = await served.ask('initialize', { protocolVersion: '2025-06-18' }).done;
    expect(opened.body?.result?.protocolVersion).toBe('2025-06-18');
    expect(opened.headers).not.toHaveProperty('Mcp-Session-Id');
    expect(served.router.listeners).toBe(0);
    const headers = { 'mcp-protocol-version': '2025-06-18' };
    const listed = await served.ask('tools/list', {}, { headers }).done;
    expect(listed.body?.result?.seen?.[0]).toBe('2025-06-18');
    expect((await served.ask('tools/list', {}).done).body?.result?.seen?.[0]).toBe('2025-03-26');
    expect(served.clock.pending).toBeLessThanOrEqual(1);
  });

  it('has no streams but those of requests', () => {
    const served = talk();
    expect(served.get(undefined)).toMatchObject({ status: 405, headers: { Allow: 'POST' } });
    expect(served.send(undefined, { method: 'DELETE', session: 'x' }).status).toBe(405);
  });

  it('ignores the id of a session that some other node had', async () => {
    expect((await talk().ask('tools/list', {}, { session: 'other' }).done).status).toBe(200);
  });

  it('lets its calls finish when it is closed, and aborts those that take too long', async () => {
    const ends: (() => void)[] = [];
    let aborted = 0;
    const served = new HttpTalk(
      testRouter({
        'tools/call': call =>
          new Promise((resolve, reject) => {
            ends.push(() => resolve({ value: { content: [] } }));
            call.signal.addEventListener('abort', () => {
              aborted += 1;
              reject(call.signal.reason as Error);
            });
          }),
      }),
      { sessions },
    );
    const [quick, slow] = [served.ask('tools/call', {}), served.ask('tools/call', {})];
    const closing = served.acceptor.close(new DOMException('the server was closed', 'AbortError'), 2000);
    ends[0]?.();
    expect((await quick.done).answer?.result).toEqual({ content: [] });
    expect(slow.complete).toBe(false);
    served.clock.advance(2000);
    expect((await slow.done).answer?.error?.message).toContain('the server is closing');
    await closing;
    expect([aborted, served.clock.pending]).toEqual([1, 0]);
  });

  it('refuses a revision that it does not serve', () => {
    const headers = { 'mcp-protocol-version': 'nonsense' };
    expect(talk().ask('tools/list', {}, { headers }).status).toBe(400);
  });
});

describe('a server without sessions', () => {
  it('finds the question that an answer belongs to by its id, which nobody else can guess', async () => {
    const served = new HttpTalk(testRouter(asking), { sessions: false });
    const replies = [served.ask('tools/call', {}, {}, 1), served.ask('tools/call', {}, {}, 1)];
    const asked = await Promise.all(
      replies.map(async reply => (await reply.until(() => reply.messages.length > 0)).messages[0]),
    );
    expect(asked[0]?.id).toMatch(/^.{20,}$/);
    expect(asked[0]?.id).not.toBe(asked[1]?.id);
    for (const [index, question] of [...asked.entries()].reverse()) {
      served.send({ jsonrpc: '2.0', id: question?.id, result: { ...answered, content: { index } } });
    }
    const got = await Promise.all(replies.map(reply => reply.done));
    expect(got.map(reply => reply.answer?.result?.said?.content?.index)).toEqual([0, 1]);
  });

  it('takes an answer from who was asked alone', async () => {
    const served = new HttpTalk(testRouter(asking), { sessions: false });
    const reply = served.ask('tools/call', {}, { principal: 'alice' });
    const [question] = (await reply.until(() => reply.messages.length > 0)).messages;
    const answer = { jsonrpc: '2.0', id: question?.id, result: answered };
    const forged = { ...answer, result: { action: 'decline' } };
    served.send(forged, { principal: 'bob' });
    served.send({ ...forged, id: 1 }, { principal: 'alice' });
    expect(served.send(answer, { principal: 'alice' }).status).toBe(202);
    expect((await reply.done).answer?.result?.said).toEqual(answered);
  });

  it('waits for no answer of a client that left', async () => {
    let reason: unknown;
    const handlers: Handlers = {
      'tools/call': call => call.ask('name', elicit('Who?')).catch(error => (reason = error)) as never,
    };
    const served = new HttpTalk(testRouter(handlers), { sessions: false });
    const reply = served.ask('tools/call', {});
    await reply.until(() => reply.messages.length > 0);
    reply.leave();
    await new Promise(resolve => setImmediate(resolve));
    expect(reason).toMatchObject({ message: expect.stringContaining('the client left') });
  });

  it('asks nobody when it is told so', async () => {
    const lists = await new HttpTalk(testRouter(asking), { sessions: 'none' }).ask('tools/list', {}).done;
    expect(lists.body?.result?.seen?.[1]).toEqual({});
    const asks = await new HttpTalk(testRouter(asking), { sessions: false }).ask('tools/list', {}).done;
    expect(asks.body?.result?.seen?.[1]).toHaveProperty('elicitation');
  });
});
