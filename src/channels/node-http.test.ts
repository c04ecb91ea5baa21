import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { listen } from '../../test/fixtures/http/listening.ts';
import { eventsOf, post } from '../../test/fixtures/http/served.ts';
import { head, RawSocket, whole } from '../../test/fixtures/http/socket.ts';
import { manualClock } from '../basics/manual-clock.ts';
import type { EventStream } from './channel.ts';

guardRejections();

describe('a request to a node handler', () => {
  it('is handed over parsed, and its reply comes back whole', async () => {
    const { url, server } = await listen();
    const response = await fetch(url, post({ a: 'é' }));
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '18']);
    expect(await response.json()).toEqual({ got: { a: 'é' } });
    expect(server.requests[0]).toMatchObject({ method: 'POST', bytes: 10 });
  });

  it('in chunks, cut anywhere, is put together', async () => {
    const { port } = await listen();
    const client = await RawSocket.open(port);
    client.say(head({ 'Transfer-Encoding': 'chunked' }));
    for (const byte of Buffer.from('{"a":"😀"}')) {
      client.socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
    }
    client.say('0\r\n\r\n');
    await client.until('"got":{"a":"😀"}');
    client.leave();
  });

  it('that comes slowly is waited for while others are answered', async () => {
    const { port } = await listen();
    const [slow, fast] = [await RawSocket.open(port), await RawSocket.open(port)];
    slow.say(head({ 'Content-Length': 7 }));
    slow.say('{"a"');
    fast.say(whole({ fast: 1 }));
    await fast.until('"fast":1');
    expect(slow.text).toBe('');
    slow.say(':1}');
    await slow.until('"a":1');
    slow.leave();
    fast.leave();
  });

  it('in a row on one connection is answered in that row', async () => {
    const { port } = await listen();
    const client = await RawSocket.open(port);
    client.say([1, 2, 3].map(n => whole({ n })).join(''));
    await client.until('"n":3');
    const order = [...client.text.matchAll(/"n":(\d)/g)].map(([, n]) => n);
    expect(order).toEqual(['1', '2', '3']);
    client.leave();
  });

  it.each([
    ['said to be', (size: number) => head({ 'Content-Length': size }), true],
    ['found to be', () => head({ 'Transfer-Encoding': 'chunked' }), false],
  ])('%s too large is refused, and its connection goes on', async (_what, start, declared) => {
    const { port, server } = await listen(undefined, { bodyLimit: 1000 });
    const client = await RawSocket.open(port);
    const body = `"${'x'.repeat(4998)}"`;
    client.say(start(body.length));
    if (declared) await client.until('413');
    client.say(declared ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    await client.until('has more than 1000 bytes');
    client.say(whole({ next: 1 }));
    await client.until('"next":1');
    expect(server.requests).toHaveLength(1);
    client.leave();
  });

  it('in bytes that are no UTF-8, or in no JSON, is refused', async () => {
    const { url } = await listen();
    expect((await fetch(url, { ...post(''), body: new Uint8Array([34, 0xff, 34]) })).status).toBe(400);
    const cut = await fetch(url, post('{'));
    expect(await cut.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('over loopback must name loopback, or what is allowed', async () => {
    const { port } = await listen();
    const hosts = { localhost: 200, [`[::1]:${port}`]: 200, 'evil.example': 403, 'localhost.evil': 403 };
    for (const [host, status] of Object.entries(hosts)) {
      const client = await RawSocket.open(port);
      client.say(whole({}, { Host: host }));
      await client.until('\r\n\r\n');
      expect(client.text).toMatch(`HTTP/1.1 ${status} `);
      client.leave();
    }
    const allowed = await listen(undefined, { allowedHosts: ['mcp.example'] });
    const client = await RawSocket.open(allowed.port);
    client.say(whole({ a: 1 }, { Host: 'mcp.example' }));
    await client.until('"a":1');
    client.leave();
  });

  it('that a framework has read already is taken from where it put it', async () => {
    const read = (into: (text: string) => unknown) => async (request: object) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      (request as { body?: unknown }).body = into(Buffer.concat(chunks).toString());
    };
    for (const into of [JSON.parse, String, Buffer.from] as ((text: string) => unknown)[]) {
      const { url } = await listen(undefined, {}, read(into));
      expect(await (await fetch(url, post({ a: 1 }))).json()).toEqual({ got: { a: 1 } });
    }
    const { url } = await listen(
      undefined,
      {},
      read(() => undefined),
    );
    expect((await fetch(url, post({ a: 1 }))).status).toBe(400);
  });

  it('waits for who calls to be found out before its body is read', async () => {
    let known = (): void => {};
    const asked = new Promise<void>(resolve => {
      known = resolve;
    });
    const { url, server } = await listen(undefined, {
      authenticate: async () => {
        await asked;
        return { principal: 'alice' };
      },
    });
    const response = fetch(url, post({ a: 1 }));
    known();
    expect(await (await response).json()).toEqual({ got: { a: 1 } });
    expect(server.requests[0]?.principal).toBe('alice');
  });

  it.each([undefined, null, 'alice', { status: 401, challenge: 5 }, { principal: '' }])(
    'is answered with an error when authenticate gives %j, and the server goes on',
    async given => {
      const told: string[] = [];
      const { url, server } = await listen(undefined, {
        authenticate: (async () => given) as never,
        onDiagnostic: ({ message }) => told.push(message),
      });
      expect((await fetch(url, post({}))).status).toBe(500);
      expect((await fetch(url, post({}))).status).toBe(500);
      expect([told.length, server.requests]).toEqual([2, []]);
    },
  );

  it('with two hosts is refused, whichever of them would pass', async () => {
    const { port, server } = await listen();
    const client = await RawSocket.open(port);
    client.say(whole({}, { Host: 'localhost\r\nHost: localhost' }));
    await client.until('HTTP/1.1 400');
    expect(server.requests).toEqual([]);
    client.leave();
  });

  it('that a framework has parsed is refused when it nests too deeply', async () => {
    const read = async (request: object): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      (request as { body?: unknown }).body = JSON.parse(Buffer.concat(chunks).toString());
    };
    const { url } = await listen(undefined, { depth: 3 }, read);
    expect((await fetch(url, post({ a: [[]] }))).status).toBe(200);
    const deep = await fetch(url, post({ a: [[{}]] }));
    expect([deep.status, await deep.text()]).toEqual([400, expect.stringContaining('more than 3 levels')]);
  });

  it('that makes the server throw is answered, and the others go on', async () => {
    const told: string[] = [];
    const { url } = await listen(
      ({ body }, reply) => {
        if ((body as { bad?: boolean }).bad) throw new Error('bug');
        reply.whole(202);
      },
      { onDiagnostic: ({ message }) => told.push(message) },
    );
    expect((await fetch(url, post({ bad: true }))).status).toBe(500);
    expect((await fetch(url, post({}))).status).toBe(202);
    expect(told).toEqual(['a request could not be handled: bug']);
  });
});

describe('an event stream of a node handler', () => {
  it('has its head at once, before anything is said', async () => {
    let stream: EventStream | undefined;
    const { url } = await listen((_request, reply) => (stream = reply.stream()));
    const response = await fetch(url, post({}));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const events = eventsOf(response);
    stream?.send({ data: { n: 1 }, id: 'x' });
    expect((await events.next()).value).toEqual({ event: 'message', data: '{"n":1}', id: 'x' });
    stream?.end();
    stream?.send({ data: { late: true } });
    expect((await events.next()).done).toBe(true);
  });

  it('shows that it lives every 15 seconds, and no longer than it does', async () => {
    const clock = manualClock();
    let stream: EventStream | undefined;
    const { url } = await listen((_request, reply) => (stream = reply.stream()), { clock });
    const response = await fetch(url, post({}));
    clock.advance(30_000);
    stream?.end();
    clock.advance(30_000);
    expect(await response.text()).toBe(':\n\n:\n\n');
    expect(clock.pending).toBe(0);
  });

  it('is ended for a client that does not read, without the memory it would take', async () => {
    let left = (): void => {};
    const gone = new Promise<void>(resolve => {
      left = resolve;
    });
    let stream: EventStream | undefined;
    const { port, handed } = await listen((_request, reply) => {
      stream = reply.stream();
      reply.onLeave(left);
    });
    const client = await RawSocket.open(port);
    client.socket.pause();
    client.say(whole({}));
    await handed(1);
    for (let sent = 0; sent < 12; sent += 1) stream?.send({ data: { text: 'x'.repeat(8 * 1024 * 1024) } });
    await gone;
    client.leave();
  });
});
