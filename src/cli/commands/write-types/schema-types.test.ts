import { describe, expect, it } from 'vitest';
import { typesOfSchema } from './schema-types.ts';

const typeOf = (schema: unknown): string => typesOfSchema(schema, 'T', new Set()).type.replace(/\s+/g, ' ');

describe('the type of a schema', () => {
  it.each([
    ['nothing said', {}, 'unknown'],
    ['true', true, 'unknown'],
    ['false', false, 'never'],
    ['no schema at all', 7, 'unknown'],
    ['a string', { type: 'string', format: 'date' }, 'string'],
    ['an integer', { type: 'integer' }, 'number'],
    ['null', { type: 'null' }, 'null'],
    ['a type that nobody knows', { type: 'constructor' }, 'unknown'],
    ['several types', { type: ['string', 'integer', 'number', 'null'] }, 'string | number | null'],
    ['nullable', { type: 'string', nullable: true }, 'string | null'],
    ['a constant', { const: 'it\'s "so"\\' }, "'it\\'s \"so\"\\\\'"],
    [
      'an object as constant',
      { const: { b: [1, null], a: {} } },
      '{ readonly a: { readonly [key: string]: never }; readonly b: readonly [1, null] }',
    ],
    ['an enum beside its type', { type: 'string', enum: ['a', 'b', 'a'] }, "'a' | 'b'"],
    ['an enum of everything', { enum: [1, -0.5, true, null, 'x'] }, "1 | -0.5 | true | null | 'x'"],
    ['a number that is too large', { const: Number.POSITIVE_INFINITY }, 'number'],
    ['an enum that is too long', { enum: Array.from({ length: 600 }, (_, index) => `v${index}`) }, 'string'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'readonly string[]'],
    ['a list of anything', { type: 'array' }, 'readonly unknown[]'],
    [
      'a list of either',
      { type: 'array', items: { type: ['string', 'null'] } },
      'readonly (string | null)[]',
    ],
    ['a list of lists', { items: { items: { type: 'number' } } }, 'readonly (readonly number[])[]'],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 1, items: false },
      'readonly [string, number?]',
    ],
    [
      'a tuple of older drafts',
      { type: 'array', items: [{ type: 'string' }], minItems: 1, additionalItems: { type: 'null' } },
      'readonly [string, ...null[]]',
    ],
    [
      'any of',
      { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'null' } } }] },
      'string | { readonly a?: null }',
    ],
    [
      'one of, beside members',
      { type: 'object', properties: { a: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{ readonly a?: unknown } & ({ readonly a: unknown } | { readonly b: unknown })',
    ],
    [
      'all of',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } } },
        ],
      },
      '{ readonly a: string } & { readonly b?: number }',
    ],
    [
      'an object that only its branches describe',
      { type: 'object', anyOf: [{ properties: { a: {} } }] },
      '{ readonly a?: unknown }',
    ],
    ['an open object', { type: 'object' }, '{ readonly [key: string]: unknown }'],
    [
      'an object without members',
      { type: 'object', properties: {}, additionalProperties: false },
      '{ readonly [key: string]: never }',
    ],
    [
      'a dictionary',
      { type: 'object', additionalProperties: { type: 'number' } },
      '{ readonly [key: string]: number }',
    ],
    [
      'a dictionary by patterns',
      { type: 'object', patternProperties: { '^a': { type: 'number' } }, additionalProperties: false },
      '{ readonly [key: string]: number }',
    ],
    [
      'members and others of another type',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      '{ readonly a?: string; readonly [key: string]: unknown; }',
    ],
    [
      'a member that must be there and is not described',
      { type: 'object', required: ['x'], properties: {} },
      '{ readonly x: unknown }',
    ],
    [
      'odd names, in order',
      { type: 'object', properties: { 'b-c': true, __proto__x: true, a: true, "it's": true, '': true } },
      "{ readonly ''?: unknown; readonly __proto__x?: unknown; readonly a?: unknown; readonly 'b-c'?: unknown; readonly 'it\\'s'?: unknown; }",
    ],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 'unknown'],
    ['a reference to a file', { $ref: 'https://example.com/other.json', type: 'string' }, 'string'],
    ['a reference to a boolean', { $ref: '#/$defs/no', $defs: { no: false } }, 'never'],
    [
      'keywords of the wrong kind',
      { type: {}, enum: 'x', anyOf: {}, allOf: 'x', items: 5, required: 'a', properties: [] },
      '{ readonly [key: string]: unknown } | readonly unknown[]',
    ],
  ])('%s', (_about, schema, wanted) => {
    expect(typeOf(schema)).toBe(wanted);
  });
});

describe('references', () => {
  it('get a name and one declaration each, also when they come back to themselves', () => {
    const { type, declarations } = typesOfSchema(
      {
        type: 'object',
        properties: { root: { $ref: '#/$defs/node' }, again: { $ref: '#/$defs/node' } },
        $defs: {
          node: {
            description: 'A node.',
            type: 'object',
            properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
          },
        },
      },
      'Files',
      new Set(),
    );
    expect(type).toContain('readonly root?: FilesNode;');
    expect(type).toContain('readonly again?: FilesNode;');
    expect(declarations).toEqual([
      ['/** A node. */', 'type FilesNode = { readonly next?: FilesNode | null };'],
    ]);
  });

  it('to the root are told from the type itself, and names that are taken are left alone', () => {
    const taken = new Set(['T']);
    const { type, declarations } = typesOfSchema(
      { type: 'object', properties: { child: { $ref: '#' } } },
      'T',
      taken,
    );
    expect(type).toBe('{ readonly child?: T2 }');
    expect(declarations).toEqual([['type T2 = { readonly child?: T2 };']]);
    expect(taken).toEqual(new Set(['T', 'T2']));
  });

  it('that lead in a circle say nothing', () => {
    const schema = {
      $ref: '#/$defs/a',
      $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } },
    };
    const { declarations } = typesOfSchema(schema, 'T', new Set());
    expect(declarations).toEqual([['type TA = unknown;']]);
  });
});

describe('bounds', () => {
  it('end a schema that nests without end', () => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < 500; level += 1) schema = { type: 'array', items: schema };
    expect(typeOf(schema)).toMatch(/^readonly \(.*readonly unknown\[\]\)/);
  });

  it('end a chain of references and a schema with very many parts', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9000 }, (_, index) => [
        `n${index}`,
        { type: 'array', items: { $ref: `#/$defs/n${index + 1}` } },
      ]),
    );
    const { declarations } = typesOfSchema({ $ref: '#/$defs/n0', $defs: chain }, 'T', new Set());
    expect(declarations.length).toBeLessThanOrEqual(5001);
    const properties = Object.fromEntries(
      Array.from({ length: 9000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    expect(typeOf({ type: 'object', properties })).toMatch(/: string;.*: unknown;/);
  });
});

describe('descriptions', () => {
  it('become doc comments that nothing in them can end', () => {
    const properties = {
      a: { type: 'string', description: 'Ends */ here.\r\n\r\n  @ts-expect-error \u0007 x\n' },
    };
    expect(typesOfSchema({ properties }, 'T', new Set()).type.split('\n')).toEqual([
      '{',
      '  /**',
      '   * Ends *\\/ here.',
      '   *',
      '   *   @ ts-expect-error   x',
      '   */',
      '  readonly a?: string;',
      '}',
    ]);
  });
});
