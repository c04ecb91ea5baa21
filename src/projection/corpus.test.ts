import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import type { JsonSchemaObject } from '../schema/schema.ts';
import { familyNames } from './families.ts';
import { fillWithNothing, makeMistake, makeValue } from './fixtures/arguments.ts';
import { isCleanUp } from './fixtures/clean-up.ts';
import { providerRules } from './fixtures/provider-rules.ts';
import { seed } from './fixtures/seeded.ts';
import { projectTools } from './project-tools.ts';
import type { ToolDefinition } from './projection.ts';
import { tidyArguments } from './tidy/tidy-arguments.ts';

const folder = resolve(import.meta.dirname, '../../../shared/corpus');
const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : [];
const mostAtOnce = 128;
const captures = files.flatMap(file => {
  const { tools = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { tools?: Listed[] };
  const definitions: readonly ToolDefinition[] = tools.map(({ name, description, inputSchema }) => ({
    name,
    description: description ?? '',
    parameters: inputSchema,
  }));
  // No provider is sent more at once than the strictest takes.
  return Array.from({ length: Math.ceil(definitions.length / mostAtOnce) }, (_, at) => {
    return { file, definitions: definitions.slice(at * mostAtOnce, (at + 1) * mostAtOnce) };
  });
});
const setsPerTool = 10;

describe.skipIf(files.length === 0)('captures of real servers (skipped without ../shared/corpus)', () => {
  it.each(familyNames)(
    'are sent to %s by its rules, or left out with a reason, and their names come back',
    family => {
      const rules = providerRules[family];
      const count = { sent: 0, strict: 0, renamed: 0, losses: 0, dropped: [] as string[] };
      for (const { file, definitions } of captures) {
        const projection = projectTools(definitions, family);
        const names = projection.tools.map(tool => projection.nameOf(tool.name));
        const out = projection.dropped.map(({ tool }) => tool);
        expect([...names, ...out].sort()).toEqual(definitions.map(({ name }) => name).sort());
        expect(new Set(projection.tools.map(({ name }) => name)).size).toBe(names.length);
        expect([file, ...rules.tools(projection.tools)]).toEqual([file]);
        for (const { name, parameters, strict } of projection.tools) {
          const own = projection.nameOf(name);
          expect([file, own, ...rules.name(name), ...rules.parameters(parameters, strict)]).toEqual([
            file,
            own,
          ]);
          expect(projection.aliasOf(own)).toBe(name);
          count.sent += 1;
          if (strict) count.strict += 1;
          if (own !== name) count.renamed += 1;
        }
        for (const { tool, reason } of projection.dropped) {
          expect(reason).toMatch(/\w+ \w+/);
          count.dropped.push(`${file}: ${tool}: ${reason}`);
        }
        count.losses += projection.losses.length;
      }
      console.log(`${family}: ${JSON.stringify(count)}`);
      expect(count.sent).toBeGreaterThan(1000);
    },
  );

  it.each(familyNames)('as whole lists are no more than %s takes, and each is sent or left out', family => {
    for (const file of new Set(captures.map(each => each.file))) {
      const list = captures.filter(each => each.file === file).flatMap(({ definitions }) => definitions);
      const { tools, dropped } = projectTools(list, family);
      expect([file, ...providerRules[family].tools(tools)]).toEqual([file]);
      expect(tools.length + dropped.length).toBe(list.length);
    }
  });

  it.each(familyNames)(
    'arguments made for the original and for %s pass only if the original takes them',
    async family => {
      const count = { sets: 0, passed: 0, mended: 0, takenByOriginal: 0, takenByProjectedOnly: 0 };
      for (const { file, definitions } of captures) {
        const projection = projectTools(definitions, family);
        for (const [at, sent] of projection.tools.entries()) {
          const own = projection.nameOf(sent.name);
          const original = definitions.find(({ name }) => name === own)?.parameters ?? {};
          const sets = argumentSets(original, sent.parameters, at);
          const compiled = compileSchema(original, { root: 'object' });
          const projected = compileSchema(sent.parameters);
          for (const args of sets) {
            const before = JSON.stringify(args);
            const { value, changes } = tidyArguments(args, original);
            const [taken, takenTidy, byProjected] = await Promise.all([
              compiled.validate(args),
              compiled.validate(value),
              projected.validate(args),
            ]);
            count.sets += 1;
            if (taken.ok) count.takenByOriginal += 1;
            if (takenTidy.ok) count.passed += 1;
            if (!taken.ok && takenTidy.ok) count.mended += 1;
            if (byProjected.ok && !takenTidy.ok) count.takenByProjectedOnly += 1;
            const about = `${file} ${own} ${before}`;
            // What the original takes is passed on as it is, aliases apart; the rest is made to fit by what is promised only.
            const others = changes.filter(({ message }) => !message.endsWith('by its own name'));
            if (taken.ok) expect([about, others]).toEqual([about, []]);
            if (changes.length === 0) expect([about, value]).toEqual([about, args]);
            expect([about, isCleanUp(args, value)]).toEqual([about, true]);
            expect(JSON.stringify(args)).toBe(before);
          }
        }
      }
      console.log(`${family}: ${JSON.stringify(count)}`);
      expect(count.sets).toBeGreaterThan(10_000);
      expect(count.mended).toBeGreaterThan(100);
      // Sets that the provider may let its model write, and that are refused here.
      expect(count.takenByProjectedOnly).toBeLessThan(count.sets / 20);
    },
  );
});

/** Ten: from the original and from what is sent, as they are, with mistakes, and with nothing for what may be left out. */
function argumentSets(original: JsonSchemaObject, sent: JsonSchemaObject, start: number): readonly unknown[] {
  const random = seed(start);
  const sets = Array.from({ length: setsPerTool / 5 }, () => {
    const made = makeValue(original, original, random);
    const shown = makeValue(sent, sent, random);
    return [
      made,
      makeMistake(made, random),
      fillWithNothing(made, original, random),
      shown,
      makeMistake(shown, random),
    ];
  });
  return sets.flat();
}

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchemaObject;
}
