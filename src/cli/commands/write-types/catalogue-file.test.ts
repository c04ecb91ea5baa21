import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileTexts, projectFile } from '../../../../test/fixtures/compile-texts.ts';
import { readTools } from '../../../client/tool-listing.ts';
import type { ToolListing } from '../../../protocol/tool-listing.ts';
import { writeCatalogueFile } from './catalogue-file.ts';

const paths = { 'tenon/client': [projectFile('src', 'client', 'catalogue.ts')] };
const corpus = resolve(import.meta.dirname, '../../../../../shared/corpus');

const tool = (name: string, more: Partial<ToolListing> = {}): ToolListing => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});

describe('the file of a catalogue', () => {
  it('is the same for the same tools in any order, and for schemas whose members stand in any order', () => {
    const a = tool('a', { inputSchema: { type: 'object', properties: { x: {}, y: {} } } });
    const other = tool('a', { inputSchema: { properties: { y: {}, x: {} }, type: 'object' } });
    const { text } = writeCatalogueFile('Files', [a, tool('b')]);
    expect(writeCatalogueFile('Files', [tool('b'), other]).text).toBe(text);
  });

  it.each([
    ['secure-filesystem-server', 'SecureFilesystemServer', 'secureFilesystemServer'],
    ['7zip', 'N7zip', 'n7zip'],
    ['class', 'Class', 'classTools'],
    ['catalogue', 'CatalogueTools', 'catalogueTools'],
    ['日本', 'Tools', 'tools'],
    ['', 'Tools', 'tools'],
  ])('of a server named %j exports names that can be used', (name, interfaceName, constantName) => {
    expect(writeCatalogueFile(name, [])).toMatchObject({ interfaceName, constantName });
  });

  it('compiles whatever the tools and schemas are', () => {
    const schemas = fc.sample(oddSchema, { numRuns: 400, seed: 7 });
    const names = [
      ...new Set([
        '__proto__',
        'constructor',
        'a b',
        "it's",
        '1',
        ...fc.sample(oddText, { numRuns: 300, seed: 8 }),
      ]),
    ];
    const tools = names.map((name, index) =>
      tool(name, {
        description: texts[index % texts.length] ?? '',
        inputSchema: { type: 'object', properties: { x: schemas[index % 400] }, $defs: defs },
        outputSchema: { ...(schemas[(index * 7 + 1) % 400] as object), $defs: defs },
      }),
    );
    const { text } = writeCatalogueFile('Odd', tools);
    expect(
      compileTexts({ 'odd.ts': text, 'empty.ts': writeCatalogueFile('Empty', []).text }, paths).errors,
    ).toEqual([]);
    expect(text.split('\n').length).toBeGreaterThan(1000);
  });

  it.skipIf(!existsSync(corpus))(
    'compiles for captures of real servers (skipped without ../shared/corpus)',
    () => {
      const files = readdirSync(corpus).filter(name => name.endsWith('.json'));
      const written = files.map(file => {
        const page = JSON.parse(readFileSync(join(corpus, file), 'utf8')) as { tools?: unknown };
        const tools = readTools({ tools: page.tools ?? [] }, new Set(), () => {});
        return [
          file.replace('.json', '.ts'),
          writeCatalogueFile(file.replace('.json', ''), tools).text,
        ] as const;
      });
      expect(written.length).toBeGreaterThan(30);
      expect(compileTexts(Object.fromEntries(written), paths).errors).toEqual([]);
    },
  );
});

const texts = [
  '',
  'Plain.',
  'Ends */ early',
  '@ts-expect-error',
  '\u2028*/ export const x = ;',
  '`$' + '{a}` \\u{',
  'a\n\n*/\nb',
];
const oddText = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom(...texts.slice(1), 'toString', 'default', 'key', 'a-b', 'A_B', '名'),
);

/** What generated schemas refer to: trees, circles, empty things. */
const defs = {
  tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
  loop: { anyOf: [{ $ref: '#/$defs/pool' }, { type: 'string' }] },
  pool: { allOf: [{ $ref: '#/$defs/loop' }] },
  row: { type: 'array', prefixItems: [{ $ref: '#/$defs/row' }], items: { $ref: '#/$defs/row' } },
  self: { $ref: '#/$defs/self' },
  map: { type: 'object', additionalProperties: { $ref: '#/$defs/map' }, description: '*/' },
  yes: true,
};

const { schema: oddSchema } = fc.letrec(tie => {
  const sub = tie('schema');
  const subs = fc.array(sub, { maxLength: 3 });
  const members = fc.dictionary(oddText, sub, { maxKeys: 4 });
  const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'odd');
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      fc.boolean(),
      fc.record({ type: types }),
      fc.record({ const: fc.jsonValue() }),
      fc.record({ enum: fc.array(fc.jsonValue(), { maxLength: 4 }) }),
      fc.record({
        $ref: fc.constantFrom(
          '#',
          '#/properties/x',
          '#/$defs/missing',
          ...Object.keys(defs).map(key => `#/$defs/${key}`),
        ),
      }),
      fc.record(
        {
          type: fc.oneof(types, fc.array(types, { maxLength: 3 }), fc.constant(5)),
          description: fc.oneof(oddText, fc.constant(3)),
          properties: members,
          required: fc.array(oddText, { maxLength: 3 }),
          additionalProperties: fc.oneof(fc.boolean(), sub),
          patternProperties: members,
          items: fc.oneof(sub, subs),
          prefixItems: subs,
          additionalItems: sub,
          minItems: fc.nat(3),
          anyOf: subs,
          oneOf: subs,
          allOf: subs,
          nullable: fc.boolean(),
          $ref: fc.constantFrom('#', '#/$defs/tree', '#/$defs/row'),
        },
        { requiredKeys: [] },
      ),
    ),
  };
});
