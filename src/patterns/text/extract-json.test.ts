import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractJson } from './extract-json.ts';

const fence = (label: string, body: string): string => `\`\`\`${label}\n${body}\n\`\`\``;

describe('JSON is found', () => {
  it.each<[string, string, unknown]>([
    ['as the whole answer', ' {"a":1} \n', { a: 1 }],
    ['as a scalar that is the whole answer', '42', 42],
    ['in a fence that says so', `Sure:\n${fence('json', '{"a":1}')}\nDone.`, { a: 1 }],
    [
      'in the fence that says so, before one that does not',
      `${fence('', '{"a":0}')}\n${fence('JSON', '{"a":1}')}`,
      { a: 1 },
    ],
    ['in the first other fence that looks like it', `${fence('js', 'let a')}\n${fence('', '[1]')}`, [1]],
    ['in a fence that is never closed', '```json\n{"a":1}', { a: 1 }],
    ['among prose', 'It is {"a":{"b":[1,2]}} I think.', { a: { b: [1, 2] } }],
    ['behind brackets that are none', 'See [1] or [x] and {y}: {"a":"}"}', [1]],
    ['with brackets in its strings', 'x {"a":"}{][\\"", "b":1} y', { a: '}{]["', b: 1 }],
    ['behind an opening that never closes', 'a { b {"c":1}', { c: 1 }],
  ])('%s', (_where, text, value) => {
    expect(extractJson(text)).toEqual({ ok: true, value });
  });

  it.each(['', 'no', 'a { b', '```json\nnope\n```', "{'a': 1}"])('not in %j', text => {
    expect(extractJson(text)).toMatchObject({ ok: false, reason: expect.stringContaining('no JSON object') });
  });

  it('whatever stands around it', () => {
    const prose = fc.string().filter(text => !/[[{`"\d]/.test(text) && !/^\s*(true|false|null)/.test(text));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, value, after) => {
        const text = `${before}\n${JSON.stringify(value)}\n${after}`;
        expect(extractJson(text)).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  it('without going through a long answer again and again', () => {
    expect(extractJson('['.repeat(200_000)).ok).toBe(false);
    expect(extractJson('{"a":'.repeat(50_000)).ok).toBe(false);
  });
});
