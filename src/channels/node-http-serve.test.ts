import { afterEach, describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { post, type Respond, served } from '../../test/fixtures/http/served.ts';
import { RawSocket, whole } from '../../test/fixtures/http/socket.ts';
import { manualClock } from '../basics/manual-clock.ts';
import type { HttpReply } from './channel.ts';
import { type HttpService, type ServeHttpOptions, serveHttp } from './node-http-serve.ts';

guardRejections();

const open: HttpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(service => service.close()));
});

async function serve(options: ServeHttpOptions = {}, respond?: Respond): Promise<HttpService> {
  const service = await serveHttp(served(respond), options);
  open.push(service);
  return service;
}

describe('a server that listens', () => {
  it('does so on this machine alone, on a free port, and says where', async () => {
    const { url, port } = await serve();
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
    expect((await fetch(url, post({}))).status).toBe(200);
  });

  it('answers on its path alone, with or without a query', async () => {
    const { url } = await serve({ path: '/api/tools' });
    expect((await fetch(`${url}?a=/`, post({}))).status).toBe(200);
    const elsewhere = await fetch(new URL('/mcp', url), post({}));
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      404,
      'nothing is here; the endpoint is /api/tools\n',
    ]);
  });

  it('tells a page that may call that it is on another path', async () => {
    const origin = 'https://app.example';
    const { url } = await serve({ allowedOrigins: [origin] });
    const elsewhere = new URL('/wrong', url);
    const reply = await fetch(elsewhere, post({}, { origin }));
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([404, origin]);
    expect((await fetch(elsewhere, { method: 'OPTIONS', headers: { origin } })).status).toBe(204);
    expect((await fetch(elsewhere, post({}, { origin: 'https://evil.example' }))).status).toBe(403);
  });

  it('gives an address that can be called when it listens everywhere', async () => {
    const { url } = await serve({ host: '0.0.0.0' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await fetch(url, post({}))).status).toBe(200);
  });

  it('says what stands in the way when it cannot', async () => {
    const { port } = await serve();
    await expect(serveHttp(served(), { port })).rejects.toMatchObject({
      message: expect.stringContaining(`cannot listen on 127.0.0.1:${port}`),
      hint: expect.stringContaining('another port'),
    });
    for (const options of [{ port: -1 }, { path: '' }, { host: '' }, { drain: -1 }]) {
      await expect(serveHttp(served(), options)).rejects.toThrow(TypeError);
    }
  });

  it('keeps connections for the next request', async () => {
    const { port } = await serve();
    const client = await RawSocket.open(port);
    client.say(whole({ n: 1 }));
    await client.until('"n":1');
    client.say(whole({ n: 2 }));
    await client.until('"n":2');
    expect(client.text).toContain('Connection: keep-alive');
    client.leave();
  });
});

describe('a server whose clients have all gone', () => {
  it('goes on listening', async () => {
    const { port, url } = await serve();
    const client = await RawSocket.open(port);
    client.say(whole({ n: 1 }));
    await client.until('"n":1');
    client.leave();
    await client.closed;
    expect((await fetch(url, post({}))).status).toBe(200);
  });
});

describe('the end of a server', () => {
  it('closes idle connections, refuses new ones, and is the same however often it is asked for', async () => {
    const service = await serve();
    const client = await RawSocket.open(service.port);
    client.say(whole({ n: 1 }));
    await client.until('"n":1');
    const [one, two] = [service.close(), service.close()];
    expect(one).toBe(two);
    await one;
    await client.closed;
    await expect(RawSocket.open(service.port)).rejects.toThrow('ECONNREFUSED');
  });

  it('cuts what is still open after a moment to flush', async () => {
    const clock = manualClock();
    let handed = (): void => {};
    const asked = new Promise<void>(resolve => {
      handed = resolve;
    });
    let left = false;
    const endless: Respond = (_request, reply: HttpReply) => {
      reply.onLeave(() => (left = true));
      reply.stream();
      handed();
    };
    const service = await serve({ clock }, endless);
    const client = await RawSocket.open(service.port);
    client.say(whole({}));
    await asked;
    await client.until('text/event-stream');
    const closed = service.close();
    await new Promise(resolve => setImmediate(resolve));
    clock.advance(250);
    await closed;
    await client.closed;
    expect([left, clock.pending]).toEqual([true, 0]);
  });
});
