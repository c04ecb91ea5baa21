import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentFault } from './argument-guard.ts';

const path = (value: unknown, ...within: string[]) => argumentFault({ path: value }, [['path', { within }]]);
const url = (value: unknown, ...hosts: string[]) => argumentFault({ url: value }, [['url', { hosts }]]);

describe('an argument that must be a path', () => {
  it.each([
    ['/data', ['/data']],
    ['/data/', ['/data']],
    ['/data/a/b.txt', ['/data/']],
    ['/data//a/./b', ['/data']],
    ['/b/x', ['/a', '/b']],
    ['/anything', ['/']],
    ['/data/100%', ['/data']],
    ['C:\\Data\\a.txt', ['C:\\data']],
    ['c:/data/a.txt', ['C:\\data']],
    [['/data/a', '/data/b'], ['/data']],
  ])('may be %j within %j', (value, within) => {
    expect(path(value, ...within)).toBeUndefined();
  });

  it.each([
    ['/data2', ['/data']],
    ['/dat', ['/data']],
    ['data/a', ['/data']],
    ['', ['/data']],
    ['/data/../data2', ['/data']],
    ['/data/..', ['/data']],
    ['/data/...', ['/data']],
    ['/data/.. /x', ['/data']],
    ['/data/a\\..\\..\\etc', ['/data']],
    ['/data/%2E%2e/x', ['/data']],
    ['/data/a\nb', ['/data']],
    ['/DATA/a', ['/data']],
    ['D:\\data\\a', ['C:\\data']],
    ['C:\\data\\..\\x', ['C:\\data']],
    ['\\\\server\\share', ['C:\\data']],
    ['file:///data/a', ['/data']],
    [['/data/a', '/etc/b'], ['/data']],
    [[['/etc/b']], ['/data']],
    [7, ['/data']],
    [null, ['/data']],
    [{ path: '/data/a' }, ['/data']],
  ])('must not be %j within %j', (value, within) => {
    expect(path(value, ...within)).toMatch(/^the argument "path" must be/);
  });

  it('lies in the folder for whoever opens it, whatever was written', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '',
      'data',
      'a',
      '%2e',
      '~',
      '\\',
      '. .',
      '\u0000',
      '...',
      '..%2f',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
        const written = `/data/${pieces.join('/')}`;
        if (path(written, '/data') !== undefined) return;
        const opened = posix.normalize(decodeURIComponent(written.replace(/%(?![0-9A-Fa-f]{2})/g, '%25')));
        expect(opened === '/data' || opened.startsWith('/data/')).toBe(true);
      }),
    );
  });
});

describe('an argument that must be a URL', () => {
  it.each([
    ['https://example.com/a?b#c', ['example.com']],
    ['http://EXAMPLE.com:8080/', ['example.com']],
    ['https://example.com:8080/', ['example.com:8080']],
    ['https://www.example.com', ['*.example.com']],
    ['https://example.com', ['example.com:443']],
    ['http://example.com:80/', ['example.com:80']],
    ['https://xn--bcher-kva.example/ü?q=ß', ['xn--bcher-kva.example']],
    ['http://[::1]:8080/', ['[::1]']],
  ])('may be %j for %j', (value, hosts) => {
    expect(url(value, ...hosts)).toBeUndefined();
  });

  it.each([
    ['https://example.com', ['*.example.com']],
    ['https://example.com.evil.test', ['example.com', '*.example.com']],
    ['https://evil.test/example.com', ['example.com']],
    ['https://evil.test?example.com', ['*example.com']],
    ['https://evil.test\\@example.com', ['example.com']],
    ['https://example.com@evil.test', ['example.com']],
    ['https://a:b@example.com', ['example.com']],
    ['http://good.example.com\\@169.254.169.254/latest', ['good.example.com']],
    ['http://good.exa\tmple.com/', ['good.example.com']],
    [' http://good.example.com/', ['good.example.com']],
    ['http://good.example.com/ ', ['good.example.com']],
    ['http://good.example.com/a\n', ['good.example.com']],
    ['http:good.example.com/', ['good.example.com']],
    ['http:/good.example.com/', ['good.example.com']],
    ['http:\\\\good.example.com/', ['good.example.com']],
    ['http:///good.example.com/', ['good.example.com']],
    ['http://good.example.com/a\\b', ['good.example.com']],
    ['http://@good.example.com/', ['good.example.com']],
    ['http://good.example.com./', ['good.example.com*']],
    ['http://good%2eexample.com/', ['good.example.com']],
    ['http://good。example.com/', ['good.example.com']],
    ['http://bücher.example/', ['xn--bcher-kva.example']],
    ['http://\u212Aiosk.example/', ['kiosk.example']],
    ['http://0x7f.1/', ['*']],
    ['http://127.1/', ['*']],
    ['http://2130706433/', ['*']],
    ['http://[0:0:0:0:0:0:0:1]/', ['*']],
    ['http://good.example.com:/', ['good.example.com']],
    ['http://good.example.com:080/', ['good.example.com']],
    ['http://good.example.com:99999/', ['good.example.com']],
    ['javascript:alert(1)', ['*']],
    ['file:///etc/passwd', ['*']],
    ['example.com', ['example.com']],
    ['', ['*']],
    [7, ['*']],
  ])('must not be %j for %j', (value, hosts) => {
    expect(url(value, ...hosts)).toMatch(/^the argument "url" must be/);
  });
});

describe('an argument of which two rules speak', () => {
  it('must be what both say', () => {
    const both = [
      ['path', { within: ['/data', '/tmp'] }],
      ['path', { within: ['/data/own'] }],
      ['path', { maxLength: 20 }],
    ] as const;
    expect(argumentFault({ path: '/data/own/a' }, both)).toBeUndefined();
    expect(argumentFault({ path: '/data/a' }, both)).toMatch(/within \/data\/own/);
    expect(argumentFault({ path: '/etc/a' }, both)).toMatch(/within \/data or \/tmp/);
    expect(argumentFault({ path: `/data/own/${'a'.repeat(20)}` }, both)).toMatch(/at most 20/);
  });
});

describe('an argument with a few values', () => {
  const mode = [['mode', { values: ['r', 1, null, { a: 1 }] }]] as const;

  it.each([['r'], [1], [null], [{ a: 1 }], [['r', 1]]])('may be %j', value => {
    expect(argumentFault({ mode: value }, mode)).toBeUndefined();
  });

  it.each([['w'], ['1'], [undefined], [{ a: 2 }], [['r', 'w']]])('must not be %j', value => {
    expect(argumentFault({ mode: value }, mode)).toMatch(/^the argument "mode" must be one of /);
  });

  it('is as long as it may be, and need not be there', () => {
    expect(argumentFault({ q: 'abc' }, [['q', { maxLength: 2 }]])).toMatch(/at most 2 characters/);
    expect(argumentFault({ q: 'ab' }, [['q', { maxLength: 2 }]])).toBeUndefined();
    expect(argumentFault({}, [['q', { maxLength: 0 }], ...mode])).toBeUndefined();
  });
});
