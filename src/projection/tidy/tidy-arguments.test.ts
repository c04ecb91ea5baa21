import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { writeAlias } from '../name-rule.ts';
import { restoreArgumentNames, tidyArguments } from './tidy-arguments.ts';

const object = (properties: object, more: object = {}): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties,
  ...more,
});
const paths = (args: unknown, schema: unknown): string[] =>
  tidyArguments(args, schema).changes.map(({ path }) => path.join('.'));
const tidy = (args: unknown, schema: unknown): unknown => tidyArguments(args, schema).value;

describe('no arguments at all', () => {
  it.each([undefined, null])('(%s) are an object without properties', nothing => {
    expect(tidy(nothing, object({}))).toEqual({});
    expect(paths(nothing, object({}))).toEqual(['']);
  });
  it.each([{ type: ['object', 'null'] }, object({}, { nullable: true })])(
    'are one where the schema %j lets null in, for arguments are never null',
    schema => {
      expect(tidy(null, schema)).toEqual({});
    },
  );
});

describe('nothing for a property that may be left out', () => {
  it.each([
    ['null', { type: 'string' }, null],
    ['null', { type: 'integer' }, null],
    ['null', { type: 'array', items: { type: 'string' } }, null],
    ['null', object({}), null],
    ['null', { enum: ['a', 'b'] }, null],
    ['null', { anyOf: [{ type: 'string' }, { type: 'number' }] }, null],
    ['null', { $ref: '#/$defs/S' }, null],
    ['an empty text', { type: 'integer' }, ''],
    ['an empty text', { type: 'boolean' }, ''],
    ['an empty text', { type: 'array' }, ''],
    ['an empty text', object({}), ''],
    ['an empty text', { type: 'string', enum: ['a'] }, ''],
    ['an empty text', { type: 'string', minLength: 1 }, ''],
    ['the text "null"', { type: 'number' }, 'null'],
    ['the text "null"', { oneOf: [{ type: 'number' }, { type: 'boolean' }] }, 'null'],
  ])('%s is left out where the schema is %j', (_, schema, nothing) => {
    const whole = object({ a: schema, b: { type: 'integer' } }, { $defs: { S: { type: 'string' } } });
    expect(tidyArguments({ a: nothing, b: 1 }, whole)).toEqual({
      value: { b: 1 },
      changes: [{ path: ['a'], message: expect.stringContaining(JSON.stringify(nothing)) }],
    });
  });
  it.each([
    ['null', { type: ['string', 'null'] }, null],
    ['null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    ['null', { enum: [null, 'a'] }, null],
    ['null', {}, null],
    ['null', true, null],
    ['an empty text', { type: 'string' }, ''],
    ['an empty text', { type: ['integer', 'string'] }, ''],
    ['an empty text', {}, ''],
    ['the text "null"', { type: 'string' }, 'null'],
    ['the text "null"', { $ref: '#/$defs/S' }, 'null'],
  ])('%s stays where the schema is %j', (_, schema, nothing) => {
    const args = { a: nothing };
    const whole = object({ a: schema }, { $defs: { S: { type: 'string' } } });
    expect(tidyArguments(args, whole)).toEqual({ value: args, changes: [] });
    expect(tidy(args, whole)).toBe(args);
  });
  it('"null" is null where that is allowed, and so is an empty text that must be given', () => {
    const schema = object(
      { a: { type: ['integer', 'null'] }, b: { type: ['integer', 'null'] } },
      { required: ['b'] },
    );
    expect(tidy({ a: 'null', b: '' }, schema)).toEqual({ a: null, b: null });
    expect(tidy({ a: '', b: 1 }, schema)).toEqual({ b: 1 });
  });
  it('stays where the word nullable lets it in', async () => {
    const schema = object({ a: { type: 'string', nullable: true } });
    expect(await compileSchema(schema, { root: 'object' }).validate({ a: null })).toMatchObject({ ok: true });
    expect(tidy({ a: null }, schema)).toEqual({ a: null });
  });
  it('stays where the property must be given, so that the refusal says so', () => {
    const schema = object({ a: { type: 'integer' } }, { required: ['a'] });
    for (const nothing of [null, '', 'null']) expect(tidy({ a: nothing }, schema)).toEqual({ a: nothing });
  });
  it('stays under a name that is not listed, so that the name is refused', () => {
    const args = { aeg: null, x: '' };
    expect(tidy(args, object({ age: { type: 'integer' } }, { additionalProperties: false }))).toBe(args);
    expect(tidy(args, { type: 'object', additionalProperties: { type: 'integer' } })).toBe(args);
  });
  it('is left out deep inside, through lists, references, unions and parts', () => {
    const schema = {
      type: 'object',
      allOf: [object({ list: { type: 'array', items: { $ref: '#/$defs/N' } } })],
      $defs: {
        N: object({ v: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/N' }, { type: 'null' }] } }),
      },
    };
    const args = { list: [{ v: null, next: { v: '', next: null } }, { v: 1 }] };
    expect(tidyArguments(args, schema)).toMatchObject({
      value: { list: [{ next: { next: null } }, { v: 1 }] },
      changes: [{ path: ['list', 0, 'v'] }, { path: ['list', 0, 'next', 'v'] }],
    });
  });
  it('is judged by the alternative that is meant', () => {
    const schema = {
      oneOf: [
        object({ kind: { const: 'a' }, n: { type: 'integer' } }, { required: ['kind'] }),
        object({ kind: { const: 'b' }, n: { type: ['integer', 'null'] } }, { required: ['kind'] }),
      ],
    };
    expect(tidy({ kind: 'a', n: null }, schema)).toEqual({ kind: 'a' });
    expect(tidy({ kind: 'b', n: null }, schema)).toEqual({ kind: 'b', n: null });
    const open = { anyOf: [object({ a: { type: 'integer' } }), object({ b: { type: 'integer' } })] };
    expect(tidy({ a: null }, open)).toEqual({ a: null });
  });
});

describe('a list or an object as JSON text', () => {
  it.each([
    [{ type: 'array', items: { type: 'integer' } }, '[1,2]', [1, 2]],
    [object({ a: { type: 'integer' } }), ' {"a":1}', { a: 1 }],
    [{ type: ['array', 'null'] }, '[]', []],
    [{ anyOf: [{ type: 'array' }, { type: 'integer' }] }, '[{"a":1}]', [{ a: 1 }]],
    [{ $ref: '#/$defs/L' }, '["x"]', ['x']],
  ])('is read where the schema is %j', (schema, sent, read) => {
    const whole = object({ v: schema }, { $defs: { L: { type: 'array' } } });
    expect(tidyArguments({ v: sent }, whole)).toMatchObject({
      value: { v: read },
      changes: [{ path: ['v'] }],
    });
  });
  it.each([
    ['text is allowed', { type: 'string' }, '[{"a":1}]'],
    ['text is allowed', { type: ['array', 'string'] }, '[1]'],
    ['anything is allowed', {}, '[1]'],
    ['text is allowed in a union', { anyOf: [{ type: 'array' }, { type: 'string' }] }, '[1]'],
    ['it is no JSON', { type: 'array' }, '[1,'],
    ['it is of another kind', { type: 'array' }, '{"a":1}'],
    ['it is a scalar', { type: 'integer' }, '1'],
  ])('stays where %s', (_, schema, sent) => {
    const args = { v: sent };
    expect(tidy(args, object({ v: schema }))).toBe(args);
  });
  it('is cleaned up inside, and so are the arguments as a whole', () => {
    const schema = object({ filter: object({ n: { type: 'integer' }, tags: { type: 'array' } }) });
    expect(tidy('{"filter":"{\\"n\\":null,\\"tags\\":\\"[]\\"}"}', schema)).toEqual({ filter: { tags: [] } });
  });
  it('is not read when it is nested too deep', () => {
    const args = { v: '['.repeat(10_000) + ']'.repeat(10_000) };
    expect(tidy(args, object({ v: { type: 'array' } }))).toBe(args);
  });
});

describe('a property that went by another name', () => {
  const schema = object(
    { 'filter[id]': { type: 'integer' }, in: object({ $top: { type: 'integer' } }) },
    { anyOf: [object({ '@type': {} }), {}] },
  );
  it('gets its own back, wherever it is', () => {
    const args = {
      [writeAlias('filter[id]')]: 1,
      in: { [writeAlias('$top')]: 2 },
      [writeAlias('@type')]: 'x',
    };
    expect(tidy(args, schema)).toEqual({ 'filter[id]': 1, in: { $top: 2 }, '@type': 'x' });
  });
  it('is cleaned up under its own', () => {
    expect(tidy({ [writeAlias('filter[id]')]: null }, schema)).toEqual({});
  });
  it('gets its own back where nothing else is to be cleaned up', () => {
    const args = { [writeAlias('filter[id]')]: null, in: '{}' };
    expect(restoreArgumentNames(args, schema)).toMatchObject({
      value: { 'filter[id]': null, in: '{}' },
      changes: [{ path: [writeAlias('filter[id]')] }],
    });
    expect(restoreArgumentNames(undefined, schema)).toEqual({ value: undefined, changes: [] });
  });
  it('never takes the place of one that was sent, and others stay', () => {
    const args = { [writeAlias('filter[id]')]: 1, 'filter[id]': 2, a_bcdefghijk: 3 };
    expect(tidy(args, schema)).toEqual(args);
  });
});

describe('whatever comes', () => {
  it('is not changed in place', () => {
    const args = Object.freeze({ a: null, b: Object.freeze([Object.freeze({ c: null })]) });
    const schema = object({
      a: { type: 'string' },
      b: { type: 'array', items: object({ c: { type: 'string' } }) },
    });
    expect(tidy(args, schema)).toEqual({ b: [{}] });
  });
  it.each([
    undefined,
    null,
    true,
    false,
    7,
    'text',
    [],
    { $ref: '#' },
    { $ref: 'https://a.example' },
    { properties: 7 },
  ])('no schema like %j is fallen over', schema => {
    for (const args of [{}, [], 'x', null, { a: null }, '{"a":1}']) {
      expect(() => tidyArguments(args, schema)).not.toThrow();
    }
  });
  it('keeps names like those of prototypes', () => {
    const args = JSON.parse('{"__proto__":{"x":1},"constructor":null,"a":null}') as object;
    const tidied = tidy(args, object({ a: { type: 'string' } })) as object;
    expect(JSON.stringify(tidied)).toBe('{"__proto__":{"x":1},"constructor":null}');
  });
});

it('a property of its own is not taken for the alias of another', () => {
  const alias = writeAlias('a b');
  const both = object({ 'a b': { type: 'string' }, [alias]: { type: 'string' } });
  const args = { [alias]: 'x' };
  expect(tidy(args, both)).toBe(args);
  expect(tidy(args, object({ 'a b': { type: 'string' } }))).toEqual({ 'a b': 'x' });
});

describe('null for what only another alternative lists', () => {
  const closed = (properties: object, required = Object.keys(properties)): object =>
    object(properties, { required, additionalProperties: false });
  const a = closed({ kind: { const: 'a' }, x: { type: 'string' } });
  const b = closed({ kind: { const: 'b' }, y: { type: 'number' }, z: { type: 'string' } }, ['kind', 'y']);
  const union = { type: 'object', oneOf: [a, b] };

  it.each([
    [
      { kind: 'a', x: '1', y: null, z: null },
      { kind: 'a', x: '1' },
    ],
    [
      { kind: 'b', y: 2, x: null, z: null },
      { kind: 'b', y: 2 },
    ],
    [
      { kind: 'b', y: 2, x: null, z: 's' },
      { kind: 'b', y: 2, z: 's' },
    ],
  ])('is taken out where the chosen one is closed: %j', async (args, wanted) => {
    expect(tidy(args, union)).toEqual(wanted);
    expect((await compileSchema(union).validate(wanted)).ok).toBe(true);
    expect(tidy({ s: args }, object({ s: union }))).toEqual({ s: wanted });
  });
  it.each([
    ['the chosen one is open', { oneOf: [object({ x: {} }), object({ y: {} })] }, { x: 1, y: null }],
    ['no alternative lists it', union, { kind: 'a', x: '1', other: null }],
    ['it is no null', union, { kind: 'a', x: '1', y: 3 }],
    ['it is an empty text', union, { kind: 'a', x: '1', z: '' }],
  ])('stays where %s', (_, schema, args) => expect(tidy(args, schema)).toBe(args));
});
