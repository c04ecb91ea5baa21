import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { UsageError } from '../command.ts';
import { readPairs, readTexts } from './pairs.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    rate: { type: ['number', 'null'] },
    on: { type: 'boolean' },
    level: { enum: ['1', 2, true, 'null'] },
    list: { type: 'array', items: { type: 'integer' } },
    names: { type: 'array', items: { $ref: '#/$defs/name' } },
    either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    mixed: { type: ['string', 'number'] },
    deep: { type: 'object' },
    free: {},
    __proto__x: { type: 'string' },
  },
  $defs: { name: { type: 'string' } },
} as const;

describe('arguments typed as name=value', () => {
  it.each([
    ['text=5', { text: '5' }],
    ['text=', { text: '' }],
    ['text=""', { text: '' }],
    ['text="quoted"', { text: '"quoted"' }],
    ['text=a=b', { text: 'a=b' }],
    ['text= spaced ', { text: ' spaced ' }],
    ['text={"a":1}', { text: '{"a":1}' }],
    ['text=true', { text: 'true' }],
    ['count=5', { count: 5 }],
    ['count=-5', { count: -5 }],
    ['count=1e3', { count: 1000 }],
    ['count=ten', { count: 'ten' }],
    ['count=', { count: '' }],
    ['rate=1.5', { rate: 1.5 }],
    ['rate=null', { rate: null }],
    ['on=true', { on: true }],
    ['on=yes', { on: 'yes' }],
    ['level=1', { level: '1' }],
    ['level=2', { level: 2 }],
    ['level=true', { level: true }],
    ['level=null', { level: 'null' }],
    ['mixed=5', { mixed: 5 }],
    ['mixed="5"', { mixed: '5' }],
    ['mixed=five', { mixed: 'five' }],
    ['deep={"a":[1]}', { deep: { a: [1] } }],
    ['deep={a}', { deep: '{a}' }],
    ['list=[1,2]', { list: [1, 2] }],
    ['list=1', { list: [1] }],
    ['names=007', { names: ['007'] }],
    ['names=["x"]', { names: ['x'] }],
    ['either=a', { either: 'a' }],
    ['free=5', { free: 5 }],
    ['free={"a":1}', { free: { a: 1 } }],
    ['free="5"', { free: '5' }],
    ['free=five', { free: 'five' }],
    ['unknown=5', { unknown: 5 }],
    ['constructor=x', { constructor: 'x' }],
  ])('reads %s', (word, expected) => {
    expect(readPairs([word], schema)).toEqual(expected);
  });

  it('takes a name several times where a list is wanted, in order', () => {
    expect(readPairs(['list=2', 'list=1', 'text=x'], schema)).toEqual({ list: [2, 1], text: 'x' });
    expect(readPairs(['either=a', 'either=b'], schema)).toEqual({ either: ['a', 'b'] });
  });

  it('makes own members of names that objects have already', () => {
    const read = readPairs(['__proto__=x'], schema);
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it.each([
    [['text'], /"text" is no argument; write name=value/],
    [['=x'], /no name stands before the =/],
    [['text=a', 'text=b'], /"text" is given twice/],
  ])('refuses %j', (words, reason) => {
    expect(() => readPairs(words, schema)).toThrow(reason);
    expect(() => readTexts(words)).toThrow(UsageError);
  });

  it('gives each value of each type back as it was written', () => {
    const types = {
      string: fc.string(),
      number: fc.double({ noNaN: true, noDefaultInfinity: true }),
      boolean: fc.boolean(),
    };
    const written = fc.oneof(
      ...Object.entries(types).map(([type, values]) =>
        values.map(value => [type, value as unknown] as const),
      ),
      fc
        .jsonValue()
        .filter(value => typeof value === 'object' && value !== null && !Array.isArray(value))
        .map(value => ['object', value as unknown] as const),
      fc.array(fc.jsonValue()).map(value => ['array', value as unknown] as const),
    );
    fc.assert(
      fc.property(written, ([type, value]) => {
        const text = type === 'string' ? String(value) : JSON.stringify(value);
        if (text === '""') return;
        const args = readPairs([`a=${text}`], { type: 'object', properties: { a: { type } } });
        // What JSON does not tell apart is the same here.
        expect(JSON.stringify(args)).toBe(JSON.stringify({ a: value }));
      }),
    );
  });

  it('never throws for a value, whatever it is and whatever the schema wants', () => {
    const schemas = fc.constantFrom(
      ...Object.values(schema.properties),
      true,
      null,
      { type: 7 },
      { enum: 3 },
    );
    fc.assert(
      fc.property(fc.string(), schemas, (text, own) => {
        const args = readPairs([`a=${text}`], {
          type: 'object',
          properties: { a: own },
          $defs: schema.$defs,
        });
        expect(Object.keys(args)).toEqual(['a']);
      }),
    );
    expect(() => compileSchema(schema)).not.toThrow();
  });

  it('leaves texts as they are where all are texts', () => {
    expect(readTexts(['a=5', 'b="x"', 'c='])).toEqual({ a: '5', b: '"x"', c: '' });
  });
});
