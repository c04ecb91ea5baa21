import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonc } from './jsonc.ts';

describe('JSON with comments', () => {
  it('is read as JSON is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        // -0 is written as 0.
        const text = JSON.stringify(value, null, 2);
        expect(readJsonc(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it.each([
    ['comments and commas too many', '// a\n{ "a": [1, /* b */ 2,], // c\n }', { a: [1, 2] }],
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['signs of comments in strings', '{"a":"// no /* no */ ,]"}', { a: '// no /* no */ ,]' }],
  ])('takes %s', (_about, text, value) => {
    expect(readJsonc(text)).toEqual({ ok: true, value });
  });

  it('keeps a member __proto__ as a member', () => {
    const read = readJsonc('{"__proto__":{"a":1}}');
    expect(read.ok && Object.keys(read.value as object)).toEqual(['__proto__']);
  });

  it.each([
    ['', 1, /expected a value, found the end/],
    ['{\n  "a": 1\n  "b": 2\n}', 3, /expected "," or "}", found "\\""/],
    ['{\n"a" 1}', 2, /expected ":" after "a", found "1"/],
    ['{a: 1}', 1, /expected a name in double quotes, found "a"/],
    ["{\n'a': 1}", 2, /expected a name in double quotes/],
    ['[\n1,\n\nnope]', 4, /expected a value, found "nope"/],
    ['{"a": "no end', 1, /expected a value, found "\\""/],
    ['{"a": 01}', 1, /expected a value, found "0"/],
    ['{"a": 1}\n}', 2, /nothing may stand after the end/],
    ['{"a": /* never closed', 1, /expected a value, found "\/"/],
    ['{, "a": 1}', 1, /expected a name in double quotes/],
    ['['.repeat(200), 1, /more than 100 levels/],
  ])('says where %j breaks', (text, line, reason) => {
    expect(readJsonc(text)).toEqual({ ok: false, line, reason: expect.stringMatching(reason) });
  });

  it('never throws and never shows more than a word', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:/*\n\\ 1atrue') }), text => {
        const read = readJsonc(text);
        if (!read.ok) expect(read.reason.length).toBeLessThan(100);
      }),
      { numRuns: 500 },
    );
    expect(JSON.stringify(readJsonc('{"key": sk-secret-secret-secret}'))).not.toContain('secret');
  });

  it('refuses a name that stands twice where each must count, and takes the last elsewhere', () => {
    const text = '{"a": {"b": 1},\n "c": {"b": 1, "d": 2,\n "b": 3}}';
    expect(readJsonc(text)).toEqual({ ok: true, value: { a: { b: 1 }, c: { b: 3, d: 2 } } });
    expect(readJsonc(text, { unique: true })).toEqual({
      ok: false,
      line: 3,
      reason: '"b" stands twice in one object; the first would not count',
    });
  });
});
