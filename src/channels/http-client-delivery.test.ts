import { describe, expect, it } from 'vitest';
import { httpKit } from '../../test/fixtures/http/http-kit.ts';
import type { Visit } from '../../test/fixtures/http/scripted-http.ts';
import { manualClock } from '../basics/manual-clock.ts';

const open = httpKit();
const note = (method: string) => ({ jsonrpc: '2.0', method }) as const;
const methodOf = ({ body }: Visit): unknown => (body as { method?: string }).method;

describe('a notification', () => {
  const acknowledgements: readonly [what: string, reply: (visit: Visit) => void][] = [
    ['202', visit => visit.reply(202)],
    ['200 without a body', visit => visit.reply(200)],
    ['204', visit => visit.reply(204)],
    ['200 null', visit => visit.reply(200, 'null', { 'content-type': 'application/json' })],
    [
      'an empty body that calls itself JSON',
      visit => visit.reply(200, '', { 'content-type': 'application/json' }),
    ],
    ['an HTML page', visit => visit.reply(200, '<html>ok</html>', { 'content-type': 'text/html' })],
    ['202 with a body', visit => visit.reply(202, '{"jsonrpc":"2.0","id":1,"result":{}}')],
    ['a stream that stays open', visit => void visit.stream().write(': open\n\n')],
    ['a page that does not end', visit => void visit.response.writeHead(200).write('x'.repeat(100_000))],
  ];

  it.each(acknowledgements)('is acknowledged by %s, and nothing is read into it', async (_what, reply) => {
    const { connection, ask, receiver, server } = await open(visit => {
      if (methodOf(visit) === 'work') visit.result({});
      else reply(visit);
    });
    connection.send(note('note'));
    expect((await ask()).answer?.result).toEqual({});
    expect(receiver.messages).toHaveLength(1);
    expect(receiver.diagnostics).toEqual([]);
    expect(server.visits.map(methodOf)).toEqual(['note', 'work']);
  });

  it('that is refused is noted and fails nothing', async () => {
    const { connection, ask, receiver } = await open(visit => {
      if (methodOf(visit) === 'work') visit.result({});
      else visit.reply(400, 'no such thing');
    });
    connection.send(note('note'));
    connection.send({ jsonrpc: '2.0', id: 'q', result: {} });
    expect((await ask()).answer?.result).toEqual({});
    expect(receiver.diagnostics).toMatchObject([
      {
        kind: 'not-delivered',
        message: expect.stringMatching(/^note did not reach.*status 400: no such thing$/),
      },
      { kind: 'not-delivered', message: expect.stringMatching(/^an answer did not reach/) },
    ]);
  });

  it('that cannot be written or sent is noted and fails nothing', async () => {
    const { connection, ask, receiver, server } = await open(visit => {
      if (methodOf(visit) === 'work') visit.result({});
      else visit.cut();
    });
    connection.send({ jsonrpc: '2.0', method: 'big', params: { n: 1n } as never });
    connection.send(note('note'));
    expect((await ask()).answer?.result).toEqual({});
    expect(receiver.diagnostics.map(({ kind }) => kind)).toEqual(['not-delivered', 'not-delivered']);
    expect(server.visits).toHaveLength(2);
  });
});

describe('the order', () => {
  it('of what was sent is kept although each message may take its own connection', async () => {
    const { connection, ask, server } = await open(visit => {
      if (methodOf(visit) === 'work') visit.result({});
      else setImmediate(() => visit.reply(202));
    });
    for (let index = 0; index < 50; index += 1) connection.send(note(`note ${index}`));
    await ask();
    const notes = Array.from({ length: 50 }, (_none, index) => `note ${index}`);
    expect(server.visits.map(methodOf)).toEqual([...notes, 'work']);
  });

  it('waits a second for an acknowledgement that does not come, and gives it up after thirty', async () => {
    const clock = manualClock();
    const { connection, ask, receiver, server } = await open(
      visit => {
        if (methodOf(visit) === 'work') visit.result({});
      },
      { clock },
    );
    connection.send(note('note'));
    const asked = ask();
    const { over } = await server.visit(0);
    clock.advance(999);
    expect(server.visits).toHaveLength(1);
    clock.advance(1);
    await asked;
    clock.advance(29_000);
    await over;
    expect(receiver.diagnostics).toMatchObject([
      { kind: 'not-delivered', message: expect.stringContaining('30000 ms') },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('is not waited for by what has nothing before it', async () => {
    const { ask, server } = await open(() => {});
    void ask();
    void ask();
    await server.until(() => server.visits.length === 2);
    expect(server.connections).toBe(2);
  });
});

describe('a request', () => {
  it('that cannot be written as JSON is answered in the peer’s place', async () => {
    const { connection, receiver, server } = await open(() => {});
    connection.send({ jsonrpc: '2.0', id: 1, method: 'work', params: { n: 1n } as never });
    expect((await receiver.outcome(1)).answer?.error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('cannot be written as JSON'),
    });
    expect(receiver.ends).toEqual([1]);
    expect(server.visits).toEqual([]);
  });
});
