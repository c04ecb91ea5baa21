import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { projectArguments } from '../project-schema.ts';
import { tidyArguments } from './tidy-arguments.ts';

/** A schema and a value that fits it; neither is null. */
const leaf = fc.constantFrom<readonly [object, unknown]>(
  [{ type: 'string' }, 'x'],
  [{ type: 'integer', minimum: 1 }, 3],
  [{ type: 'boolean' }, false],
  [{ enum: ['a', 'b'] }, 'b'],
  [{ type: 'array', items: { type: 'string' } }, ['y']],
  [{ type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false }, { n: 1 }],
);
const names = ['p', 'q', 'r', 's'] as const;
const branch = fc.record({
  properties: fc.dictionary(fc.constantFrom(...names), leaf, { minKeys: 1 }),
  required: fc.subarray([...names]),
  given: fc.subarray([...names]),
});

it('what strict mode makes a model write for one of several closed objects fits that one', async () => {
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(branch, { minLength: 2, maxLength: 4 }),
      fc.nat(),
      fc.constantFrom('anyOf', 'oneOf'),
      async (branches, pick, union) => {
        const ways = branches.map(({ properties, required }, at) => ({
          type: 'object',
          properties: {
            kind: { const: `k${at}` },
            ...Object.fromEntries(Object.entries(properties).map(([name, [schema]]) => [name, schema])),
          },
          required: ['kind', ...required.filter(name => name in properties)],
          additionalProperties: false,
        }));
        const schema = { type: 'object', [union]: ways };
        const projected = projectArguments(schema, 'openai-strict');
        const chosen = pick % branches.length;
        const { properties = {}, required = [], given = [] } = branches[chosen] ?? {};
        const wanted: Record<string, unknown> = { kind: `k${chosen}` };
        for (const name of names) {
          const [, value] = properties[name] ?? [];
          if (value !== undefined && (required.includes(name) || given.includes(name))) wanted[name] = value;
        }
        if (!projected.ok || !projected.strict) return;
        const shown = Object.keys(projected.schema['properties'] as object);
        const written = Object.fromEntries(shown.map(name => [name, wanted[name] ?? null]));
        expect((await compileSchema(projected.schema).validate(written)).ok).toBe(true);
        const { value } = tidyArguments(written, schema);
        expect(value).toEqual(wanted);
        expect((await compileSchema(schema).validate(value)).ok).toBe(true);
        checked += 1;
      },
    ),
    { numRuns: 200 },
  );
  expect(checked).toBeGreaterThan(150);
});
