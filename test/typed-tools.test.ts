/** What the types of 200 tools and 200 calls cost the type checker, as a program that uses the package meets them. */
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Compiled, compileTexts, projectFile } from './fixtures/compile-texts.ts';
import { typedProgram } from './fixtures/typed-tools.ts';

const declarations = (file: string): string => projectFile('dist', 'types', 'entries', file);

/**
 * Type instantiations of the program below, some 1.3 times what they were when this was written (714,000): 1,400 for each
 * tool, and for each call 2,100, which grow with the number of tools.
 */
const mostInstantiations = 930_000;

describe('200 tools, half in JSON Schema and half in zod, and a typed call of each', () => {
  const check = (text: string): Compiled => {
    const paths = {
      tenon: [declarations('index.d.ts')],
      'tenon/*': [declarations('*.d.ts')],
      zod: [projectFile('node_modules', 'zod', 'index.d.ts')],
    };
    return compileTexts({ 'program.ts': text }, paths, ['--extendedDiagnostics', '--singleThreaded']);
  };

  beforeAll(() => {
    expect(existsSync(declarations('index.d.ts')), 'run npm run build').toBe(true);
  });

  it('check without an error, within the bound on instantiations', () => {
    const { errors, output: report } = check(typedProgram(200));
    expect(errors).toEqual([]);
    const instantiations = Number(/^Instantiations:\s+(\d+)$/m.exec(report)?.[1]);
    const seconds = /^Check time:\s+(\S+)s$/m.exec(report)?.[1];
    console.log(`200 typed tools and calls: ${instantiations} instantiations, checked in ${seconds} s`);
    expect(instantiations).toBeGreaterThan(100_000);
    expect(instantiations).toBeLessThan(mostInstantiations);
  });

  it('refuse a wrong argument, a missing one, an unknown tool and a misread result', () => {
    const lines = [
      "void client.call('plain_0', { title0: 1, kind: 'oak', place: { row: 1 } });",
      "void client.call('zod_1', { kind: 'ash', place: { row: 1 } });",
      "void client.call('plain_1', {});",
      "words.push((await client.call('zod_199', { title199: 't', kind: 'oak', place: { row: 1 } })).structuredContent?.id1 ?? '');",
    ];
    const text = typedProgram(200, lines.join('\n'));
    const first = text.split('\n').indexOf(lines[0] ?? '') + 1;
    const found = check(text).errors.map(
      error => /^program\.ts\((\d+),\d+\): error TS\d+: (.*)$/.exec(error) ?? [],
    );
    expect(found.map(([, line]) => Number(line) - first)).toEqual([0, 1, 2, 3]);
    const messages = found.map(([, , message]) => message);
    expect(messages[0]).toContain("Type 'number' is not assignable to type 'string'");
    expect(messages[1]).toContain('title1');
    expect(messages[2]).toContain('"plain_1"');
    expect(messages[3]).toContain("'id1' does not exist");
  });
});
