import { describe, expect, it } from 'vitest';
import { elicit } from '../../../test/fixtures/eras/questions.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../../test/fixtures/eras/router.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { type Got, Talk } from '../../../test/fixtures/eras/talk.ts';
import type { Call } from '../../protocol/call.ts';
import { serveEras } from '../for-servers.ts';

guardRejections();

/** Runs a handler in a session; `question` waits for the nth question that is sent. */
async function serve(handler: (call: Call) => Promise<unknown>) {
  const router = testRouter({ 'tools/call': async call => ({ value: { content: [await handler(call)] } }) });
  const talk = new Talk(serveEras(router));
  await talk.initialize('2025-11-25');
  const questions = (): readonly Got[] => talk.singles.filter(({ method, id }) => method && id !== undefined);
  const reply = (question: Got | undefined, answer: object, id = question?.id): void =>
    talk.say({ jsonrpc: '2.0', id, ...answer });
  return { router, talk, questions, reply };
}

const accept = { result: { action: 'accept' } };

describe('a question of a server in the handshake era', () => {
  it('is a request with an id of its own, and waits for its answer as long as that takes', async () => {
    const { talk, questions, reply } = await serve(call =>
      Promise.all([call.ask('a', elicit('A')), call.ask('r', { kind: 'roots' })]),
    );
    const result = talk.ask('tools/call', {}, 1);
    const [first, second] = questions();
    expect([first, second]).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: elicit('A').params },
      { jsonrpc: '2.0', id: 2, method: 'roots/list' },
    ]);
    talk.clock.advance(24 * 3600 * 1000);
    reply(second, { result: { roots: [] } });
    reply(first, accept);
    expect((await result).result?.content).toEqual([[{ action: 'accept' }, { roots: [] }]]);
  });

  it('takes an answer whose id came back as a text, and takes it once', async () => {
    const { talk, questions, reply } = await serve(call => call.ask('a', elicit('A')));
    const result = talk.ask('tools/call', {});
    const [question] = questions();
    for (const id of ['01', '1.0', '', null, 2]) reply(question, { result: { action: 'wrong' } }, id);
    reply(question, accept, '1');
    reply(question, { result: { action: 'decline' } });
    expect((await result).result?.content).toEqual([{ action: 'accept' }]);
    expect(talk.singles.filter(({ error }) => error)).toEqual([]);
  });

  it('that the client refuses rejects with its code, data and method', async () => {
    const seen: unknown[] = [];
    const { talk, questions, reply } = await serve(call =>
      call.ask('a', elicit('A')).catch((thrown: unknown) => seen.push(thrown)),
    );
    const result = talk.ask('tools/call', {});
    reply(questions()[0], { error: { code: -1, message: 'user said no', data: { at: 1 } } });
    await result;
    expect(seen).toMatchObject([
      { name: 'ProtocolError', code: -1, data: { at: 1 }, method: 'elicitation/create' },
    ]);
  });

  it('whose refusal nobody handles answers the call with that error', async () => {
    const { talk, questions, reply } = await serve(call => call.ask('a', elicit('A')));
    const result = talk.ask('tools/call', {});
    reply(questions()[0], { error: { code: -1, message: 'user said no' } });
    expect((await result).error).toMatchObject({ code: -1, message: 'user said no' });
  });

  it('is withdrawn when its call is cancelled, and a late answer is nobody’s', async () => {
    const seen: unknown[] = [];
    const { talk, questions, reply } = await serve(call =>
      call.ask('a', elicit('A')).catch((thrown: unknown) => {
        seen.push((thrown as Error).name);
        // What is asked after the end is not sent.
        return call.ask('b', elicit('B')).catch((later: unknown) => seen.push((later as Error).name));
      }),
    );
    talk.say({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: {} });
    const [question] = questions();
    talk.notify('notifications/cancelled', { requestId: 7 });
    await turn();
    expect(talk.notifications).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: question?.id } },
    ]);
    reply(question, accept);
    await turn();
    expect(seen).toEqual(['AbortError', 'AbortError']);
    expect([questions().length, talk.inlet.running]).toEqual([1, 0]);
  });

  it('never has an id again on its connection', async () => {
    const { talk, questions, reply } = await serve(async call => {
      await call.ask('a', elicit('A'));
      return call.ask('b', elicit('B'));
    });
    for (let round = 0; round < 3; round += 1) {
      const result = talk.ask('tools/call', {});
      reply(questions().at(-1), accept);
      await turn();
      reply(questions().at(-1), accept);
      await result;
    }
    const ids = questions().map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
  });
});

it('an effect that is to happen once happens once in a run, and its failure is the run’s own', async () => {
  let effects = 0;
  const { talk } = await serve(async call => {
    const effect = (): number => {
      effects += 1;
      return effects;
    };
    const failing = call.once('bad', () => Promise.reject(new Error('x'))).catch(() => 'failed');
    return Promise.all([call.once('e', effect), call.once('e', effect), failing]);
  });
  expect((await talk.ask('tools/call', {})).result?.content).toEqual([[1, 1, 'failed']]);
});
