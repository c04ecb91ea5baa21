import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, errors } from '../vendor/json-schema.ts';
import type { Issue } from './issues.ts';
import { matchesPattern } from './pattern.ts';
import { compileSimple } from './simple.ts';

const name = fc.constantFrom('a', 'b', 'toString', '__proto__', 'constructor', 'ü', '');
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
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
const schema = fc.letrec(tie => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 6, arbitrary: tie('object') },
  ),
  object: fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.array(value, { maxLength: 3 }),
      const: value,
      properties: fc
        .array(fc.tuple(name, tie('any')), { maxLength: 3 })
        .map(each => Object.fromEntries(each)),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      additionalProperties: tie('any'),
      items: tie('any'),
      minItems: size,
      maxItems: size,
      minLength: size,
      maxLength: size,
      pattern: fc.constantFrom('^a', 'b$', '^.$', '^\\-?\\d+$', '[^a]'),
      minimum: fc.integer({ min: -3, max: 3 }),
      maximum: fc.integer({ min: -3, max: 3 }),
      exclusiveMinimum: fc.integer({ min: -3, max: 3 }),
      exclusiveMaximum: fc.integer({ min: -3, max: 3 }),
      anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
      allOf: fc.array(tie('any'), { maxLength: 2 }),
      title: fc.string(),
      default: value,
    },
    { requiredKeys: [] },
  ),
})).any;

describe('the rule for an everyday schema', () => {
  it('gives the verdict of the full checker on every value', () => {
    let [fitting, unfit] = [0, 0];
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 6 }), (schema, values) => {
        const rule = compileSimple(schema);
        if (rule === undefined) throw new Error('not simple');
        for (const value of values) {
          const expected = check({}, schema, value, 1e6, matchesPattern);
          if (expected) fitting++;
          else unfit++;
          const issues: Issue[] = [];
          const answers = [
            rule(value, []),
            rule(value, [], issues),
            issues.length === 0,
            errors({}, schema, value, 1e6, matchesPattern).length === 0,
          ];
          if (answers.some(answer => answer !== expected)) throw new Error(`${expected}, but ${answers}`);
        }
      }),
      { numRuns: Number(process.env['TENON_RUNS'] ?? 600) },
    );
    // Both answers must be common, or agreeing says little.
    expect(Math.min(fitting, unfit)).toBeGreaterThan(60);
  });

  it.each([
    'not',
    'if',
    '$ref',
    '$id',
    'contains',
    'dependentRequired',
    'minProperties',
    'multipleOf',
    'patternProperties',
    'propertyNames',
    'uniqueItems',
    'unevaluatedProperties',
    'x-unknown',
    'toString',
  ])('is left to the full checker when there is "%s", however deep', keyword => {
    expect(compileSimple({ properties: { a: { anyOf: [{ items: { [keyword]: true } }] } } })).toBeUndefined();
  });

  it('is left to the full checker for forms of older drafts', () => {
    expect(compileSimple({ items: [{ type: 'string' }] })).toBeUndefined();
    expect(compileSimple({ exclusiveMinimum: true })).toBeUndefined();
  });
});
