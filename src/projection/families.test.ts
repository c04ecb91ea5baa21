import { describe, expect, it } from 'vitest';
import { keywords } from './fixtures/keyword-examples.ts';
import { property } from './fixtures/project-property.ts';
import { projectArguments } from './project-schema.ts';

describe('OpenAI strict mode', () => {
  const family = 'openai-strict';
  it('closes objects, asks for every name, and lets null stand for what may be left out', () => {
    const { root, strict } = property({ type: 'object', properties: { a: { type: 'string' } } }, family);
    expect(strict).toBe(true);
    expect(root).toEqual({
      type: 'object',
      properties: {
        p: {
          anyOf: [
            {
              type: 'object',
              properties: { a: { type: ['string', 'null'] } },
              required: ['a'],
              additionalProperties: false,
            },
            { type: 'null' },
          ],
        },
      },
      required: ['p'],
      additionalProperties: false,
    });
  });
  it('lets null stand beside choices', () => {
    expect(property({ enum: ['a'] }, family).p).toEqual({ type: ['string', 'null'], enum: ['a', null] });
  });
  it('keeps definitions, recursive ones too', () => {
    const { root } = property({ $ref: '#/$defs/N' }, family, {
      required: ['p'],
      $defs: { N: { type: 'object', properties: { n: { $ref: '#/$defs/N', description: 'more' } } } },
    });
    expect(root).toMatchObject({ properties: { p: { $ref: '#/$defs/N' } } });
    expect(root['$defs']).toMatchObject({
      N: { properties: { n: { anyOf: [{ $ref: '#/$defs/N' }, { type: 'null' }] } } },
    });
  });
  it.each([
    [
      'any names',
      { type: 'object', additionalProperties: true, properties: { a: {} } },
      'additionalProperties',
    ],
    ['names of a pattern', keywords['patternProperties'], 'additionalProperties'],
    ['nothing said of an object', { type: 'object' }, 'properties'],
    ['anything', {}, 'type'],
    ['items of any kind', { type: 'array' }, 'type'],
  ])('is left off for %s, and says so', (_, schema, keyword) => {
    const { strict, lost } = property(schema, family);
    expect([strict, lost[0]]).toEqual([false, keyword]);
  });
  it.each([
    [
      '11 levels',
      Array.from({ length: 11 }).reduce<object>(p => ({ type: 'object', properties: { p } }), {
        type: 'string',
      }),
    ],
    ['1001 choices', { enum: Array.from({ length: 1001 }, (_, at) => `${at}`) }],
    ['a long list of long choices', { enum: Array.from({ length: 251 }, (_, at) => `${at}`.padEnd(80)) }],
  ])('is left off for %s, and says so', (_, schema) => {
    const { strict, lost } = property(schema, family);
    expect([strict, lost]).toEqual([false, ['size']]);
  });
});

describe('Gemini', () => {
  const family = 'gemini';
  it.each<[string, unknown, object]>([
    ['const', keywords['const'], { type: 'string', enum: ['x'] }],
    ['null in a union', keywords['anyOf with null'], { type: 'string', nullable: true }],
    ['null by the word', { type: 'string', nullable: true }, { type: 'string', nullable: true }],
    [
      'null that no choice allows',
      { type: 'string', nullable: true, enum: ['a'] },
      { type: 'string', enum: ['a'] },
    ],
    [
      'exclusive bounds of integers',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9.5 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    ['a tuple', keywords['prefixItems'], { type: 'array', items: { type: 'string' }, maxItems: 1 }],
    [
      'constants in a union',
      { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
      { type: 'string', enum: ['a', 'b'], description: '"a": A' },
    ],
    [
      'choices of numbers',
      { enum: [3, 1] },
      { type: 'number', minimum: 1, maximum: 3, description: '(enum: [3,1])' },
    ],
    [
      'words beside a union',
      { description: 'd', anyOf: [{ type: 'string' }, { type: 'integer', description: 'i' }] },
      {
        anyOf: [
          { type: 'string', description: 'd' },
          { type: 'integer', description: 'i' },
        ],
      },
    ],
    [
      'a nullable union',
      { type: ['string', 'integer', 'null'] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'integer', nullable: true },
        ],
      },
    ],
    [
      'parts together',
      {
        allOf: [
          { type: 'integer', minimum: 1 },
          { type: 'number', minimum: 2 },
        ],
      },
      { type: 'integer', minimum: 2 },
    ],
    [
      'what it cannot say, in words',
      { type: 'integer', multipleOf: 5, default: 10, description: 'd' },
      { type: 'integer', description: 'd (multipleOf: 5; default: 10)' },
    ],
  ])('is told %s', (_, schema, expected) => {
    expect(property(schema, family).p).toEqual(expected);
  });
  it('is told a recursion once, open within, and the loss is reported', () => {
    const { p, lost } = property({ $ref: '#/$defs/F' }, family, {
      $defs: {
        F: {
          type: 'object',
          properties: { eq: { type: 'string' }, and: { type: 'array', items: { $ref: '#/$defs/F' } } },
        },
      },
    });
    expect(p).toEqual({
      type: 'object',
      properties: {
        eq: { type: 'string' },
        and: { type: 'array', items: { type: 'object', description: '(other names may be given too)' } },
      },
    });
    expect(lost).toContain('$ref');
  });
});

describe('Anthropic', () => {
  it('is told nearly everything as it was', () => {
    const schema = {
      type: 'object',
      properties: { a: { oneOf: [{ const: 1 }, { not: {} }] } },
      patternProperties: { '^x': {} },
    };
    expect(property(schema, 'anthropic')).toMatchObject({ p: schema, lost: [] });
  });
  it.each(['filter[id]', '$top', 'x'.repeat(65)])(
    'is told %s by another name, and the loss is reported',
    name => {
      const projected = projectArguments(
        { type: 'object', properties: { [name]: {} }, required: [name] },
        'anthropic',
      );
      if (!projected.ok) throw new Error(projected.reason);
      const [alias] = Object.keys(projected.schema['properties'] as object);
      expect(alias).toMatch(/^[a-zA-Z0-9_]{1,64}$/);
      expect(projected.schema['required']).toEqual([alias]);
      expect(projected.losses).toEqual([
        { path: '', keyword: 'properties', message: expect.stringContaining(name) },
      ]);
    },
  );
});

describe('what every provider takes', () => {
  it('says nothing of null', () => {
    const { p, lost } = property(keywords['anyOf with null'], 'generic');
    expect([p, lost]).toEqual([{ type: 'string' }, ['type']]);
  });
});
