import { describe, expect, it } from 'vitest';
import { familyNames } from './families.ts';
import type { FamilyName } from './family.ts';
import { providerRules } from './fixtures/provider-rules.ts';
import { type ProjectedSchema, projectOutput } from './project-schema.ts';

const answer = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    at: { type: 'array', items: { type: 'number' }, minItems: 2 },
  },
  required: ['city'],
};

function project(schema: unknown, family: FamilyName): ProjectedSchema & { ok: true } {
  const projected = projectOutput(schema, family);
  if (!projected.ok) throw new Error(projected.reason);
  expect(providerRules[family].output(projected.schema, projected.strict)).toEqual([]);
  return projected;
}

describe.each(familyNames)('structured output for %s', family => {
  it('of an object satisfies the rules', () => {
    const { strict, schema } = project(answer, family);
    expect(strict).toBe(family !== 'openai' && family !== 'generic');
    expect(Object.keys(schema['properties'] as object)).toEqual(['city', 'at']);
  });
  it.each([
    ['a schema that cannot be used', { type: 'text' }],
    ['false', false],
    ['no schema', undefined],
    ['a reference that leads nowhere', { $ref: '#/none' }],
  ])('of %s is refused with a reason', (_, schema) => {
    expect(projectOutput(schema, family)).toEqual({ ok: false, reason: expect.stringMatching(/\w+ \w+/) });
  });
});

describe('an output that is no object', () => {
  const list = { type: 'array', items: { type: 'string' } };
  it.each(['anthropic', 'gemini'] as const)('is taken by %s', family => {
    expect(project(list, family).schema).toMatchObject(list);
  });
  it.each(['openai', 'openai-strict', 'generic'] as const)('is refused for %s, with the remedy', family => {
    expect(projectOutput(list, family)).toEqual({
      ok: false,
      reason: expect.stringContaining('under a property'),
    });
  });
});

it('Anthropic holds its model to a closed subset; what it cannot say is told in words', () => {
  const { schema, losses } = project({ ...answer, additionalProperties: false }, 'anthropic');
  expect(schema).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string', description: '(minLength: 1)' },
      at: { type: 'array', items: { type: 'number' }, minItems: 1, description: '(minItems: 2)' },
    },
    required: ['city'],
    additionalProperties: false,
  });
  expect(losses.map(loss => loss.keyword).sort()).toEqual(['minItems', 'minLength']);
});
it.each([
  ['a recursion', { type: 'object', properties: { a: { $ref: '#' } } }],
  ['open names', { type: 'object', additionalProperties: true }],
  ['any value', { type: 'object', properties: { a: {} } }],
  [
    'too many that may be left out',
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}`, { type: 'string' }])),
    },
  ],
])('Anthropic does not take %s, and the reason says so', (_, schema) => {
  expect(projectOutput(schema, 'anthropic')).toEqual({ ok: false, reason: expect.stringMatching(/\w+ \w+/) });
});
it('Gemini keeps a union at the root', () => {
  const schema = {
    anyOf: [{ type: 'string' }, { type: 'object', properties: { 'a-b': { type: 'integer' } } }],
  };
  expect(project(schema, 'gemini').schema).toEqual(schema);
});

describe.each(['openai-strict', 'openai', 'generic'] as const)(
  'as output %s, which wants an object,',
  family => {
    it.each([
      ['choices', { enum: ['a', 'b'] }],
      ['choices among objects', { enum: [{ a: 1 }] }],
      ['one value', { const: 'a' }],
      ['a reference to choices', { $ref: '#/$defs/C', $defs: { C: { enum: ['a'] } } }],
      ['a union with other kinds', { anyOf: [answer, { type: 'string' }] }],
      ['a union of texts', { oneOf: [{ const: 'a' }, { const: 'b' }] }],
      ['anything', {}],
      ['a description of anything', { description: 'x' }],
      ['what is said of texts', { minLength: 1 }],
    ])('is not shown %s, and the reason says so', (_, schema) => {
      expect(projectOutput(schema, family)).toEqual({
        ok: false,
        reason: expect.stringContaining('the output must be an object'),
      });
    });
    it.each([
      ['no type', { properties: { a: { type: 'string' } } }],
      ['a reference', { $ref: '#/$defs/A', $defs: { A: answer } }],
      ['parts', { allOf: [answer] }],
      ['alternatives', { anyOf: [answer, { allOf: [{ type: 'object', properties: { b: {} } }] }] }],
    ])('is shown an object that has %s', (_, schema) => {
      expect(Object.keys(project(schema, family).schema['properties'] as object).length).toBeGreaterThan(0);
    });
  },
);

it.each(['openai-strict', 'anthropic'] as const)(
  '%s is not asked for an object that must be empty',
  family => {
    for (const schema of [
      { type: 'object' },
      { type: 'object', properties: {} },
      { allOf: [{ type: 'object' }] },
    ]) {
      const projected = projectOutput(schema, family);
      expect(projected.ok && projected.strict).toBe(false);
    }
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    expect(project(closed, family).strict).toBe(true);
  },
);
