import { describe, expect, it } from 'vitest';
import { elicit } from '../../../test/fixtures/eras/questions.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../../test/fixtures/http/era-talk.ts';

guardRejections();

function talk(handlers: Handlers = {}): HttpTalk & { router: ReturnType<typeof testRouter> } {
  const router = testRouter({ 'tools/call': () => ({ value: { content: [] } }), ...handlers });
  return Object.assign(new HttpTalk(router), { router });
}

const streamOnly = { accepts: { json: false, stream: true } };
const jsonOnly = { accepts: { json: true, stream: false } };

const asking: Handlers = {
  'tools/call': async call => ({ value: { said: await call.ask('name', elicit('Who?')) } }),
};

describe('what a call logs', () => {
  it('goes on the standing stream when the call takes no stream, and its progress goes nowhere', async () => {
    const served = talk({
      'tools/call': call => {
        call.log('error', 'loud');
        call.progress(1);
        return { value: { content: [] } };
      },
    });
    const session = await served.open();
    const standing = served.get(session);
    const params = { name: 'speak', _meta: { progressToken: 1 } };
    expect(
      (await served.ask('tools/call', params, { session, ...jsonOnly }).done).body?.result,
    ).toBeDefined();
    const [entry, ...others] = standing.messages;
    expect(entry).toMatchObject({
      method: 'notifications/message',
      params: { level: 'error', data: 'loud' },
    });
    expect(others).toEqual([]);
  });
});

describe('a question to the client of a session', () => {
  const answered = { action: 'accept', content: { name: 'Ada' } };

  it('goes on the stream of the call that asks, and its answer comes by another POST', async () => {
    const served = talk(asking);
    const session = await served.open();
    const standing = served.get(session);
    const reply = served.ask('tools/call', {}, { session });
    const [question] = (await reply.until(() => reply.messages.length > 0)).messages;
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
    const told = served.send({ jsonrpc: '2.0', id: question?.id, result: answered }, { session });
    expect(told.status).toBe(202);
    expect((await reply.done).answer?.result?.said).toEqual(answered);
    expect(standing.messages).toEqual([]);
  });

  it('goes on the standing stream when the call takes no stream', async () => {
    const served = talk(asking);
    const session = await served.open();
    const standing = served.get(session);
    const reply = served.ask('tools/call', {}, { session, ...jsonOnly });
    const [question] = (await standing.until(() => standing.messages.length > 0)).messages;
    served.send({ jsonrpc: '2.0', id: question?.id, result: answered }, { session });
    expect((await reply.done).body?.result?.said).toEqual(answered);
  });

  it('fails at once when there is no stream at all', async () => {
    const served = talk(asking);
    const session = await served.open();
    const reply = await served.ask('tools/call', {}, { session, ...jsonOnly }).done;
    expect(reply.body?.error?.message).toContain('no event stream open');
  });

  it('is answered in its own session alone', async () => {
    const served = talk(asking);
    const [one, two] = [await served.open(), await served.open()];
    const reply = served.ask('tools/call', {}, { session: one });
    const [question] = (await reply.until(() => reply.messages.length > 0)).messages;
    served.send({ jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } }, { session: two });
    served.send({ jsonrpc: '2.0', id: question?.id, result: answered }, { session: one });
    expect((await reply.done).answer?.result?.said).toEqual(answered);
  });
});

describe('the standing stream of a session', () => {
  it('carries changes, and nothing of running calls', async () => {
    const served = talk();
    const session = await served.open();
    const standing = served.get(session);
    await served.ask('tools/call', {}, { session, ...streamOnly }).done;
    served.router.change({ kind: 'tools' });
    expect(standing.messages).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  });

  it('may be opened again before the old one is known to be gone: the newest gets each message', async () => {
    const served = talk();
    const session = await served.open();
    const [old, young] = [served.get(session), served.get(session)];
    served.router.change({ kind: 'tools' });
    young.leave();
    served.router.change({ kind: 'prompts' });
    expect([young.messages.length, old.messages.length]).toEqual([1, 1]);
    expect(old.messages[0]?.method).toBe('notifications/prompts/list_changed');
  });

  it('is ended when there are too many of them', async () => {
    const served = talk();
    const session = await served.open();
    const streams = Array.from({ length: 6 }, () => served.get(session));
    expect(streams.map(({ complete }) => complete)).toEqual([true, true, false, false, false, false]);
  });

  it('is not needed: changes without one are dropped', async () => {
    const served = talk();
    const session = await served.open();
    served.router.change({ kind: 'tools' });
    expect(served.get(session).messages).toEqual([]);
  });
});
