import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { familyNames } from './families.ts';
import { fillWithNothing, makeMistake, makeValue } from './fixtures/arguments.ts';
import { isCleanUp } from './fixtures/clean-up.ts';
import { providerRules } from './fixtures/provider-rules.ts';
import { anySchema, argumentSchema } from './fixtures/random-schemas.ts';
import { seed } from './fixtures/seeded.ts';
import { projectArguments, projectOutput } from './project-schema.ts';
import { projectTools } from './project-tools.ts';
import { tidyArguments } from './tidy/tidy-arguments.ts';

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };

describe.each(familyNames)('for %s', family => {
  const rules = providerRules[family];
  it('arguments of any schema satisfy the rules, or the tool is left out with a reason', () => {
    let sent = 0;
    fc.assert(
      fc.property(argumentSchema, schema => {
        const before = JSON.stringify(schema);
        const projected = projectArguments(schema, family);
        expect(JSON.stringify(schema)).toBe(before);
        if (!projected.ok) return void expect(projected.reason).toMatch(/\w{3}/);
        sent += 1;
        expect(rules.parameters(projected.schema, projected.strict)).toEqual([]);
        for (const { path, message } of projected.losses) {
          expect(path).toMatch(/^($|\/)/);
          expect(message).toMatch(/\w{3}/);
        }
      }),
      runs,
    );
    expect(sent).toBeGreaterThan(runs.numRuns / 10);
  });
  it('output of any schema satisfies the rules, or there is a reason', () => {
    fc.assert(
      fc.property(fc.oneof(anySchema, argumentSchema), schema => {
        const projected = projectOutput(schema, family);
        if (projected.ok) expect(rules.output(projected.schema, projected.strict)).toEqual([]);
        else expect(projected.reason).toMatch(/\w{3}/);
      }),
      runs,
    );
  });
  it('names of any text satisfy the rule, differ, and come back as they were', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({ minLength: 60, maxLength: 80 }),
      fc.constantFrom('a.b', 'a/b', 'a b', 'a-b__c', 'a_b__c'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(text, { maxLength: 12 }), names => {
        const tools = names.map(name => ({ name, description: '', parameters: { type: 'object' } }));
        const projection = projectTools(tools, family);
        const aliases = projection.tools.map(tool => tool.name);
        expect(new Set(aliases).size).toBe(names.length);
        expect(aliases.flatMap(alias => rules.name(alias))).toEqual([]);
        expect(aliases.map(alias => projection.nameOf(alias))).toEqual(names);
        expect(names.map(name => projection.aliasOf(name))).toEqual(aliases);
      }),
      runs,
    );
  });
});

describe('the clean-up', () => {
  it('leaves what fits as it is, and invents nothing in what does not', async () => {
    let [fitting, mended] = [0, 0];
    await fc.assert(
      fc.asyncProperty(argumentSchema, fc.nat(), async (schema, start) => {
        let compiled: ReturnType<typeof compileSchema>;
        try {
          compiled = compileSchema(schema, { root: 'object' });
        } catch {
          return;
        }
        const random = seed(start);
        const made = makeValue(schema, schema, random);
        for (const value of [made, makeMistake(made, random), fillWithNothing(made, schema, random)]) {
          const verdict = await compiled.validate(value);
          const { value: tidied, changes } = tidyArguments(value, schema);
          if (verdict.ok) {
            fitting += 1;
            expect(changes).toEqual([]);
            expect(tidied).toBe(value);
          } else if ((await compiled.validate(tidied)).ok) mended += 1;
          expect(isCleanUp(value ?? {}, tidied)).toBe(true);
          expect(changes.length > 0).toBe(tidied !== value);
        }
      }),
      runs,
    );
    expect(fitting).toBeGreaterThan(20);
    expect(mended).toBeGreaterThan(5);
  });
});
