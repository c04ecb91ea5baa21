import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileSchema } from './compile.ts';
import { explain } from './explain.ts';
import { explainIssues } from './issues.ts';
import type { Schema } from './schema.ts';

const search = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    status: { enum: ['open', 'closed'] },
    password: { type: 'string', maxLength: 3 },
    filters: {
      type: 'array',
      items: {
        type: 'object',
        properties: { fieldName: { type: 'string' } },
        required: ['fieldName'],
        additionalProperties: false,
      },
    },
    target: {
      anyOf: [
        {
          type: 'object',
          properties: { kind: { const: 'file' }, path: { type: 'string' } },
          required: ['kind', 'path'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'url' }, url: { type: 'string' } },
          required: ['kind', 'url'],
        },
        { type: 'null' },
      ],
    },
  },
  required: ['query'],
  additionalProperties: false,
};

async function reasonsOf(schema: Schema, value: unknown): Promise<string> {
  const compiled = compileSchema(schema);
  const verdict = await compiled.validate(value);
  return verdict.ok ? 'fits' : explain(verdict.issues, { schema: compiled.json, value });
}

/** [what, the value, the whole text] */
const cases: [string, unknown, string][] = [
  ['a wrong type', { query: 'x', limit: 'ten' }, '"limit" must be a whole number, got "ten"'],
  ['a limit', { query: 'x', limit: 51 }, '"limit" must be at most 50, got 51'],
  ['a missing name', {}, '"query" is required'],
  [
    'a misspelt choice',
    { query: 'x', status: 'opne' },
    '"status" must be one of "open", "closed", got "opne", did you mean "open"?',
  ],
  [
    'a choice far from all',
    { query: 'x', status: 'zzz' },
    '"status" must be one of "open", "closed", got "zzz"',
  ],
  [
    'a misspelt name, missing and forbidden',
    { qurey: 'x' },
    '"query" is required, is "qurey" meant for it?; "qurey" is not allowed here, did you mean "query"?',
  ],
  [
    'another way to write a name, deep inside',
    { query: 'x', filters: [{ fieldName: 'a' }, { field_name: 'a' }] },
    '"filters[1].fieldName" is required, is "field_name" meant for it?; ' +
      '"filters[1].field_name" is not allowed here, did you mean "fieldName"?',
  ],
  [
    'a name far from all',
    { query: 'x', zzz: 1 },
    '"zzz" is not allowed here; known: "query", "limit", "status", "password", "filters", "target"',
  ],
  ['the alternative that was meant', { query: 'x', target: { kind: 'url' } }, '"target.url" is required'],
  ['a type that no alternative has', { query: 'x', target: 3 }, '"target" must be an object or null, got 3'],
  ['a value of the wrong shape', [], 'the value must be an object, got an array of 0 items'],
  [
    'a secret, by its name',
    { query: 'x', password: 'hunter2' },
    '"password" must have at most 3 characters, got a string of 7 characters',
  ],
  ['a secret that is a number', { query: 'x', password: 1234 }, '"password" must be a string, got a number'],
  [
    'a secret, by its look',
    { query: 'x', limit: 'sk-abcdef' },
    '"limit" must be a whole number, got a string of 9 characters',
  ],
];

describe('an explanation names the place, what is wrong and what came, for', () => {
  it.each(cases)('%s', async (_, value, text) => {
    expect(await reasonsOf(search, value)).toBe(text);
  });

  it.each(cases)('%s, beside a keyword that few schemas have', async (_, value, text) => {
    const parts = (await reasonsOf({ ...search, minProperties: 0 }, value)).split('; ');
    expect(new Set(parts)).toEqual(new Set(text.split('; ')));
  });
});

describe('an explanation', () => {
  it('is short however long the value, the names and the list of reasons are', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`${'n'.repeat(500)}${i}`, 'v'.repeat(10_000)]),
    );
    const text = await reasonsOf({ type: 'object', additionalProperties: { type: 'number' } }, long);
    expect(text).toContain('and at least 95 more');
    expect(text.length).toBeLessThan(2000);
  });

  it('suggests through references and for library schemas', async () => {
    const referring = { $ref: '#/$defs/q', $defs: { q: search } };
    expect(await reasonsOf(referring, { qurey: 'x' })).toContain('did you mean "query"?');
    const strict = z.strictObject({ query: z.string(), mode: z.enum(['fast', 'slow']).optional() });
    expect(await reasonsOf(strict, { qurey: 'x', mode: 'fst' })).toBe(
      '"query" is required, is "qurey" meant for it?; ' +
        '"mode" is refused: Invalid option: expected one of "fast"|"slow", got "fst", did you mean "fast"?; ' +
        '"qurey" is not allowed here, did you mean "query"?',
    );
  });

  it('gives the bare reasons when the value is not at hand', () => {
    const issues = [{ path: ['a', 0], message: 'must be null' }];
    expect(explainIssues(issues)).toBe('"a[0]" must be null');
  });

  it('tells the reasons inside conditions, names and dependencies', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    const conditional = { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } };
    expect(await reasonsOf(conditional, { a: 1 })).toBe('"b" is required');
    expect(await reasonsOf(conditional, {})).toBe('"c" is required');
    expect(await reasonsOf({ propertyNames: { pattern: '^[a-z]+$' } }, { A1: 1 })).toBe(
      '"A1" is not a property name the schema allows, got 1',
    );
    expect(await reasonsOf({ dependentRequired: { a: ['b'] } }, { a: 1 })).toBe(
      '"a" needs "b" beside it, got 1',
    );
    expect(await reasonsOf({ oneOf: [{ type: 'number' }, { type: 'integer' }], not: false }, 1)).toBe(
      'the value must fit exactly one of the alternatives, and fits several, got 1',
    );
  });
});

it.each([
  [{ contains: { const: 1 } }, [2], 'must have at least 1 item that fits the schema of contains'],
  [
    { contains: { const: 1 }, minContains: 2 },
    [1],
    'must have at least 2 items that fit the schema of contains',
  ],
  [
    { contains: { const: 1 }, maxContains: 1 },
    [1, 1],
    'must have exactly 1 item that fits the schema of contains',
  ],
  [
    { contains: { const: 1 }, minContains: 0, maxContains: 2 },
    [1, 1, 1],
    'must have 0 to 2 items that fit the schema of contains',
  ],
])('says how many items must fit: %j', async (schema, value, message) => {
  expect(await compileSchema(schema).validate(value)).toMatchObject({ ok: false, issues: [{ message }] });
});
