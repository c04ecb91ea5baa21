import { describe, expect, it } from 'vitest';
import { familyNames } from './families.ts';
import { keywords } from './fixtures/keyword-examples.ts';
import { property } from './fixtures/project-property.ts';
import { providerRules } from './fixtures/provider-rules.ts';
import { projectArguments, projectOutput } from './project-schema.ts';

describe.each(familyNames)('for %s', family => {
  it.each(Object.entries(keywords))('%s is written so that the rules are kept', (_, schema) => {
    expect(property(schema, family).p).toBeDefined();
  });
  it.each([true, false])('the schema %s is taken', schema => {
    expect(Object.keys(property(schema, family, {}).root)).toContain('type');
  });
  it.each([
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-06/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
    'https://a.example/unheard-of',
  ])('the dialect %s is taken and not sent, for arguments and for output', $schema => {
    const schema = {
      $schema,
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    };
    for (const projected of [projectArguments(schema, family), projectOutput(schema, family)]) {
      expect(projected).toMatchObject({ ok: true, schema: { type: 'object' } });
      expect(JSON.stringify(projected)).not.toContain('$schema');
      if (family !== 'gemini' && family !== 'generic') expect(projected).toMatchObject({ losses: [] });
    }
  });
  it('references of every kind lead where they did', () => {
    const named = { type: 'object', properties: { x: { type: 'string' } } };
    for (const [schema, more] of [
      [{ $ref: '#/$defs/N' }, { $defs: { N: named } }],
      [{ $ref: '#/definitions/N' }, { definitions: { N: named } }],
      [{ $ref: '#anchor' }, { $defs: { N: { ...named, $anchor: 'anchor' } } }],
      [{ $ref: 'https://a.example/n' }, { $defs: { N: { ...named, $id: 'https://a.example/n' } } }],
      [{ $ref: '#/components/N' }, { components: { N: named } }],
    ] as const) {
      const { p, root } = property(schema, family, more);
      const found = p?.['$ref'] === '#/$defs/N' ? (root['$defs'] as { N: object }).N : (p?.['anyOf'] ?? p);
      expect(JSON.stringify(found) + JSON.stringify(root['$defs'])).toContain('"x"');
    }
  });
  it('a recursion ends', () => {
    const node = { type: 'object', properties: { v: { type: 'string' }, next: { $ref: '#/$defs/N' } } };
    expect(
      JSON.stringify(property({ $ref: '#/$defs/N' }, family, { $defs: { N: node } }).root).length,
    ).toBeLessThan(900);
    const { root } = property({ $ref: '#' }, family);
    expect(JSON.stringify(root).length).toBeLessThan(500);
  });
  it('a reference to a property leads there', () => {
    const parameters = {
      type: 'object',
      properties: {
        headers: { type: 'array', items: { type: 'string' } },
        more: { $ref: '#/properties/headers' },
      },
    };
    const projected = projectArguments(parameters, family);
    expect(projected.ok && providerRules[family].parameters(projected.schema, projected.strict)).toEqual([]);
    expect(JSON.stringify(projected).match(/"array"/g)?.length).toBe(2);
  });
  it('a union at the root becomes one object that allows each way', () => {
    const projected = projectArguments(
      {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { const: 'a' }, x: { type: 'string' } },
            required: ['kind', 'x'],
          },
          { properties: { kind: { const: 'b' }, y: { type: 'integer' } }, required: ['kind'] },
          { type: 'null' },
        ],
      },
      family,
    );
    if (!projected.ok) throw new Error(projected.reason);
    expect(Object.keys(projected.schema['properties'] as object)).toEqual(['kind', 'x', 'y']);
    const required = family === 'openai-strict' ? ['kind', 'x', 'y'] : ['kind'];
    expect(projected.schema['required']).toEqual(required);
    expect(projected.losses.map(loss => loss.keyword)).toContain('oneOf');
  });
});

it('definitions of one name get names that differ, in any number', () => {
  const list = Array.from({ length: 600 }, (_, at) => [
    `p${at}`,
    { items: { type: 'object', properties: { [`x${at}`]: {} } } },
  ]);
  const links = list.map(([name]) => [`r${String(name)}`, { $ref: `#/properties/${String(name)}/items` }]);
  const projected = projectArguments(
    { type: 'object', properties: Object.fromEntries([...list, ...links]) },
    'anthropic',
  );
  if (!projected.ok) throw new Error(projected.reason);
  expect(Object.keys(projected.schema['$defs'] as object)).toHaveLength(600);
  expect(providerRules.anthropic.parameters(projected.schema, false)).toEqual([]);
});
