import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as zm from 'zod/mini';
import { compileSchema } from './compile.ts';
import { isStandardSchema, type Schema } from './schema.ts';
import type { StandardSchema } from './standard-schema.ts';

const libraries: [string, Schema][] = [
  ['zod', z.object({ n: z.number(), list: z.array(z.object({ s: z.string() })).optional() })],
  [
    'valibot',
    toStandardJsonSchema(
      v.object({ n: v.number(), list: v.optional(v.array(v.object({ s: v.string() }))) }),
    ) as unknown as Schema,
  ],
  ['arktype', type({ n: 'number', 'list?': type({ s: 'string' }).array() }) as unknown as Schema],
];

describe.each(libraries)('a schema of %s', (_, schema) => {
  it('is recognised, gives its JSON Schema without a dialect, and validates itself', async () => {
    expect(isStandardSchema(schema)).toBe(true);
    const compiled = compileSchema(schema, { root: 'object' });
    expect(compiled.json).toMatchObject({
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    });
    expect(compiled.json).not.toHaveProperty('$schema');
    expect(await compiled.validate({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
  });

  it('reports paths as plain names and indexes', async () => {
    const verdict = await compileSchema(schema).validate({ n: 1, list: [{ s: 'a' }, { s: 2 }] });
    if (verdict.ok) throw new Error('accepted');
    expect(verdict.issues).toEqual([
      { path: ['list', 1, 's'], message: expect.stringMatching(/^is refused: ./) },
    ]);
    expect(Array.isArray(verdict.issues[0]?.path) && verdict.issues[0].path.constructor).toBe(Array);
  });
});

describe('a library schema', () => {
  it('gives the value after its transforms, and shows the side that is asked for', async () => {
    const schema = z.object({ n: z.string().transform(Number) });
    expect(await compileSchema(schema).validate({ n: '4' })).toEqual({ ok: true, value: { n: 4 } });
    expect(compileSchema(schema).json).toMatchObject({ properties: { n: { type: 'string' } } });
    expect(compileSchema(schema, { io: 'output' }).json).toMatchObject({ properties: { n: {} } });
  });

  it('with parts that have no JSON form shows those as anything', () => {
    const schema = z.object({ when: z.date(), n: z.number() });
    expect(compileSchema(schema).json).toMatchObject({ properties: { when: {}, n: { type: 'number' } } });
  });

  it('may judge asynchronously', async () => {
    const schema = z.object({ n: z.number() }).refine(async ({ n }) => n > 1, 'too small');
    const compiled = compileSchema(schema);
    expect(compiled.validate({ n: 2 })).toBeInstanceOf(Promise);
    expect(await compiled.validate({ n: 2 })).toMatchObject({ ok: true });
    expect(await compiled.validate({ n: 1 })).toMatchObject({
      ok: false,
      issues: [{ path: [], message: 'is refused: too small' }],
    });
  });

  it('that is a union of objects gets the root type it lacks', () => {
    const schema = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(compileSchema(schema, { root: 'object' }).json).toMatchObject({ type: 'object', anyOf: [{}, {}] });
    expect(() => compileSchema(z.string(), { root: 'object' })).toThrow(/must describe an object/);
  });

  it('that refers to itself is accepted, and a value too deep for it is a verdict', async () => {
    const tree: z.ZodType = z.object({
      get c() {
        return z.optional(tree);
      },
    });
    const compiled = compileSchema(tree);
    let value: unknown = {};
    for (let level = 0; level < 100_000; level++) value = { c: value };
    expect(await compiled.validate(value)).toMatchObject({ ok: false, issues: [{ keyword: 'limit' }] });
  });

  it('passes on what its own code throws', async () => {
    const schema = z.object({ n: z.number() }).refine(() => {
      throw new Error('a bug in the refinement');
    });
    await expect(async () => compileSchema(schema).validate({ n: 1 })).rejects.toThrow(
      'a bug in the refinement',
    );
  });
});

describe('a schema that cannot give JSON Schema is refused with the remedy', () => {
  const bare = (vendor: string): StandardSchema => ({
    '~standard': { version: 1, vendor, validate: value => ({ value }) },
  });

  it.each([
    [
      'zod/mini',
      zm.object({ n: zm.number() }) as unknown as Schema,
      /this zod schema cannot give JSON Schema; use a schema of zod 4\.2/,
    ],
    ['plain valibot', v.object({ n: v.number() }) as unknown as Schema, /wrap it in toStandardJsonSchema/],
    ['zod 3', bare('zod'), /z\.toJSONSchema/],
    ['another library', bare('other'), /pass plain JSON Schema/],
    [
      'an object of zod schemas',
      { n: z.number() } as unknown as Schema,
      /#\/n: it is an object of schemas.*wrap it/,
    ],
    [
      'an instance of some class',
      new (class Old {
        _def = {};
      })() as unknown as Schema,
      /instance of a class/,
    ],
  ])('%s', (_, schema, message) => {
    expect(() => compileSchema(schema)).toThrow(message);
  });

  it('one whose JSON Schema throws', () => {
    const failing = bare('other');
    const input = (): never => {
      throw new Error('no form for this');
    };
    const schema = { '~standard': { ...failing['~standard'], jsonSchema: { input, output: input } } };
    expect(() => compileSchema(schema)).toThrow(/no JSON Schema: no form for this/);
  });
});
