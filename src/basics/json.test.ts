import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepPrinted, parseJson, printJson, printMessage } from './json.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('parsing JSON', () => {
  it('gives the value, also for texts that are no object', () => {
    expect(parseJson('{"a":[1,"x",null]}')).toEqual({ ok: true, value: { a: [1, 'x', null] } });
    expect(parseJson('7')).toEqual({ ok: true, value: 7 });
  });

  it.each([['{"a":}'], ['{} trailing'], ['NaN'], [''], ['\0'], ["{'a':1}"], ['[[[[']])(
    'refuses %j with a reason instead of throwing',
    text => {
      const parsed = parseJson(text);
      expect(parsed.ok).toBe(false);
      expect(!parsed.ok && parsed.reason.length).toBeGreaterThan(5);
    },
  );

  it('does not give back what it was fed', () => {
    const parsed = parseJson(`{"secret": ${'s'.repeat(5000)}`);
    expect(!parsed.ok && parsed.reason.length).toBeLessThanOrEqual(80);
    expect(!parsed.ok && parsed.reason).not.toContain('s'.repeat(41));
  });

  it('cuts the reason of a runtime that quotes its input', () => {
    vi.spyOn(JSON, 'parse').mockImplementation(text => {
      throw new SyntaxError(`JSON Parse error: Unexpected identifier "${text}"`);
    });
    const parsed = parseJson('q'.repeat(300));
    expect(!parsed.ok && parsed.reason).not.toContain('q'.repeat(41));
  });

  it('accepts nesting up to the bound and refuses one level more', () => {
    expect(parseJson(nested(512)).ok).toBe(true);
    expect(parseJson(nested(513))).toEqual({ ok: false, reason: 'nested more than 512 levels deep' });
    expect(parseJson(nested(3), { depth: 3 }).ok).toBe(true);
    expect(parseJson(nested(4), { depth: 3 }).ok).toBe(false);
  });

  it('refuses 200,000 levels before anything is built, complete or not', () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(parseJson(nested(200_000)).ok).toBe(false);
    expect(parseJson('['.repeat(200_000)).ok).toBe(false);
    expect(parseJson('{"a":'.repeat(200_000)).ok).toBe(false);
    expect(parse).not.toHaveBeenCalled();
  });

  it('does not count brackets within strings', () => {
    const value = {
      text: '['.repeat(2000),
      quoted: '"{'.repeat(2000),
      escaped: '\\"['.repeat(2000),
      end: '\\',
    };
    expect(parseJson(JSON.stringify(value))).toEqual({ ok: true, value });
  });

  it('judges depth as a walk over the value would', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 5 }), (value, depth) => {
        expect(parseJson(JSON.stringify(value), { depth }).ok).toBe(depthOf(value) <= depth);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a __proto__ member as data', () => {
    const parsed = parseJson('{"__proto__":{"admin":true}}');
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});

describe('printing JSON', () => {
  it('prints on one line whatever the strings hold', () => {
    expect(printJson({ text: 'a\nb\u2028\ud800' })).not.toMatch(/[\n\ud800]/);
  });

  it('names why something has no JSON form', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => printJson(cycle)).toThrow(/^cannot be written as JSON: .*circular/i);
    expect(() => printJson(cycle)).toThrow(TypeError);
    expect(() => printJson({ big: 1n })).toThrow(/BigInt/);
    expect(() => printJson(undefined)).toThrow(/undefined has no JSON form/);
  });
});

describe('printing messages', () => {
  it('prints any message as JSON does', () => {
    const messages = [
      { jsonrpc: '2.0', id: 0, result: { a: 1 } },
      { jsonrpc: '2.0', id: '', result: Object.freeze({ a: Object.freeze(['"']) }) },
      { jsonrpc: '2.0', id: 'x"y', result: Object.freeze({}) },
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } },
      { jsonrpc: '2.0', method: 'ping' },
      { jsonrpc: '2.0', id: 5, result: null },
    ];
    for (const message of [...messages, ...messages]) {
      expect(JSON.parse(printMessage(message))).toEqual(message);
    }
  });

  it('prints a result that is frozen all the way down once', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const result = Object.freeze({ tools: Object.freeze([Object.freeze({ name: 'echo' })]) });
    const texts = [1, 2, 3].map(id => printMessage({ jsonrpc: '2.0', id, result }));
    expect(texts[2]).toBe('{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"echo"}]}}');
    expect(stringify.mock.calls.filter(([value]) => value === result)).toHaveLength(1);
    expect(stringify).toHaveBeenCalledTimes(1);
  });

  it('prints a result once when its owner promises not to change it', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const result = keepPrinted({ tools: [{ name: 'echo' }] });
    expect(printMessage({ jsonrpc: '2.0', id: 1, result })).toContain('"echo"');
    expect(printMessage({ jsonrpc: '2.0', id: 2, result })).toContain('"id":2');
    expect(stringify).toHaveBeenCalledTimes(1);
  });

  it('prints a result anew when it could have changed, also inside a frozen one', () => {
    const list = ['a'];
    const shallow = Object.freeze({ list });
    const computed = Object.freeze({ toJSON: () => list.length });
    const getter = Object.freeze({
      get size(): number {
        return list.length;
      },
    });
    const print = (): unknown[] =>
      [shallow, computed, getter].map(
        result => JSON.parse(printMessage({ jsonrpc: '2.0', id: 1, result })).result,
      );
    expect(print()).toEqual([{ list: ['a'] }, 1, { size: 1 }]);
    list.push('b');
    expect(print()).toEqual([{ list: ['a', 'b'] }, 2, { size: 2 }]);
  });

  it('throws for a frozen cycle as for any other', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    Object.freeze(cycle);
    expect(() => printMessage({ jsonrpc: '2.0', id: 1, result: cycle })).toThrow(TypeError);
  });
});
