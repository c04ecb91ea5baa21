import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { eventsOf, post, served } from '../../test/fixtures/http/served.ts';
import { manualClock } from '../basics/manual-clock.ts';
import type { EventStream } from './channel.ts';
import type { HttpServerOptions } from './http-server-options.ts';
import { webHandler } from './http-web.ts';

guardRejections();

const url = 'http://localhost:3000/mcp';
const send = (options: HttpServerOptions, init: RequestInit, at = url): Promise<Response> =>
  webHandler(served(), options)(new Request(at, init));

describe('a request to a web handler', () => {
  it('is handed over parsed, and its reply comes back whole', async () => {
    const server = served();
    const response = await webHandler(server)(new Request(url, post({ a: 'é' })));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toEqual({ got: { a: 'é' } });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      bytes: 10,
      accepts: { json: true, stream: true },
    });
    expect(server.requests[0]?.header('content-type')).toBe('application/json');
  });

  it.each<[string, RequestInit, number, string]>([
    ['another method', { method: 'PUT', body: '{}' }, 405, 'use POST'],
    ['HEAD', { method: 'HEAD' }, 405, ''],
    ['OPTIONS without CORS', { method: 'OPTIONS' }, 405, 'use POST'],
    ['no media type', post('{}', { 'content-type': 'text/plain' }), 415, 'Content-Type: application/json'],
    [
      'nothing it accepts',
      post('{}', { accept: 'text/html' }),
      406,
      'Accept: application/json, text/event-stream',
    ],
    ['a GET that takes no stream', { headers: { accept: 'application/json' } }, 406, 'text/event-stream'],
    ['no JSON', post('{"a":'), 400, 'no JSON'],
    ['an empty body', post(''), 400, 'no JSON'],
    ['a body that is too deep', post('['.repeat(600) + ']'.repeat(600)), 400, 'nested more than 512'],
    ['a body that is too large', post(`"${'x'.repeat(4 * 1024 * 1024)}"`), 413, '4194304 bytes'],
  ])('with %s is refused with a text that says what to send', async (_what, init, status, text) => {
    const response = await send({}, init);
    expect(response.status).toBe(status);
    const body = await response.text();
    expect(body).toContain(text);
    if (status === 405) expect(response.headers.get('allow')).toBe('GET, POST, DELETE');
    if (init.method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: null });
  });

  it('in bytes that are no UTF-8 is refused, split characters are not', async () => {
    const bad = { ...post(''), body: new Uint8Array([34, 0xff, 34]) };
    expect((await send({}, bad)).status).toBe(400);
    const bytes = new TextEncoder().encode('"é😀"');
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const split = await send({}, { ...post(''), body, duplex: 'half' } as RequestInit);
    expect(await split.json()).toEqual({ got: 'é😀' });
  });

  it('may begin with a byte order mark', async () => {
    expect(await (await send({}, post('\uFEFF{}'))).json()).toEqual({ got: {} });
  });

  it('larger than the limit is not read to its end', async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1000));
      },
      cancel() {
        cancelled = true;
      },
    });
    const response = await send({ bodyLimit: 10_000 }, { ...post(''), body, duplex: 'half' } as RequestInit);
    expect([response.status, cancelled, pulled < 20]).toEqual([413, true, true]);
  });

  it('may name any host, since it is not known where it came in, but no origin of others', async () => {
    expect((await send({}, post({}), 'https://mcp.example/mcp')).status).toBe(200);
    const page = post({}, { origin: 'http://evil.example' });
    expect((await send({}, page, 'http://evil.example/mcp')).status).toBe(403);
    const allowed = { allowedHosts: ['mcp.example'] };
    expect((await send(allowed, post({}), 'https://evil.example/mcp')).status).toBe(403);
  });

  it('of an unusable option is refused before anything is served', () => {
    for (const options of [
      { bodyLimit: 0 },
      { heartbeat: -1 },
      { allowedHosts: 'a' },
      { authenticate: 'x' },
    ]) {
      expect(() => webHandler(served(), options as HttpServerOptions)).toThrow(TypeError);
    }
  });
});

describe('an event stream of a web handler', () => {
  it('has its headers at once, then its events in order', async () => {
    let stream: EventStream | undefined;
    const handle = webHandler(served((_request, reply) => (stream = reply.stream({ 'X-Shown': '1' }))));
    const response = await handle(new Request(url, post({})));
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-shown': '1',
    });
    stream?.send({ id: 'a', retry: 5 });
    stream?.send({ data: { jsonrpc: '2.0', text: 'line\nbreak' }, id: 'b' });
    stream?.end();
    stream?.send({ data: { late: true } });
    stream?.end();
    expect(await response.text()).toBe(
      ':\n\nid: a\nretry: 5\ndata: \n\nevent: message\nid: b\ndata: {"jsonrpc":"2.0","text":"line\\nbreak"}\n\n',
    );
  });

  it('begins with a comment, for runtimes that send a head with the body, unless there is something to say', async () => {
    const quiet = webHandler(
      served((_request, reply) => {
        const stream = reply.stream();
        setImmediate(() => stream.end());
      }),
    );
    expect(await (await quiet(new Request(url, post({})))).text()).toBe(':\n\n');
    const talking = webHandler(
      served((_request, reply) => {
        const stream = reply.stream();
        stream.send({ data: { said: 1 } });
        setImmediate(() => stream.end());
      }),
    );
    const text = await (await talking(new Request(url, post({})))).text();
    expect(text).toBe('event: message\ndata: {"said":1}\n\n');
  });

  it('shows that it lives every 15 seconds, and no longer than it does', async () => {
    const clock = manualClock();
    let stream: EventStream | undefined;
    const handle = webHandler(
      served((_request, reply) => (stream = reply.stream())),
      { clock },
    );
    const response = await handle(new Request(url, post({})));
    clock.advance(45_000);
    stream?.end();
    clock.advance(45_000);
    expect(await response.text()).toBe(':\n\n'.repeat(4));
    expect(clock.pending).toBe(0);
  });

  it('tells when its reader leaves, once, and takes no more', async () => {
    let left = 0;
    let stream: EventStream | undefined;
    const handle = webHandler(
      served((_request, reply) => {
        stream = reply.stream();
        reply.onLeave(() => (left += 1));
      }),
    );
    const response = await handle(new Request(url, post({})));
    await response.body?.cancel();
    stream?.send({ data: {} });
    stream?.end();
    expect(left).toBe(1);
  });

  it('is ended for a reader that does not read', async () => {
    let left = false;
    let stream: EventStream | undefined;
    const handle = webHandler(
      served((_request, reply) => {
        stream = reply.stream();
        reply.onLeave(() => (left = true));
      }),
    );
    const response = await handle(new Request(url, post({})));
    for (let sent = 0; sent < 6; sent += 1) stream?.send({ data: { text: 'x'.repeat(8 * 1024 * 1024) } });
    expect(left).toBe(true);
    await expect(response.text()).rejects.toThrow('does not read');
  });

  it('carries an error in the place of an answer that cannot be written', async () => {
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    const handle = webHandler(
      served((_request, reply) => {
        const stream = reply.stream();
        stream.send({ data: { jsonrpc: '2.0', id: 3, result: circle } });
        stream.end();
      }),
    );
    const response = await handle(new Request(url, post({})));
    for await (const event of eventsOf(response)) {
      expect(JSON.parse(event.data)).toMatchObject({ id: 3, error: { code: -32603 } });
    }
  });
});

describe('a client of a web handler that goes', () => {
  it('before the answer is noticed by the signal of its request', async () => {
    const gone = new AbortController();
    let left = false;
    const handle = webHandler(served((_request, reply) => reply.onLeave(() => (left = true))));
    const response = handle(new Request(url, { ...post({}), signal: gone.signal }));
    const aborted = new Promise(resolve => gone.signal.addEventListener('abort', resolve));
    await new Promise(resolve => setImmediate(resolve));
    gone.abort();
    await aborted;
    expect((await response).status).toBe(499);
    expect(left).toBe(true);
  });

  it('after the answer changes nothing', async () => {
    const gone = new AbortController();
    let left = false;
    const handle = webHandler(
      served((_request, reply) => {
        reply.onLeave(() => (left = true));
        reply.whole(202);
        reply.whole(200, { second: true });
      }),
    );
    const response = await handle(new Request(url, { ...post({}), signal: gone.signal }));
    gone.abort();
    expect([response.status, await response.text(), left]).toEqual([202, '', false]);
  });

  it('with its body half sent is an error that ends there', async () => {
    const body = new ReadableStream({ start: controller => controller.error(new Error('cut')) });
    const told: string[] = [];
    const init = { ...post(''), body, duplex: 'half' } as RequestInit;
    const response = await send({ onDiagnostic: ({ message }) => told.push(message) }, init);
    expect([response.status, told]).toEqual([500, ['a request could not be handled: cut']]);
  });
});

describe('a web handler', () => {
  it('outlives a server that throws', async () => {
    const handle = webHandler(
      served(() => {
        throw new Error('bug');
      }),
      { onDiagnostic: () => Promise.reject(new Error('a watcher')) as never },
    );
    expect((await handle(new Request(url, post({})))).status).toBe(500);
  });

  it('is closed with the server', async () => {
    const server = served();
    await webHandler(server).close('enough');
    expect(server.closed).toBe('enough');
  });
});
