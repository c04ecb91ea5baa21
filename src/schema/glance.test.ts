/** Whatever a glance says yes to, the rules of the whole schema say yes to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import { glanceOf } from './glance.ts';
import { inspect } from './inspect.ts';
import type { Issue } from './issues.ts';
import { defaultLimits } from './limits.ts';
import { beginWork } from './rule.ts';
import { compileRules } from './rules.ts';

const echo = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;

describe('a glance', () => {
  it.each<[string, unknown]>([
    ['plain types', echo],
    ['descriptions', { ...echo, title: 'T', $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    ['a default', { type: 'object', properties: { n: { type: 'integer', default: 1, description: 'n' } } }],
    ['no other names', { ...echo, additionalProperties: false }],
    ['no properties', { type: 'object' }],
  ])('is enough for an object with %s', (_what, schema) => {
    expect(glanceOf(schema)).toBeDefined();
  });

  it.each<[string, unknown]>([
    ['no object', { type: 'string' }],
    ['two types', { type: ['object', 'null'] }],
    ['a property of two types', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
    ['a property without a type', { type: 'object', properties: { a: {} } }],
    ['a property of a type that is none', { type: 'object', properties: { a: { type: 'toString' } } }],
    ['a property with a limit', { type: 'object', properties: { a: { type: 'number', minimum: 1 } } }],
    [
      'a property that may be null',
      { type: 'object', properties: { a: { type: 'string', nullable: true } } },
    ],
    ['a name that is required and has no schema', { type: 'object', required: ['a'] }],
    ['a schema for other names', { type: 'object', additionalProperties: { type: 'string' } }],
    ['a keyword beside', { type: 'object', minProperties: 1 }],
    ['a reference', { type: 'object', $ref: '#/$defs/a', $defs: { a: {} } }],
    ['hundreds of properties', { type: 'object', properties: many(200) }],
  ])('is not enough for %s', (_what, schema) => {
    expect(glanceOf(schema)).toBeUndefined();
  });

  it.each<[string, unknown, boolean]>([
    ['what fits', { text: 'a', more: 1 }, true],
    ['what is missing', {}, false],
    ['what is undefined', { text: undefined }, false],
    ['what stands in the prototype', Object.create({ text: 'a' }), false],
    ['a list', ['a'], false],
    ['null', null, false],
    ['another type', { text: 1 }, false],
  ])('judges %s', (_what, value, fits) => {
    expect(glanceOf(echo)?.fits(value)).toBe(fits);
  });

  it('and the rules are of one opinion, also when the schema is changed after the first value', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { validate } = compileSchema(schema);
    expect(await validate({ a: 'x' })).toMatchObject({ ok: true });
    schema.properties.a = { type: 'number' };
    expect([await validate({ a: 'x' }), await validate({ a: 1 })]).toMatchObject([
      { ok: true },
      { ok: false },
    ]);
  });

  it('keeps of the schema what judges, and nothing else', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: 'string', description: 'long', default: 'x' }, b: undefined },
      examples: [{}],
    };
    expect(glanceOf(schema)?.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: [],
      additionalProperties: true,
    });
  });

  it('says yes where the rules do, and nowhere else', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];
    const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString');
    const property = fc.record({ type: fc.constantFrom(...types) });
    const schemas = fc
      .record({
        properties: fc.dictionary(name, property),
        open: fc.boolean(),
        picks: fc.infiniteStream(fc.boolean()),
      })
      .map(({ properties, open, picks }) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).filter(() => picks.next().value),
        additionalProperties: open,
      }));
    const member = fc.oneof(
      ...[fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined, {}, [])],
    );
    const values = fc.oneof(fc.dictionary(name, member, { noNullPrototype: false }), member);
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const told = (by: unknown): unknown => {
          const rule = compileRules(by, inspect(by, {}, defaultLimits));
          const issues: Issue[] = [];
          beginWork(1_000_000);
          return { fits: rule(value, []), reasons: rule(value, [], issues) ? [] : issues };
        };
        const glance = glanceOf(schema);
        expect(told(schema)).toMatchObject({ fits: glance?.fits(value) });
        expect(told(glance?.schema)).toEqual(told(schema));
      }),
    );
  });
});

function many(count: number): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_none, at) => [`p${at}`, { type: 'string' }]));
}
