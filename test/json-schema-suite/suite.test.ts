import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const suite = resolve(import.meta.dirname, '../../../shared/json-schema-suite');

interface Draft {
  readonly draft: string;
  readonly total: number;
  readonly passed: number;
  readonly refused: number;
  readonly withheld: number;
  readonly misses: readonly string[];
}

interface Report {
  readonly codeGeneration: boolean;
  readonly supplied: readonly Draft[];
  readonly without: readonly Draft[];
}

describe.skipIf(!existsSync(suite))(
  'the JSON-Schema-Test-Suite (skipped without ../shared/json-schema-suite)',
  () => {
    const run = (): Report =>
      JSON.parse(
        execFileSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), '--json'], {
          encoding: 'utf8',
          maxBuffer: 64 << 20,
        })
          .trim()
          .split('\n')
          .at(-1) ?? '',
      ) as Report;
    const report = existsSync(suite) ? run() : undefined;

    it('runs with code generation from strings disallowed', () => {
      expect(report?.codeGeneration).toBe(false);
    });

    it.each([
      ['draft2020-12', 1299, 1298, 'no validation: invalid number, but it still validates'],
      ['draft2019-09', 1259, 1258, 'no validation: invalid number, but it still validates'],
      ['draft7', 927, 926, 'ref overrides any sibling keywords'],
    ])(
      '%s passes but for one known miss, with remotes and meta-schemas supplied',
      (name, total, passed, miss) => {
        const draft = report?.supplied.find(each => each.draft === name);
        expect(draft).toMatchObject({ total, refused: 0, misses: [expect.stringContaining(miss)] });
        expect(draft?.passed).toBe(passed);
      },
    );

    it.each([
      ['draft2020-12', 48],
      ['draft2019-09', 35],
      ['draft7', 27],
    ])('%s refuses at registration every case that needs a remote, without them', (name, withheld) => {
      const draft = report?.without.find(each => each.draft === name);
      expect(draft).toMatchObject({ withheld, refused: withheld, misses: [expect.any(String)] });
      expect(draft?.passed).toBe((draft?.total ?? 0) - withheld - 1);
    });
  },
);
