import { describe, expect, it } from 'vitest';
import { httpKit, idOf } from '../../test/fixtures/http/http-kit.ts';
import { event } from '../../test/fixtures/http/scripted-http.ts';
import { manualClock } from '../basics/manual-clock.ts';

const open = httpKit();
const place = (id: string) => ({ 'x-place': id });
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('a reply stream that breaks off', () => {
  it('is fetched again from where it was, after the time that the server asked for', async () => {
    const clock = manualClock();
    const { ask, server, receiver } = await open(
      (visit, count) => {
        if (count === 1) visit.stream().end('id: a1\nretry: 500\ndata:\n\n');
        else if (count === 2) visit.stream().write(event({ method: 'progress' }, 'a2'), () => visit.cut());
        else visit.stream().end(event({ id: 1, result: { late: true } }, 'a3'));
      },
      { clock, headers: { 'x-user': 'u' } },
    );
    const asked = ask('work', { resume: place });
    await server.visit(0);
    await server.until(() => server.visits[0]?.response.writableFinished);
    await receiver.until(() => receiver.heads.length === 1);
    while (clock.pending === 0) await turn();
    clock.advance(499);
    await turn();
    expect(server.visits).toHaveLength(1);
    clock.advance(1);
    await receiver.until(() => receiver.messages.length === 1);
    while (clock.pending === 0) await turn();
    clock.advance(500);
    expect((await asked).answer?.result).toEqual({ late: true });
    expect(
      server.visits.map(({ method, headers }) => [method, headers['x-place'], headers['x-user']]),
    ).toEqual([
      ['POST', undefined, 'u'],
      ['GET', 'a1', 'u'],
      ['GET', 'a2', 'u'],
    ]);
    expect(server.visits[1]?.headers.accept).toBe('text/event-stream');
    expect(receiver.heads).toHaveLength(1);
    await receiver.until(() => receiver.ends.length === 1);
  });

  it('is given up after five attempts that brought nothing, ever later', async () => {
    const clock = manualClock();
    const { ask, server } = await open(
      (visit, count) => void visit.stream().end(count === 1 ? 'id: a1\ndata:\n\n' : ': nothing\n\n'),
      { clock },
    );
    const asked = ask('work', { resume: place });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      while (clock.pending === 0) await turn();
      const before = clock.now();
      while (server.visits.length === attempt) {
        clock.advance(250);
        await turn();
        if (clock.pending === 0) await server.visit(attempt);
      }
      waits.push(clock.now() - before);
    }
    expect((await asked).error).toMatchObject({ reason: 'stream-ended', outcome: 'unknown' });
    expect(server.visits).toHaveLength(6);
    expect(waits[0]).toBe(1000);
    expect(waits.every((wait, index) => index === 0 || wait > (waits[index - 1] ?? 0))).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('is not fetched again without a place, without leave, or once its answer is there', async () => {
    const { ask, server } = await open((visit, count) => {
      if (count === 1) visit.stream().end(event({ method: 'progress' }));
      else if (count === 2) visit.stream().end('id: a\ndata:\n\n');
      else if (count === 3) visit.stream().end('id: a\ndata:\n\n');
      else visit.stream().end(event({ id: idOf(visit), result: {} }, 'a'));
    });
    expect((await ask('work', { resume: place })).error?.reason).toBe('stream-ended');
    expect((await ask('work')).error?.reason).toBe('stream-ended');
    expect((await ask('work', { resume: () => undefined })).error?.reason).toBe('stream-ended');
    expect((await ask('work', { resume: place })).answer?.result).toEqual({});
    expect(server.visits).toHaveLength(4);
  });

  it('fails with an unknown outcome when the rest is refused, and the refusal is no answer', async () => {
    const clock = manualClock();
    const { ask, server } = await open(
      (visit, count) => {
        if (count === 1) visit.stream().end('id: a\ndata:\n\n');
        else
          visit.reply(404, '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session not found"}}');
      },
      { clock },
    );
    const asked = ask('work', { resume: place });
    while (clock.pending === 0) await turn();
    clock.advance(1000);
    expect((await asked).error).toMatchObject({ reason: 'http-status', status: 404, outcome: 'unknown' });
    expect(server.visits).toHaveLength(2);
  });

  it('is not fetched again once the request was abandoned', async () => {
    const clock = manualClock();
    const { ask, connection, server } = await open(visit => void visit.stream().end('id: a\ndata:\n\n'), {
      clock,
    });
    void ask('work', { resume: place });
    while (clock.pending === 0) await turn();
    connection.abandon(1);
    expect(clock.pending).toBe(0);
    expect(server.visits).toHaveLength(1);
  });
});

describe('a reply stream that stays open after its answer', () => {
  it('is left after a while', async () => {
    const clock = manualClock();
    const { ask, server, receiver } = await open(
      visit => void visit.stream().write(event({ id: idOf(visit), result: {} })),
      { clock },
    );
    await ask();
    expect(receiver.ends).toEqual([]);
    clock.advance(2000);
    expect(receiver.ends).toEqual([1]);
    await (await server.visit(0)).over;
    expect(clock.pending).toBe(0);
  });
});

describe('the standing stream', () => {
  const standing = () => {
    const told: unknown[] = [];
    const places: (string | undefined)[] = [];
    return {
      told,
      places,
      stream: {
        headers: { 'x-session': 's' },
        resume: (id: string | undefined) => {
          places.push(id);
          return { 'x-session': 's', ...(id === undefined ? {} : { 'x-place': id }) };
        },
        opened: () => void told.push('opened'),
        ended: (error?: unknown) => void told.push(error ?? 'ended'),
      },
    };
  };

  const none: readonly [status: number, body: string, type: string | undefined][] = [
    [405, '', undefined],
    [404, 'Not Found', 'text/plain'],
    [406, '{}', 'application/json'],
    [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}', 'application/json'],
    [500, '', undefined],
    [200, '{}', 'application/json'],
    [200, '<html>', 'text/html'],
    [204, '', undefined],
  ];

  it.each(none)('is not there when status %i answers, and that is no failure', async (status, body, type) => {
    const { connection, ask, receiver, server } = await open(visit => {
      if (visit.method === 'POST') visit.result({});
      else visit.reply(status, body, type === undefined ? {} : { 'content-type': type });
    });
    const { stream, told } = standing();
    connection.listen?.(stream);
    await server.until(() => told.length === 1);
    expect(told).toEqual(['ended']);
    expect((await ask()).answer?.result).toEqual({});
    expect(receiver.diagnostics).toEqual([]);
  });

  it('that asks for credentials says so', async () => {
    const { connection, server } = await open(visit => visit.reply(401));
    const { stream, told } = standing();
    connection.listen?.(stream);
    await server.until(() => told.length === 1);
    expect(told).toMatchObject([{ reason: 'unauthorized', status: 401 }]);
  });

  it('brings messages without a request, and comes back quietly behind the last event', async () => {
    const clock = manualClock();
    const { connection, receiver, server } = await open(
      (visit, count) => {
        if (count === 1) visit.stream().end(event({ method: 'one' }, 'e1'));
        else if (count === 2) visit.reply(503);
        else visit.stream().write(event({ method: 'two' }));
      },
      { clock },
    );
    const { stream, told, places } = standing();
    const leave = connection.listen?.(stream);
    await receiver.until(() => receiver.messages.length === 1);
    for (const wait of [1000, 2000]) {
      while (clock.pending === 0) await turn();
      clock.advance(wait);
    }
    await receiver.until(() => receiver.messages.length === 2);
    expect(receiver.messages.map(({ message, of }) => [message['method'], of])).toEqual([
      ['one', undefined],
      ['two', undefined],
    ]);
    expect(told).toEqual(['opened', 'opened']);
    expect(places).toEqual(['e1', 'e1']);
    expect(server.visits[2]?.headers['x-place']).toBe('e1');
    expect(receiver.diagnostics).toEqual([]);
    leave?.();
    await (await server.visit(2)).over;
    expect(told).toEqual(['opened', 'opened']);
  });

  it('is asked for ever more rarely when the server closes it at once', async () => {
    const clock = manualClock();
    const { connection, server } = await open(visit => void visit.stream().end(), { clock });
    connection.listen?.(standing().stream);
    while (clock.now() < 600_000) {
      while (clock.pending === 0) await turn();
      clock.advance(500);
    }
    expect(server.visits.length).toBeGreaterThan(5);
    expect(server.visits.length).toBeLessThan(20);
  });

  it('is not stormed when the server asks to come back at once, and each time brings something', async () => {
    const clock = manualClock();
    const { connection, server } = await open(
      (visit, count) => void visit.stream().end(`retry: 0\n${event({ method: 'tick' }, String(count))}`),
      { clock },
    );
    connection.listen?.(standing().stream);
    while (clock.now() < 10_000) {
      while (clock.pending === 0) await turn();
      clock.advance(100);
    }
    expect(server.visits.length).toBeGreaterThan(10);
    expect(server.visits.length).toBeLessThan(22);
  });

  it('is not offered when the option says never', async () => {
    const { connection } = await open(() => {}, { openStream: false });
    expect(connection.listen).toBe(undefined);
    expect(connection.listensAlways).toBe(false);
  });
});

describe('the farewell', () => {
  it('is a DELETE that close waits for, two seconds at most', async () => {
    const clock = manualClock();
    const { connection, server, receiver } = await open(() => {}, { clock });
    void connection.farewell?.({ 'x-session': 's' });
    const closing = connection.close();
    expect(receiver.closings).toHaveLength(1);
    expect(await server.visit(0)).toMatchObject({ method: 'DELETE', headers: { 'x-session': 's' } });
    let closed = false;
    void closing.then(() => {
      closed = true;
    });
    clock.advance(1999);
    await turn();
    expect(closed).toBe(false);
    clock.advance(1);
    await closing;
    expect(clock.pending).toBe(0);
  });

  it.each([200, 404, 405, 500])('is over with status %i', async status => {
    const { connection } = await open(visit => visit.reply(status, 'x'));
    await connection.farewell?.({});
  });
});
