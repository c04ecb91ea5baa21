import { describe, expect, it } from 'vitest';
import { argumentsOf, firstSentence, namesOf } from './signature.ts';

describe('what a tool takes, in a line', () => {
  it.each([
    [{ type: 'object' }, ''],
    [
      { properties: { b: { type: 'integer' }, a: { type: 'string' } }, required: ['a'] },
      'a: string, b?: integer',
    ],
    [{ properties: { a: { enum: ['x', 1] } } }, 'a?: "x"|1'],
    [{ properties: { a: { type: ['string', 'null'] } } }, 'a?: string|null'],
    [{ properties: { a: { type: 'array', items: { type: 'number' } } } }, 'a?: number[]'],
    [{ properties: { a: { $ref: '#/$defs/d' } }, $defs: { d: { type: 'boolean' } } }, 'a?: boolean'],
    [{ properties: { a: {} } }, 'a?: any'],
    [{ allOf: [{ properties: { a: { type: 'string' } } }] }, 'a?: string'],
    [{ properties: { 'a\u001b[31m': { type: 'x\u0007' } } }, 'a[31m?: x'],
    [{ properties: 3, required: 4 }, ''],
  ])('writes %j as %j', (schema, text) => {
    expect(argumentsOf(schema)).toBe(text);
  });

  it('leaves out what would make the line long', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`a${n}`, { type: 'string' }]),
    );
    expect(argumentsOf({ properties }).split(', ')).toHaveLength(13);
    const choices = { properties: { a: { enum: Array.from({ length: 20 }, (_, n) => n) } } };
    expect(argumentsOf(choices)).toBe('a?: 0|1|2|3|4|5|…');
  });

  it('does not follow a schema that holds itself for ever', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/l' } },
      $defs: { l: { type: 'array', items: { $ref: '#/$defs/l' } } },
    };
    expect(argumentsOf(schema)).toBe('a?: array[][]');
  });

  it('names arguments that are all texts', () => {
    expect(namesOf([{ name: 'a', required: true }, { name: 'b' }])).toBe('a, b?');
    expect(namesOf(undefined)).toBe('');
  });

  it.each([
    ['Adds two. And more.', 'Adds two.'],
    ['Version 1.2 of it\nreads', 'Version 1.2 of it reads'],
    ['Why? Because.', 'Why?'],
    ['\u001b[2Jx', '[2Jx'],
    [undefined, ''],
  ])('takes the first sentence of %j', (text, sentence) => {
    expect(firstSentence(text)).toBe(sentence);
  });
});
