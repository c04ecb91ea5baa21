import { describe, expect, it } from 'vitest';
import { type CompileOptions, compileSchema } from './compile.ts';
import type { Schema } from './schema.ts';
import { isSchemaError, type SchemaError } from './schema-error.ts';

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
} as const;

async function fits(schema: Schema | boolean, value: unknown, options?: CompileOptions): Promise<boolean> {
  return (await compileSchema(schema, options).validate(value)).ok;
}

function refusal(schema: unknown, options?: CompileOptions): SchemaError {
  try {
    compileSchema(schema as Schema, options);
  } catch (error) {
    if (isSchemaError(error)) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}

describe('a compiled schema', () => {
  it('accepts what fits and gives the value back', async () => {
    const value = { name: 'Ada', age: 36 };
    expect(await compileSchema(person).validate(value)).toEqual({ ok: true, value });
  });

  it('says what does not fit', async () => {
    expect(await compileSchema(person).validate({ age: -1, nick: 'a' })).toEqual({
      ok: false,
      issues: [
        { path: ['age'], message: 'must be at least 0', keyword: 'minimum' },
        { path: ['name'], message: 'is required', keyword: 'required' },
        { path: ['nick'], message: 'is not allowed here', keyword: 'boolean' },
      ],
    });
  });

  it('tells the same reasons beside a keyword that few schemas have', async () => {
    const verdict = await compileSchema({ ...person, minProperties: 0 }).validate({ age: -1, nick: 'a' });
    if (verdict.ok) throw new Error('accepted');
    expect(new Set(verdict.issues.map(each => `${each.path} ${each.message}`))).toEqual(
      new Set(['age must be at least 0', 'name is required', 'nick is not allowed here']),
    );
  });

  it('shows the caller its own object, frozen or not, and never changes it', async () => {
    const schema = Object.freeze({ type: 'object', propertyNames: Object.freeze({ minLength: 2 }) });
    const before = JSON.stringify(schema);
    const compiled = compileSchema(schema);
    expect((await compiled.validate({ a: 1 })).ok).toBe(false);
    expect(compiled.json).toBe(schema);
    expect(JSON.stringify(schema)).toBe(before);
  });

  it('counts properties that are undefined as absent', async () => {
    for (const schema of [person, { ...person, minProperties: 1 }]) {
      expect(await fits(schema, { name: 'Ada', age: undefined, nick: undefined })).toBe(true);
      expect(await fits(schema, { name: undefined })).toBe(false);
    }
    expect(await fits({ type: 'object', maxProperties: 1 }, { a: 1, b: undefined })).toBe(true);
  });

  it('tolerates keywords that are undefined in the schema', async () => {
    const schema = {
      type: 'object',
      properties: { a: undefined, b: { type: 'string', pattern: undefined } },
    };
    expect(await fits(schema, { a: 1, b: 'x' })).toBe(true);
    expect(await fits({ ...schema, minProperties: 1 }, { a: 1, b: 'x' })).toBe(true);
  });

  it('takes only own properties for present', async () => {
    for (const extra of [{}, { minProperties: 0 }]) {
      expect(await fits({ type: 'object', required: ['toString'], ...extra }, {})).toBe(false);
      const odd = { type: 'object', properties: { constructor: { type: 'string' } }, ...extra };
      expect(await fits(odd, {})).toBe(true);
      expect(await fits(odd, { constructor: 1 })).toBe(false);
      const proto = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as Schema;
      expect(await fits({ ...proto, ...extra }, JSON.parse('{"__proto__":1}'))).toBe(false);
    }
  });

  it('finds definitions named like members of the prototype', async () => {
    const schema = { $ref: '#/$defs/constructor', $defs: { constructor: { type: 'string' } } };
    expect(await fits(schema, 'x')).toBe(true);
    expect(await fits(schema, 1)).toBe(false);
  });

  it('reads boolean schemas', async () => {
    expect(await fits(true, 1)).toBe(true);
    expect(await fits(false, 1)).toBe(false);
    expect(compileSchema(false).json).toEqual({ not: {} });
  });

  it('judges patterns that are legal only without the unicode flag', async () => {
    const pattern = { type: 'string', pattern: '^\\-?\\d+$' };
    const map = { patternProperties: { '^\\-': { type: 'number' } }, additionalProperties: false };
    expect(await fits(pattern, '-12')).toBe(true);
    expect(await fits(pattern, 'x')).toBe(false);
    expect(await fits(map, { '-a': 1 })).toBe(true);
    expect(await fits(map, { a: 1 })).toBe(false);
  });

  it('never asserts a format', async () => {
    expect(await fits({ type: 'string', format: 'email', not: { const: 'y' } }, 'x')).toBe(true);
  });

  it('asks arrays nothing about their properties', async () => {
    expect(await fits({ unevaluatedProperties: false }, [1])).toBe(true);
  });

  it('never runs code or knows types that are not JSON Schema', async () => {
    expect(await fits({ '~refine': [{}], 'x-extra': 1, type: 'string' }, 'x')).toBe(true);
    expect(refusal({ type: 'function' }).pointer).toBe('#/type');
    // biome-ignore lint/suspicious/noSparseArray: as a stray comma leaves one
    expect(refusal({ required: ['a', , 'b'] }).message).toContain('must be an array of property names');
    expect(refusal({ allOf: new Array(2) }).message).toContain('must be an array of schemas');
  });
});

describe('rules', () => {
  it('are made once, for the first value, from what the schema was checked as', async () => {
    let reads = 0;
    const schema = {
      get minimum() {
        reads += 1;
        return 3;
      },
    };
    const { validate } = compileSchema(schema);
    const checking = reads;
    await Promise.resolve();
    expect([validate(2), validate(3)]).toMatchObject([{ ok: false }, { ok: true }]);
    const making = reads;
    expect(making).toBeGreaterThan(checking);
    await validate(4);
    expect(reads).toBe(making);
  });

  it('that exhaust the stack when they are made are a verdict too', () => {
    let schema: Schema = { type: 'string' };
    for (let level = 0; level < 20_000; level += 1) schema = { properties: { a: schema } };
    const limits = { depth: 1e6, subschemas: 1e6, bytes: 1e9 };
    const { validate } = compileSchema(schema, { limits });
    expect(validate({ a: 1 })).toMatchObject({ ok: false, issues: [{ keyword: 'limit' }] });
  });
});

describe('the root of tool arguments', () => {
  it('gets the type it lacks, on a copy', async () => {
    const schema = Object.freeze({ properties: { a: { type: 'string' } } });
    const compiled = compileSchema(schema, { root: 'object' });
    expect(compiled.json).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    expect(compiled.notes).toEqual(['type "object" was added at the root']);
    expect(schema).not.toHaveProperty('type');
    expect((await compiled.validate('x')).ok).toBe(false);
    expect(compileSchema({}, { root: 'object' }).json).toEqual({ type: 'object' });
    expect(compileSchema(true, { root: 'object' }).json).toEqual({ type: 'object' });
    expect(compileSchema({ type: ['object'] }, { root: 'object' }).json).toEqual({ type: 'object' });
    const nullable = compileSchema({ type: 'object', nullable: true }, { root: 'object' });
    expect([nullable.json, await nullable.validate(null)]).toMatchObject([{ type: 'object' }, { ok: false }]);
  });

  it('is refused when it may be something else', () => {
    for (const type of [['object', 'null'], 'string', []]) {
      expect(refusal({ type }, { root: 'object' })).toMatchObject({ name: 'SchemaError', pointer: '#/type' });
    }
    expect(refusal(false, { root: 'object' }).message).toContain('must describe an object');
    expect(compileSchema({ type: ['object', 'null'] }).notes).toEqual([]);
  });
});

describe('dialects', () => {
  it.each([
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-06/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('%s is read without a note', async $schema => {
    expect(compileSchema({ $schema, type: 'string' }).notes).toEqual([]);
    const tuple = { $schema, items: [{ type: 'string' }], definitions: { a: {} }, not: { const: 3 } };
    expect(await fits(tuple, ['a', 1])).toBe(true);
    expect(await fits(tuple, [1])).toBe(false);
  });

  it('an unknown one is read as 2020-12, and noted', async () => {
    const schema = { $schema: 'https://example.com/mine', type: 'string' };
    expect(compileSchema(schema).notes).toEqual([
      'unknown dialect "https://example.com/mine": read as 2020-12',
    ]);
    expect(await fits(schema, 1)).toBe(false);
  });

  it("draft-04's exclusive limits and ids mean what they meant there", async () => {
    const schema = {
      properties: { n: { minimum: 5, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } },
    };
    const before = JSON.stringify(schema);
    expect(await fits(schema, { n: 5 })).toBe(false);
    expect(await fits(schema, { n: 9 })).toBe(true);
    expect(JSON.stringify(schema)).toBe(before);
    const named = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'http://example.com/root',
      properties: { a: { $ref: 'item' } },
      definitions: { item: { id: 'item', type: 'string' } },
    };
    expect(await fits(named, { a: 'x' })).toBe(true);
    expect(await fits(named, { a: 1 })).toBe(false);
  });

  it('a property named like a keyword is not taken for one', async () => {
    const schema = {
      properties: { exclusiveMinimum: true, $ref: { type: 'string' }, type: { type: 'string' } },
    };
    expect(await fits({ ...schema, minProperties: 1 }, { exclusiveMinimum: 1, $ref: 'x' })).toBe(true);
  });
});

describe('references', () => {
  const remote = { $id: 'https://example.com/name', type: 'string', $defs: { short: { maxLength: 3 } } };

  it('lead into remotes that were supplied', async () => {
    const remotes = { 'https://example.com/name': remote };
    expect(await fits({ $ref: 'https://example.com/name' }, 'x', { remotes })).toBe(true);
    expect(await fits({ $ref: 'https://example.com/name#/$defs/short' }, 'long', { remotes })).toBe(false);
  });

  it('that lead nowhere are refused, and nothing is fetched', () => {
    expect(refusal({ properties: { a: { $ref: 'https://example.com/name' } } })).toMatchObject({
      pointer: '#/properties/a/$ref',
      message: expect.stringContaining('nothing is fetched'),
      hint: expect.stringContaining('remotes'),
    });
    expect(refusal({ $ref: '#/$defs/none' }).message).toContain('leads to nothing in this schema');
    expect(refusal({ $ref: '#/%' }).message).toContain('leads to nothing');
    const remotes = { 'https://example.com/name': remote };
    expect(refusal({ $ref: 'https://example.com/name#/$defs/no' }, { remotes }).pointer).toBe('#/$ref');
  });

  it('recurse through the value', async () => {
    const list = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
    expect(await fits(list, { next: { next: {} } })).toBe(true);
    expect(await fits(list, { next: { next: { x: 1 } } })).toBe(false);
  });
});
