import { describe, expect, it } from 'vitest';
import { post, served } from '../../test/fixtures/http/served.ts';
import type { HttpServerOptions } from './http-server-options.ts';
import { webHandler } from './http-web.ts';

const stream = { accept: 'text/event-stream' };
const lookAlikes = [
  'evil.example',
  'evil.example:3000',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io:3000',
  'localhost.evil',
  'localhost.',
  'evil-localhost:3000',
  '127.0.0.1:3000.evil.example',
];
const loopbacks = ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.8.9.10', '[::1]', '[::1]:3000'];

/** What a handler does with a request that names `host`, beside which a runtime gives `connection`. */
async function ask(
  host: string,
  init: RequestInit,
  options: HttpServerOptions = {},
  connection?: unknown,
): Promise<{ readonly status: number; readonly text: string; readonly heard: number }> {
  const server = served((_request, reply) => reply.whole(200, {}));
  const headers = { ...(init.headers as Record<string, string>), host };
  const request = new Request('http://127.0.0.1:3000/mcp', { ...init, headers });
  const response = await webHandler(server, options)(request, connection);
  return { status: response.status, text: await response.text(), heard: server.requests.length };
}

describe('a page whose name was made to point at this machine', () => {
  // A browser sends Origin with whatever is no GET, and nothing that a page does keeps it from that.
  it.each(lookAlikes)('can send nothing from %s, wherever the handler runs', async host => {
    for (const method of ['POST', 'DELETE'] as const) {
      const init = { ...post({}, { origin: `http://${host}` }), method };
      expect(await ask(host, init)).toMatchObject({ status: 403, heard: 0 });
    }
  });

  it('cannot hide its Origin, by "null", by none or by one of this machine', async () => {
    for (const origin of ['null', '', 'http://localhost:3000', 'http://127.0.0.1:3000']) {
      const headers = { ...(post({}).headers as Record<string, string>), origin };
      const reply = await ask('evil.example', { ...post({}), headers });
      expect(reply).toMatchObject({ status: 403, heard: 0 });
    }
    expect((await ask('evil.example', post({}, { 'sec-fetch-site': 'same-origin' }))).status).toBe(403);
  });

  it.each(['same-origin', 'same-site', 'cross-site'])(
    'can open no stream where the browser says that it is %s',
    async site => {
      const reply = await ask('evil.example', { headers: { ...stream, 'sec-fetch-site': site } });
      expect(reply).toMatchObject({ status: 403, heard: 0 });
      expect(reply.text).toContain('allowedOrigins');
    },
  );
});

describe('a page without Origin', () => {
  const page = { headers: { ...stream, 'sec-fetch-site': 'same-origin' } };

  it('may open a stream from this machine, or from an origin that is allowed', async () => {
    for (const host of loopbacks) expect((await ask(host, page)).status).toBe(200);
    const allowed = { allowedOrigins: ['https://mcp.example'] };
    expect((await ask('mcp.example', page, allowed)).status).toBe(200);
    expect((await ask('mcp.example.evil', page, allowed)).status).toBe(403);
    expect((await ask('any.example', page, { allowedOrigins: '*' })).status).toBe(200);
  });

  it('of another site may not, even at this machine', async () => {
    const other = { headers: { ...stream, 'sec-fetch-site': 'cross-site' } };
    expect((await ask('localhost:3000', other)).status).toBe(403);
  });
});

describe('a program that is no page', () => {
  it('may name any host where the runtime does not tell how it came', async () => {
    for (const host of ['mcp.example', 'mcp.example:8443', ...loopbacks]) {
      expect((await ask(host, post({}))).status).toBe(200);
    }
    // What Node's own fetch sends, and what a person who opens the URL does.
    expect((await ask('mcp.example', post({}, { 'sec-fetch-mode': 'cors' }))).status).toBe(200);
    const opened = { headers: { ...stream, 'sec-fetch-site': 'none' } };
    expect((await ask('mcp.example', opened)).status).toBe(200);
  });
});

describe.each<[string, (address: string) => unknown]>([
  ['the server of Bun', address => ({ hostname: 'any', requestIP: () => ({ address, port: 5 }) })],
  ['the info of Deno', hostname => ({ remoteAddr: { transport: 'tcp', hostname, port: 5 } })],
  ['a socket of Node', localAddress => ({ localAddress, remoteAddress: '10.0.0.9' })],
  ['an object', remoteAddress => ({ remoteAddress })],
])('a request beside which there is %s', (_what, connectionOf) => {
  const local = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.9.10'].map(connectionOf);

  it('must name loopback when it came over loopback, whatever sent it', async () => {
    for (const connection of local) {
      for (const host of lookAlikes) {
        const reply = await ask(host, post({}), {}, connection);
        expect(reply).toMatchObject({ status: 403, heard: 0 });
        expect(reply.text).toContain('allowedHosts');
        expect((await ask(host, { headers: stream }, {}, connection)).status).toBe(403);
      }
      for (const host of loopbacks) expect((await ask(host, post({}), {}, connection)).status).toBe(200);
    }
  });

  it('may name what allowedHosts has, and anything when it came from elsewhere', async () => {
    const allowed = { allowedHosts: ['mcp.example'] };
    for (const connection of local) {
      expect((await ask('mcp.example', post({}), allowed, connection)).status).toBe(200);
    }
    for (const address of ['192.0.2.7', '2001:db8::1', '::ffff:192.0.2.7', '128.0.0.1']) {
      expect((await ask('mcp.example', post({}), {}, connectionOf(address))).status).toBe(200);
    }
  });
});

describe('what else a runtime gives beside a request', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', '127.0.0.1'],
    ['the parameters of a route', { params: Promise.resolve({}) }],
    ['the variables of a worker', { KEY: 'value', remoteAddr: null }],
    ['a pipe', { remoteAddr: { transport: 'unix', path: '/run/mcp' } }],
    ['a request that is gone', { requestIP: () => null }],
    ['an address that is none', { localAddress: 7 }],
  ])('tells nothing: %s', async (_what, connection) => {
    expect((await ask('mcp.example', post({}), {}, connection)).status).toBe(200);
  });
});
