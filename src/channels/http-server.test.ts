import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { post, served } from '../../test/fixtures/http/served.ts';
import { bearer } from './http-server-auth.ts';
import type { HttpServerOptions } from './http-server-options.ts';
import { webHandler } from './http-web.ts';

guardRejections();

const url = 'http://localhost:3000/mcp';
const send = (options: HttpServerOptions, init: RequestInit): Promise<Response> =>
  webHandler(served(), options)(new Request(url, init));

describe('a page of another origin', () => {
  const options = { allowedOrigins: ['https://app.example'] };
  const origin = 'https://app.example';

  it('is told what it may send and read, on every kind of reply', async () => {
    const asks = 'content-type, x-ours, x-open-region, x-other';
    const preflight = await send(options, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asks },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'Content-Type, Accept, Authorization, X-Ours, x-open-region',
    });
    for (const init of [
      post({}, { origin }),
      post('{', { origin }),
      post({}, { origin, accept: 'text/html' }),
    ]) {
      const reply = await send(options, init);
      expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
      expect(reply.headers.get('access-control-expose-headers')).toBe(
        'X-Shown, WWW-Authenticate, Retry-After',
      );
      expect(reply.headers.get('vary')).toContain('Origin');
    }
  });

  it('that is not allowed gets nothing, and neither does one without the option', async () => {
    const evil = await send(options, post({}, { origin: 'https://evil.example' }));
    expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const local = await send({}, post({}, { origin: 'http://localhost:6274' }));
    expect([local.status, local.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const open = await send({ cors: true }, post({}, { origin: 'http://localhost:6274' }));
    expect(open.headers.get('access-control-allow-origin')).toBe('http://localhost:6274');
  });
});

describe('who calls', () => {
  it('is told to the server', async () => {
    const server = served();
    const handle = webHandler(server, { authenticate: bearer({ alice: 'token' }) });
    await handle(new Request(url, post({}, { authorization: 'Bearer token' })));
    expect(server.requests[0]?.principal).toBe('alice');
    const refused = await handle(new Request(url, post({}, { authorization: 'Bearer other' })));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('may be found out later, or be forbidden', async () => {
    const later = await send({ authenticate: async () => ({ principal: 'x' }) }, post({}));
    expect(later.status).toBe(200);
    const denied = await send({ authenticate: async () => ({ status: 403, message: 'not you' }) }, post({}));
    expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(await denied.text()).toContain('not you');
    const bare = await send({ authenticate: () => ({ status: 401 }) }, post({}));
    expect(bare.headers.get('www-authenticate')).toBe('Bearer');
    const split = await send(
      { authenticate: () => ({ status: 401, challenge: 'Bearer a="b"\r\nX: y' }) },
      post({}),
    );
    expect(split.headers.get('www-authenticate')).toBe('Bearer a="b"  X: y');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'alice'],
    ['an empty object', {}],
    ['no principal', { principal: undefined }],
    ['an empty principal', { principal: '' }],
    ['a number for a principal', { principal: 7 }],
    ['a status that lets in', { status: 200 }],
    ['a principal with a status that lets in', { principal: 'alice', status: 200 }],
    ['a challenge that is no text', { status: 401, challenge: 5 }],
    ['a message that is no text', { status: 403, message: {} }],
  ])('is nobody when authenticate gives %s, now or later', async (_name, given) => {
    for (const authenticate of [
      () => given,
      async () => given,
      // A promise of another realm is none by instanceof.
      () => runInNewContext('Promise.resolve(given)', { given }) as unknown,
    ]) {
      const told: string[] = [];
      const server = served();
      const options = {
        authenticate: authenticate as never,
        onDiagnostic: (one: { message: string }) => told.push(one.message),
      };
      const reply = await webHandler(server, options)(new Request(url, post({})));
      expect([reply.status, server.requests]).toEqual([500, []]);
      expect(told).toEqual([expect.stringMatching(/^authenticate failed: it gave .*; give \{ principal \}/)]);
    }
  });

  it('is refused when authenticate gives both a denial and a name', async () => {
    const both = { principal: 'alice', status: 403 } as const;
    expect((await send({ authenticate: () => both }, post({}))).status).toBe(403);
  });

  it('that cannot be found out is an error of the server, with nothing of its cause', async () => {
    const told: unknown[] = [];
    for (const authenticate of [
      () => {
        throw new Error('secret database');
      },
      () => Promise.reject(new Error('secret database')),
    ]) {
      const response = await send({ authenticate, onDiagnostic: one => told.push(one.message) }, post({}));
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
    expect(told).toEqual(['authenticate failed: secret database', 'authenticate failed: secret database']);
  });
});
