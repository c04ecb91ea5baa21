import { describe, expect, it } from 'vitest';
import { readAccept } from './http-server-accept.ts';
import { bearer } from './http-server-auth.ts';
import { mediaFault } from './http-server-media.ts';
import { type Allowed, hostFault, isLoopback, originFault } from './http-server-origin.ts';

describe('loopback', () => {
  it.each([
    ['localhost', true],
    ['LocalHost:3000', true],
    ['127.0.0.1', true],
    ['127.0.0.1:65535', true],
    ['127.8.9.10', true],
    ['[::1]', true],
    ['[::1]:8080', true],
    ['localhost.evil', false],
    ['localhost.', false],
    ['127.0.0.1.evil.example', false],
    ['127.0.0.1.nip.io:80', false],
    ['evil-localhost', false],
    ['localhost@evil.example', false],
    ['evil.example#localhost', false],
    ['evil.example/localhost', false],
    ['localhost:80:80', false],
    ['localhost:', false],
    ['localhost:port', false],
    ['[::1', false],
    ['[::2]', false],
    ['::1', false],
    ['0.0.0.0', false],
    ['127.1', false],
    ['', false],
  ])('%s: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe('the Host of a request', () => {
  it.each<[string | undefined, Allowed, boolean, boolean]>([
    ['localhost:3000', undefined, true, true],
    ['[::1]:3000', undefined, true, true],
    ['evil.example', undefined, true, false],
    ['evil.example:3000', undefined, true, false],
    [undefined, undefined, true, false],
    ['mcp.example', undefined, false, true],
    ['mcp.example', ['mcp.example'], true, true],
    ['MCP.example:8443', ['mcp.example'], false, true],
    ['mcp.example:8443', ['mcp.example:443'], false, false],
    ['mcp.example:443', ['mcp.example:443'], false, true],
    ['other.example', ['mcp.example'], false, false],
    ['mcp.example.evil', ['mcp.example'], false, false],
    ['localhost', ['mcp.example'], false, true],
    ['evil.example', [], false, false],
    ['evil.example', '*', true, true],
  ])('%s with allowed %j, over loopback %s: passes %s', (host, allowed, local, passes) => {
    expect(hostFault(host, allowed, local) === undefined).toBe(passes);
  });

  it('is refused with the option that would allow it', () => {
    expect(hostFault('evil.example', undefined, true)).toBe(
      'Host "evil.example" is not allowed here; the option allowedHosts names the ones that are',
    );
  });
});

describe('the Origin of a request', () => {
  const local = 'localhost:3000';
  it.each<[string | undefined, string | undefined, Allowed, boolean]>([
    [undefined, local, undefined, true],
    ['http://localhost:6274', local, undefined, true],
    ['https://localhost', local, undefined, true],
    ['http://[::1]:6274', '127.0.0.1:3000', undefined, true],
    ['http://127.0.0.1', '[::1]:3000', undefined, true],
    ['http://localhost:6274', 'mcp.example', undefined, false],
    ['http://localhost.evil', local, undefined, false],
    ['http://localhost@evil.example', local, undefined, false],
    ['http://evil.example', local, undefined, false],
    ['http://evil.example', 'evil.example', undefined, false],
    ['null', local, undefined, false],
    ['file://localhost', local, undefined, false],
    ['', local, undefined, false],
    ['https://app.example', 'mcp.example', ['https://app.example'], true],
    ['https://APP.example', 'mcp.example', ['https://app.example'], true],
    ['http://app.example', 'mcp.example', ['https://app.example'], false],
    ['https://app.example:444', 'mcp.example', ['https://app.example'], false],
    ['https://app.example.evil', 'mcp.example', ['https://app.example'], false],
    ['null', 'mcp.example', ['null'], true],
    ['vscode-webview://abc', 'mcp.example', ['vscode-webview://abc'], true],
    ['https://any.example', 'mcp.example', '*', true],
  ])('%s at %s with allowed %j: passes %s', (origin, host, allowed, passes) => {
    expect(originFault(origin, host, allowed) === undefined).toBe(passes);
  });
});

describe('the Accept header', () => {
  it.each<[string | undefined, boolean, boolean]>([
    [undefined, true, true],
    ['', true, true],
    ['*/*', true, true],
    ['*', true, true],
    ['application/json', true, false],
    ['Application/JSON', true, false],
    ['application/*', true, false],
    ['text/event-stream', false, true],
    ['text/*', false, true],
    ['application/json, text/event-stream', true, true],
    ['application/json;q=0, */*', false, true],
    ['*/*, text/event-stream; q=0.0', true, false],
    ['application/json; q=0.001', true, false],
    ['application/json;q=0', false, false],
    ['*/*;q=0', false, false],
    ['text/html', false, false],
    ['text/html, */*;q=0.8', true, true],
    ['application/json;profile="a,b;q=0";q=1', true, false],
    ['application/json;profile="a\\",b"', true, false],
    ['application/json;q=high', true, false],
    ['application/jsonp', false, false],
    ['"', false, false],
    [',,,', false, false],
  ])('%s takes JSON: %s, streams: %s', (header, json, stream) => {
    expect(readAccept(header)).toEqual({ json, stream });
    expect(readAccept(header)).toEqual({ json, stream });
  });

  it('may prefer a stream', () => {
    const preferring = (header: string): boolean => readAccept(header).prefersStream ?? false;
    expect(preferring('text/event-stream,application/json;q=0.5')).toBe(true);
    expect(preferring('application/json, text/event-stream')).toBe(false);
    expect(preferring('application/json, text/event-stream;q=0.5')).toBe(false);
    expect(preferring('text/event-stream, application/json;q=0')).toBe(false);
  });

  it('of any length is read in time that grows with it', () => {
    const odd = '"\\'.repeat(50_000);
    const started = performance.now();
    readAccept(odd);
    readAccept(`${odd}, application/json`);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('the type of a body', () => {
  it.each<[string | undefined, string | undefined, boolean]>([
    ['application/json', undefined, true],
    ['Application/JSON; Charset=UTF-8', undefined, true],
    ['application/json;', undefined, true],
    ['application/json; charset="utf8"', 'identity', true],
    ['application/json', 'Identity', true],
    ['application/json; odd=1', '', true],
    ['text/plain; a=application/json', undefined, false],
    ['text/plain', undefined, false],
    ['application/json-seq', undefined, false],
    ['application/x-www-form-urlencoded', undefined, false],
    ['multipart/form-data; boundary=application/json', undefined, false],
    [undefined, undefined, false],
    ['', undefined, false],
    ['application/json; charset=utf-16', undefined, false],
    ['application/json', 'gzip', false],
  ])('%s in encoding %s is read: %s', (type, encoding, read) => {
    expect(mediaFault(type, encoding) === undefined).toBe(read);
  });
});

describe('bearer tokens', () => {
  const check = bearer({ alice: 'token-a', bob: ['token-b', 'token-b2'] });
  const ask = (authorization?: string): unknown =>
    check({
      method: 'POST',
      url: '/',
      header: name => (name === 'authorization' ? authorization : undefined),
    });

  it.each([
    ['Bearer token-a', 'alice'],
    ['bearer   token-a ', 'alice'],
    ['Bearer token-b2', 'bob'],
  ])('%s is %s', (header, principal) => {
    expect(ask(header)).toEqual({ principal });
  });

  it.each([
    'Bearer token-c',
    'Bearer token-a2',
    'Bearer token-',
    'Bearer token-atoken-a',
    'Bearer',
    'Bearer ',
    'Basic token-a',
    'token-a',
    'Bearer token-a token-b',
  ])('%s is nobody', header => {
    expect(ask(header)).toEqual({
      status: 401,
      challenge: 'Bearer error="invalid_token"',
      message: 'the token is not known here',
    });
  });

  it('asks for one that is missing, and never shows one', () => {
    expect(ask()).toMatchObject({ status: 401, challenge: 'Bearer' });
    expect(JSON.stringify(ask('Bearer secret-of-somebody'))).not.toContain('secret');
  });

  it('must be given', () => {
    expect(() => bearer({})).toThrow('no token');
    expect(() => bearer({ alice: '' })).toThrow('"alice" is empty');
  });
});
