import { describe, expect, it } from 'vitest';
import { elicit } from '../../../test/fixtures/eras/questions.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { type Asked, HttpTalk, type Reply } from '../../../test/fixtures/http/era-talk.ts';

guardRejections();

const asking: Handlers = {
  'tools/call': async call => ({ value: { said: await call.ask('name', elicit('Who?')) } }),
};

function talk(options: { maxSessions?: number } = {}): HttpTalk & { router: ReturnType<typeof testRouter> } {
  const router = testRouter(asking);
  return Object.assign(new HttpTalk(router, { sse: true, ...options }), { router });
}

/** Opens the stream; gives it with the address that it names. */
function connect(served: HttpTalk, asked: Asked = {}): { stream: Reply; url: string } {
  const stream = served.get(undefined, asked);
  return { stream, url: `/mcp${String(stream.events[0]?.data)}` };
}

const opening = {
  protocolVersion: '2024-11-05',
  capabilities: {},
  clientInfo: { name: 'old', version: '0' },
};
const answers = (stream: Reply): unknown[] => stream.messages.map(({ id }) => id);

describe('the transport of two endpoints', () => {
  it('names an address first, takes messages there, and answers on the stream', async () => {
    const served = talk();
    const { stream, url } = connect(served);
    expect(stream.events[0]).toEqual({
      event: 'endpoint',
      data: expect.stringMatching(/^\?session=[\w-]{20,}$/),
    });
    expect(served.ask('initialize', opening, { url }, 1)).toMatchObject({ status: 202, body: undefined });
    served.tell('notifications/initialized', {}, { url });
    served.ask('tools/call', {}, { url }, 2);
    await stream.until(() => stream.messages.some(({ method }) => method === 'elicitation/create'));
    const question = stream.messages.at(-1);
    served.send({ jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } }, { url });
    await stream.until(() => answers(stream).includes(2));
    expect(stream.messages[0]?.result?.protocolVersion).toBe('2024-11-05');
    expect(stream.messages.at(-1)?.result?.said).toEqual({ action: 'decline' });
    served.router.change({ kind: 'tools' });
    expect(stream.messages.at(-1)?.method).toBe('notifications/tools/list_changed');
  });

  it('ends with its stream: calls are aborted, and the address is gone', async () => {
    const served = talk();
    const { stream, url } = connect(served);
    served.ask('initialize', opening, { url });
    served.ask('tools/call', {}, { url });
    const call = served.router.calls[0];
    const aborted = new Promise(resolve => call?.signal.addEventListener('abort', resolve));
    stream.leave();
    await aborted;
    expect(served.ask('ping', {}, { url }).status).toBe(404);
    expect(served.router.listeners).toBe(0);
  });

  it('belongs to who opened it', () => {
    const served = talk();
    const { url } = connect(served, { principal: 'alice' });
    expect(served.ask('ping', {}, { url, principal: 'bob' }).status).toBe(404);
    expect(served.ask('ping', {}, { url, principal: 'alice' }).status).toBe(202);
  });

  it('stands beside the others on one path', async () => {
    const served = talk();
    const session = await served.open();
    expect(served.get(session).events).toEqual([]);
    expect(served.ask('ping', {}, { session }).status).toBe(200);
    expect((await served.stateless('tools/list').done).status).toBe(404);
    const newer = { headers: { 'mcp-protocol-version': '2025-11-25' } };
    expect(served.get(undefined, newer).status).toBe(400);
  });

  it('leaves alone who calls by an address with a parameter of the same name', async () => {
    const served = talk();
    const { url } = connect(served);
    expect((await served.stateless('tools/list', {}, { url }).done).status).toBe(404);
    expect((await served.stateless('tools/list', {}, { url }).done).body?.error?.code).toBe(-32601);
    const own = { url: '/mcp?session=mine' };
    const session = await served.open('2025-11-25', own);
    expect(served.ask('ping', {}, { ...own, session }).status).toBe(200);
  });

  it('has as many clients as the limit lets it, none of them idle', async () => {
    const served = talk({ maxSessions: 1 });
    const { stream } = connect(served);
    served.clock.advance(24 * 3_600_000);
    expect([stream.complete, served.get(undefined).status]).toEqual([false, 503]);
    await served.acceptor.close('over');
    expect([stream.complete, served.clock.pending]).toEqual([true, 0]);
  });

  it('is not served unless it is asked for', () => {
    expect(new HttpTalk(testRouter()).get(undefined).status).toBe(400);
  });
});
