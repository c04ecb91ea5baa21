import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { Schema } from './schema.ts';

const name = fc.constantFrom('a', 'b', 'ü', '');
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1,
      1.5,
      -3,
      1e21,
      'a',
      'ab',
      '',
      '👍',
      '👍👍',
      '\ud800',
      '\n',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.integer({ min: -4, max: 4 }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('any')), { maxLength: 4 }).map(entries => Object.fromEntries(entries)),
  ),
})).any;

const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const size = fc.integer({ min: 0, max: 3 });
const names = fc.uniqueArray(name, { maxLength: 2 });
const source = fc.constantFrom('^a', 'b$', '^.$', '^\\d+$', '[^a]');
const schema = fc.letrec(tie => {
  const some = fc.array(tie('any'), { minLength: 1, maxLength: 3 });
  const mapOf = (key: fc.Arbitrary<string>): fc.Arbitrary<object> =>
    fc.array(fc.tuple(key, tie('any')), { maxLength: 3 }).map(each => Object.fromEntries(each));
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 2, arbitrary: fc.constantFrom('a', 'b').map(of => ({ $ref: `#/$defs/${of}` })) },
      { weight: 6, arbitrary: tie('object') },
    ),
    object: fc
      .array(
        fc.oneof(
          ...Object.entries({
            type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
            enum: fc.array(value, { minLength: 1, maxLength: 3 }),
            const: value,
            properties: mapOf(name),
            patternProperties: mapOf(source),
            required: names,
            additionalProperties: tie('any'),
            propertyNames: tie('any'),
            minProperties: size,
            maxProperties: size,
            dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
            dependentSchemas: mapOf(name),
            prefixItems: some,
            items: tie('any'),
            contains: tie('any'),
            minContains: size,
            maxContains: size,
            uniqueItems: fc.boolean(),
            minItems: size,
            maxItems: size,
            minLength: size,
            maxLength: size,
            pattern: source,
            minimum: fc.integer({ min: -3, max: 3 }),
            maximum: fc.integer({ min: -3, max: 3 }),
            exclusiveMinimum: fc.integer({ min: -3, max: 3 }),
            exclusiveMaximum: fc.integer({ min: -3, max: 3 }),
            multipleOf: fc.constantFrom(1, 2, 0.5),
            anyOf: some,
            oneOf: some,
            allOf: some,
            not: tie('any'),
            if: tie('any'),
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: tie('any'),
            else: tie('any'),
            title: fc.string(),
          }).map(([keyword, given]) => fc.tuple(fc.constant(keyword), given as fc.Arbitrary<unknown>)),
        ),
        { maxLength: 4 },
      )
      .map(entries => Object.fromEntries(entries)),
  };
});

/** Definitions are without references, so that nothing comes back to itself. */
const plain = fc.record(
  {
    type,
    properties: fc.dictionary(name, fc.record({ type }), { maxKeys: 2 }),
    minimum: size,
    items: fc.record({ type }),
  },
  { requiredKeys: [] },
);

/** The referee misjudges names of the prototype, what is unevaluated and -0; the official suite and others are for these. */
describe('the rules of a schema', () => {
  it('give the verdict of another validator on every value, and a reason whenever they refuse', async () => {
    let [fitting, unfit] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        schema.object,
        fc.record({ a: plain, b: plain }),
        fc.array(value, { minLength: 1, maxLength: 6 }),
        async (body, $defs, values) => {
          const whole = { ...(body as object), $defs };
          const { validate } = compileSchema(whole as Schema);
          for (const value of values) {
            const expected = Check(whole, value);
            if (expected) fitting++;
            else unfit++;
            const verdict = await validate(value);
            if (verdict.ok !== expected) throw new Error(`${expected}, but ${JSON.stringify(verdict)}`);
            if (!verdict.ok && verdict.issues.length === 0) throw new Error('no reason');
          }
        },
      ),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 1000) },
    );
    // Both answers must be common, or agreeing says little.
    expect(Math.min(fitting, unfit)).toBeGreaterThan(100);
  });

  it('answer at once whatever the keywords are', async () => {
    const { validate } = compileSchema({ $ref: '#/$defs/a', $defs: { a: { not: { type: 'string' } } } });
    expect(await validate(1)).toEqual({ ok: true, value: 1 });
    expect(await validate('x')).toEqual({
      ok: false,
      issues: [{ path: [], message: 'must not be what the schema excludes', keyword: 'not' }],
    });
  });

  it('take zero and minus zero for one number', async () => {
    const zero = { ok: true };
    expect(await compileSchema({ enum: [0] }).validate(-0)).toMatchObject(zero);
    expect(await compileSchema({ const: -0 }).validate(0)).toMatchObject(zero);
    expect(await compileSchema({ uniqueItems: true }).validate([[-0, 0]])).toMatchObject(zero);
    expect(await compileSchema({ uniqueItems: true }).validate([[-0], [0]])).toMatchObject({ ok: false });
  });

  it('compare long lists of unequal objects in time that grows with the list', async () => {
    const many = Array.from({ length: 20_000 }, (_none, index) => ({ b: [index], a: 1 }));
    const { validate } = compileSchema({ uniqueItems: true });
    expect(await validate(many)).toMatchObject({ ok: true });
    expect(await validate([...many, { a: 1, b: [7] }])).toMatchObject({ ok: false });
  });

  it('go through a list that refers to itself as deep as the value goes', async () => {
    const { validate } = compileSchema({ items: { $ref: '#' }, maxItems: 1 });
    expect(await validate([[[[]]]])).toMatchObject({ ok: true });
    expect(await validate([[[[], []]]])).toMatchObject({ ok: false, issues: [{ path: [0, 0] }] });
  });
});

describe('choices that are objects or arrays', () => {
  it.each([
    [{ a: 1, b: [2, { c: 0 }] }, { b: [2, { c: -0 }], a: 1.0, d: undefined }, true],
    [{ a: -0 }, { a: 0 }, true],
    [[1], ['1'], false],
    [[null], ['null'], false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [['a,b'], ['a', 'b'], false],
    [[], {}, false],
  ])('%j: %j fits: %s', async (choice, given, fits) => {
    expect(await compileSchema({ const: choice }).validate(given)).toMatchObject({ ok: fits });
    expect(await compileSchema({ enum: [choice, 7] }).validate(given)).toMatchObject({ ok: fits });
  });
});

describe('the word nullable of OpenAPI 3.0', () => {
  it.each([
    [{ type: 'string', nullable: true }, true],
    [{ type: ['string', 'number'], nullable: true }, true],
    [{ type: 'string', nullable: false }, false],
    [{ type: 'string', nullable: true, enum: ['a'] }, false],
    [{ type: 'string', nullable: true, enum: ['a', null] }, true],
    [{ nullable: true, enum: ['a'] }, false],
  ])('%j takes null: %s', async (schema, fits) => {
    expect(await compileSchema(schema).validate(null)).toMatchObject({ ok: fits });
  });
});
