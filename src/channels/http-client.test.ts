import { describe, expect, it } from 'vitest';
import { answer, httpKit, idOf, transports } from '../../test/fixtures/http/http-kit.ts';
import { event } from '../../test/fixtures/http/scripted-http.ts';
import { systemClock } from '../basics/clock.ts';
import { http } from './http-client.ts';

describe.each(transports)('over %s', (_name, transport) => {
  const open = httpKit();

  it('rejects at once when the stream is cut before the answer', async () => {
    const { ask, receiver } = await open(visit => {
      visit.stream().write(event({ method: 'progress' }), () => visit.cut());
    }, transport);
    const { error } = await ask();
    expect(receiver.messages.map(({ message }) => message['method'])).toEqual(['progress']);
    expect(error).toMatchObject({ reason: 'stream-cut', outcome: 'unknown', phase: 'work' });
  });

  it('tells a connection that was never made from one that failed', async () => {
    const { ask, server, connection, receiver } = await open(visit => visit.cut(), transport);
    expect((await ask()).error).toMatchObject({ reason: 'network', outcome: 'unknown', phase: 'work' });
    await server.close();
    connection.send({ jsonrpc: '2.0', id: 'late', method: 'work' });
    expect((await receiver.outcome('late')).error).toMatchObject({
      reason: 'connect-failed',
      outcome: 'not-sent',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('stops listening to what is abandoned, and the server sees it', async () => {
    const { ask, connection, server, receiver } = await open(visit => {
      if (idOf(visit) === 1) visit.stream().write(event({ method: 'begun' }));
      else visit.result({});
    }, transport);
    void ask();
    await receiver.until(() => receiver.messages.length === 1);
    connection.abandon(1);
    await (await server.visit(0)).over;
    await ask();
    expect(receiver.outcomes.has(1)).toBe(false);
    expect(receiver.messages.filter(({ of }) => of === 1)).toHaveLength(1);
  });

  it('refuses a reply and an event beyond the limit', async () => {
    const { ask } = await open(
      (visit, count) => {
        if (count === 1) visit.reply(200, `"${'x'.repeat(5000)}"`, { 'content-type': 'application/json' });
        else visit.stream().end(`data: "${'x'.repeat(5000)}"\n\n`);
      },
      { ...transport, replyLimit: 4000 },
    );
    for (const _turn of [1, 2])
      expect((await ask()).error).toMatchObject({ reason: 'reply-too-long', outcome: 'unknown' });
  });

  it('takes an event of many megabytes in small pieces in good time', async () => {
    const text = 'y'.repeat(8 * 1024 * 1024);
    const { ask } = await open(visit => {
      const stream = visit.stream();
      const whole = Buffer.from(event({ id: idOf(visit), result: { text } }));
      for (let at = 0; at < whole.length; at += 16_384) stream.write(whole.subarray(at, at + 16_384));
      stream.end();
    }, transport);
    expect((await ask()).answer?.result).toEqual({ text });
  });

  it('counts bytes of a message as a sign of life, and comments not', async () => {
    const { ask, receiver, server } = await open(
      visit => void visit.stream().write(': alive\n\n: still\n'),
      transport,
    );
    const outcome = ask();
    await receiver.until(() => receiver.heads.length === 1);
    const { response, body } = await server.visit(0);
    const text = event({ id: (body as { id: number }).id, result: {} });
    response.write(text.slice(0, 20));
    await receiver.until(() => receiver.touches.length === 1);
    response.end(text.slice(20));
    await outcome;
    expect(new Set(receiver.touches)).toEqual(new Set([1]));
  });

  it('skips an event that is not JSON and says so', async () => {
    const { ask, receiver } = await open(
      visit => void visit.stream().end(`data: {oops\n\ndata: ${answer(visit)}\n\n`),
      transport,
    );
    expect((await ask()).answer?.result).toEqual({ ok: true });
    expect(receiver.diagnostics).toMatchObject([{ kind: 'unreadable-event', data: '{oops' }]);
  });

  it('closes while requests run, and says it once', async () => {
    const { ask, connection, receiver, server } = await open(
      visit => void visit.stream().write(': open\n\n'),
      transport,
    );
    void ask();
    void ask();
    await receiver.until(() => receiver.heads.length === 2);
    await Promise.all([connection.close(), connection.close()]);
    await Promise.all(server.visits.map(({ over }) => over));
    connection.send({ jsonrpc: '2.0', id: 9, method: 'late' });
    expect(receiver.closings).toMatchObject([{ reason: 'closed' }]);
    expect(receiver.outcomes.size).toBe(0);
  });
});

describe('with node:http', () => {
  const open = httpKit();

  it('uses one connection for calls that follow each other, answered whole or by stream', async () => {
    const { ask, server } = await open((visit, count) => {
      if (count % 2) visit.result({});
      else visit.stream().end(event({ id: idOf(visit), result: {} }));
    });
    for (let turn = 0; turn < 20; turn += 1) await ask();
    expect(server.visits).toHaveLength(20);
    expect(server.connections).toBe(1);
  });

  it('lets answers and notifications pass when every connection waits for a reply', async () => {
    const { ask, connection, server } = await open(visit => {
      if ((visit.body as { method?: string }).method !== 'work') visit.reply(202);
    });
    for (let turn = 0; turn < 300; turn += 1) void ask();
    await server.until(() => server.visits.length === 256);
    connection.send({ jsonrpc: '2.0', method: 'note' });
    await server.until(() =>
      server.visits.some(({ body }) => (body as { method?: string }).method === 'note'),
    );
    expect(server.visits).toHaveLength(257);
  });

  it('refuses a reply that is compressed although nobody asked for that', async () => {
    const { ask, server } = await open(visit => visit.reply(200, 'x', { 'content-encoding': 'gzip' }));
    expect((await ask()).error?.message).toContain('content-encoding: gzip');
    expect(server.visits[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.each([
    ['and a protocol', 'Upgrade: other\r\nConnection: Upgrade\r\n'],
    ['alone', ''],
  ])('fails a request at once that is answered with status 101 %s', async (_what, headers) => {
    const { ask } = await open((visit, count) => {
      if (count === 1) visit.response.socket?.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
      else visit.result({});
    });
    const { error } = await ask();
    expect(error).toMatchObject({ reason: 'network', outcome: 'unknown' });
    expect(error?.message).toContain('101');
    expect((await ask()).answer?.result).toEqual({});
  });

  it('fails a request whose header cannot be written, and only that one', async () => {
    const { ask, server } = await open(visit => visit.result({}));
    const { error } = await ask('work', { headers: { 'x-bad': 'a\nsecret-value' } });
    expect(error).toMatchObject({ outcome: 'not-sent', phase: 'work' });
    expect(error?.message).not.toContain('secret-value');
    expect((await ask()).answer?.result).toEqual({});
    expect(server.visits).toHaveLength(1);
  });
});

describe('an HTTP channel', () => {
  it('refuses what is no URL of its kind, and options that cannot be meant', () => {
    for (const url of ['ftp://x/', 'x', '', 'file:///etc']) expect(() => http(url)).toThrow(TypeError);
    expect(() => http('http://x/', { replyLimit: 0 })).toThrow(/replyLimit/);
    expect(() => http('http://x/', { headers: { a: 1 } as never })).toThrow(/"a"/);
  });

  it('names what is wrong with a user name or password in the URL', () => {
    expect(() => http('http://a:%zz@h/')).toThrow(
      new TypeError(
        'http: the user name or password in the URL is not percent-encoded text: write a "%" in it as "%25"',
      ),
    );
  });

  it('keeps credentials and query values out of its label', () => {
    expect(http('https://me:hunter2@x.test:8443/a/?key=abc&b=1').label).toBe(
      'https://x.test:8443/a/?key=***&b=***',
    );
    expect(http('http://x.test/', { label: 'mine' }).label).toBe('mine');
  });

  it('does not open when its signal has aborted before', async () => {
    const reason = new Error('no');
    const receiver = { message() {}, ended() {}, closed() {}, activity() {}, diagnostic() {} };
    const opening = http('http://127.0.0.1:1/').open(receiver, {
      clock: systemClock,
      signal: AbortSignal.abort(reason),
    });
    await expect(opening).rejects.toBe(reason);
  });
});
