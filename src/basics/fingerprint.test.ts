import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, fingerprint } from './fingerprint.ts';

describe('a fingerprint', () => {
  it('is the same for the same value, whatever the order of its members', () => {
    expect(fingerprint({ a: 1, b: { c: 2, d: [1, 2] } })).toBe(fingerprint({ b: { d: [1, 2], c: 2 }, a: 1 }));
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}');
  });

  it('changes with one character, and with the order of a list', () => {
    expect(fingerprint({ a: 'x' })).not.toBe(fingerprint({ a: 'y' }));
    expect(fingerprint([1, 2])).not.toBe(fingerprint([2, 1]));
  });

  it('is sixteen hexadecimal digits for any JSON, and tells different values apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(fingerprint(a)).toMatch(/^[0-9a-f]{16}$/);
        if (canonicalJson(a) !== canonicalJson(b)) expect(fingerprint(a)).not.toBe(fingerprint(b));
      }),
    );
  });

  it('keeps a member named __proto__', () => {
    const odd = JSON.parse('{"__proto__":{"a":1}}') as unknown;
    expect(canonicalJson(odd)).toBe('{"__proto__":{"a":1}}');
  });
});
