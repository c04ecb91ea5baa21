import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { Schema } from './schema.ts';
import { isSchemaError } from './schema-error.ts';

/** [what, the schema, where the fault is, what the message says] */
const unusable: [string, unknown, string, RegExp][] = [
  ['null', null, '#', /not a schema, got null/],
  ['a string', 'object', '#', /not a schema/],
  ['an array', [], '#', /not a schema/],
  ['an unknown type', { type: 'bogus' }, '#/type', /"type" must be one of object.*got "bogus"/],
  [
    'a misspelt type',
    { properties: { a: { type: 'strng' } } },
    '#/properties/a/type',
    /did you mean "string"/,
  ],
  ['no type at all', { type: null }, '#/type', /got null/],
  ['an empty list of types', { type: [] }, '#/type', /got an array of 0 items/],
  ['properties null', { properties: null }, '#/properties', /must be an object of schemas, got null/],
  ['a property null', { properties: { a: null } }, '#/properties', /an object of schemas/],
  ['required as a string', { required: 'x' }, '#/required', /array of property names, got "x"/],
  ['required as a boolean', { properties: { a: { required: true } } }, '#/properties/a/required', /got true/],
  ['enum as an object', { enum: {} }, '#/enum', /array of the allowed values/],
  ['an empty anyOf', { anyOf: [] }, '#/anyOf', /at least one schema/],
  ['items as a string', { items: 'string' }, '#/items', /a schema or an array of schemas/],
  ['additionalProperties null', { additionalProperties: null }, '#/additionalProperties', /a schema/],
  ['a negative length', { minLength: -1 }, '#/minLength', /whole number/],
  ['a limit as a string', { minimum: '1' }, '#/minimum', /must be a number, got "1"/],
  ['a multiple of nothing', { multipleOf: 0 }, '#/multipleOf', /above 0/],
  ['an illegal pattern', { pattern: '(' }, '#/pattern', /regular expression/],
  [
    'an illegal name pattern',
    { patternProperties: { '[': {} } },
    '#/patternProperties/[',
    /regular expression/,
  ],
  ['a reference as a number', { $ref: 1 }, '#/$ref', /a string/],
  ['a reference to itself', { $ref: '#' }, '#', /never end/],
  [
    'a ring of references',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
    '#',
    /never end/,
  ],
  ['a loop through not', { not: { $ref: '#' } }, '#', /never end/],
  ['a function inside', { default: () => 1 }, '#/default', /not JSON, got a function/],
  ['a bigint inside', { const: 1n }, '#/const', /not JSON/],
  ['a number that JSON cannot write', { maximum: Number.POSITIVE_INFINITY }, '#/maximum', /not JSON/],
];

describe('a schema is refused with place, value, reason and remedy when it has', () => {
  it.each(unusable)('%s', (_, schema, pointer, message) => {
    let thrown: unknown;
    try {
      compileSchema(schema as Schema);
    } catch (error) {
      thrown = error;
    }
    if (!isSchemaError(thrown))
      throw new Error('it was accepted, or threw something else', { cause: thrown });
    expect(thrown.message).toMatch(message);
    expect(thrown.pointer.startsWith(pointer)).toBe(true);
    expect(thrown.hint).toBeTruthy();
    expect(thrown.message).toContain(thrown.hint);
  });
});

describe('a schema is refused when it is', () => {
  it('an object that contains itself', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema['properties'] = { self: schema };
    expect(() => compileSchema(schema)).toThrow(/contains itself/);
  });

  it('deeper, larger or richer than the limits, which the caller can move', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 300; level++) deep = { not: deep };
    expect(() => compileSchema(deep)).toThrow(/limits\.depth/);
    expect(compileSchema(deep, { limits: { depth: 1000 } }).json).toBe(deep);
    expect(() => compileSchema({ description: 'x'.repeat(2 ** 21) })).toThrow(/limits\.bytes/);
    const many = { anyOf: Array.from({ length: 30_000 }, () => ({})) };
    expect(() => compileSchema(many)).toThrow(/limits\.subschemas/);
  });

  it('an explosion of alternatives', () => {
    const $defs: Record<string, unknown> = { d40: { type: 'string' } };
    for (let level = 0; level < 40; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { anyOf: [next, next] };
    }
    expect(() => compileSchema({ $defs, $ref: '#/$defs/d0' })).toThrow(/limits\.combinators/);
  });
});

describe('judging ends with a verdict, never with an exception, for', () => {
  const tree = {
    $ref: '#/$defs/n',
    $defs: { n: { type: 'object', properties: { c: { $ref: '#/$defs/n' } } } },
  };
  const limit = { ok: false, issues: [{ path: [], keyword: 'limit' }] };

  function chain(levels: number): unknown {
    let value: unknown = {};
    for (let level = 0; level < levels; level++) value = { c: value };
    return value;
  }

  it('a value too deep for a recursive schema', async () => {
    expect((await compileSchema(tree).validate(chain(400))).ok).toBe(true);
    expect(await compileSchema(tree).validate(chain(5000))).toMatchObject(limit);
  });

  it('a value that contains itself', async () => {
    const value: Record<string, unknown> = {};
    value['c'] = value;
    expect(await compileSchema(tree).validate(value)).toMatchObject(limit);
  });

  it('a small value on which a recursive schema would take exponential time', async () => {
    const branch = (name: string) => ({ properties: { c: { $ref: '#/$defs/n' } }, required: [name] });
    const schema = { $ref: '#/$defs/n', $defs: { n: { anyOf: [branch('x'), branch('y'), branch('z')] } } };
    expect(await compileSchema(schema).validate(chain(60))).toMatchObject(limit);
  });

  it('a dynamic reference that comes back to itself', async () => {
    const schema = { $id: 'https://example.com/loop', $dynamicAnchor: 'n', $dynamicRef: '#n' };
    expect(await compileSchema(schema).validate(1)).toMatchObject(limit);
  });

  it('many equal items that should be unique', async () => {
    const verdict = await compileSchema({ uniqueItems: true }).validate(new Array(20_000).fill(1));
    expect(verdict).toMatchObject({ ok: false, issues: [{ message: 'must not have equal items' }] });
  });

  it('values that no JSON has', async () => {
    const { validate } = compileSchema({
      type: 'object',
      minProperties: 1,
      properties: { a: { type: 'string' } },
    });
    for (const value of [undefined, Number.NaN, 1n, () => 1, Symbol('s'), new Date(0), new Map()]) {
      expect((await validate(value)).ok).toBe(false);
      expect((await validate({ a: value })).ok).toBe(false);
    }
  });
});

describe('a schema times a value, without any reference,', () => {
  const names = (count: number) => Array.from({ length: count }, (_none, index) => `k${index}`);
  const list = (length: number, item: unknown) => Array.from({ length }, () => item);
  const costly = { path: [], keyword: 'limit', message: expect.stringContaining('too many steps') };

  it('gives the first hundred reasons, and one that says so', async () => {
    const { validate } = compileSchema({ items: { required: names(1000) } });
    const verdict = (await validate(list(5000, {}))) as { issues: readonly object[] };
    expect(verdict.issues).toHaveLength(101);
    expect(verdict.issues[0]).toMatchObject({ path: [0, 'k0'], keyword: 'required' });
    expect(verdict.issues[99]).toMatchObject({ path: [0, 'k99'], keyword: 'required' });
    expect(verdict.issues[100]).toMatchObject({ path: [], keyword: 'limit' });
  });

  it('gives exactly a hundred reasons without another', async () => {
    const { validate } = compileSchema({ items: { type: 'string' } });
    const verdict = (await validate(list(100, 1))) as { issues: readonly object[] };
    expect(verdict.issues).toHaveLength(100);
    expect(verdict.issues.every(issue => 'keyword' in issue && issue.keyword === 'type')).toBe(true);
  });

  it('looks choices that are objects up, and not through', async () => {
    const choices = Array.from({ length: 5000 }, (_none, index) => [index]);
    const { validate } = compileSchema({ items: { enum: choices } });
    expect(await validate(list(5000, [4999]))).toMatchObject({ ok: true });
    expect(await validate([[5000]])).toMatchObject({ ok: false });
  });

  it('judges few properties by many rules', async () => {
    const properties = Object.fromEntries(names(5000).map(name => [name, { type: 'string' }]));
    const { validate } = compileSchema({ items: { properties } });
    expect(await validate(list(2000, { k4999: 'x', other: 1 }))).toMatchObject({ ok: true });
    expect(await validate([{ k4999: 1 }])).toMatchObject({ issues: [{ path: [0, 'k4999'] }] });
  });

  it.each([
    ['alternatives', { items: { anyOf: [...list(5000, false), {}] } }, list(5000, 1)],
    [
      'patterns of names',
      { items: { patternProperties: Object.fromEntries(names(5000).map(each => [each, {}])) } },
      list(500, { a: 1 }),
    ],
    [
      'rules for all names',
      { allOf: list(5000, { propertyNames: {} }) },
      Object.fromEntries(names(5000).map(each => [each, 1])),
    ],
    ['comparing all items', { allOf: list(5000, { uniqueItems: true }) }, names(5000)],
    ['lengths of a long text', { allOf: list(5000, { minLength: 90_000 }) }, 'x'.repeat(100_000)],
  ])('ends with a verdict for %s', async (_, schema, value) => {
    expect(await compileSchema(schema as Schema).validate(value)).toEqual({ ok: false, issues: [costly] });
  });

  it('leaves room for honest use', async () => {
    const branch = (kind: string) => ({ properties: { kind: { const: kind } }, required: ['kind'] });
    const { validate } = compileSchema({ items: { anyOf: names(100).map(branch) } });
    expect(await validate(list(2000, { kind: 'k99', a: 1 }))).toMatchObject({ ok: true });
  });
});
