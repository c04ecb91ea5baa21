import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, errors, WorkLimitError } from './json-schema.ts';

const noPattern = (): boolean => false;

const project = resolve(import.meta.dirname, '../..');

describe('the vendored checker', () => {
  it('judges and gives reasons', () => {
    const schema = { type: 'object', required: ['a'] };
    expect(check({}, schema, { a: 1 }, 100, noPattern)).toBe(true);
    expect(errors({}, schema, {}, 100, noPattern)).toEqual([
      { keyword: 'required', schemaPath: '#', instancePath: '', params: { requiredProperties: ['a'] } },
    ]);
  });

  it('stops when it was asked for too many steps', () => {
    const schema = { items: { type: 'number' } };
    expect(() => check({}, schema, [1, 2, 3, 4], 4, noPattern)).toThrow(WorkLimitError);
    expect(() => errors({}, schema, [1, 2, 3, 4], 4, noPattern)).toThrow(WorkLimitError);
    expect(check({}, schema, [1, 2, 3, 4], 5, noPattern)).toBe(true);
  });

  it('asks for the verdict on every pattern, and lets through what that throws', () => {
    const asked: string[] = [];
    const matches = (pattern: string, text: string): boolean => {
      asked.push(`${pattern} ${text}`);
      if (text === 'stop') throw new RangeError('stopped');
      return pattern === text;
    };
    const schema = { pattern: 'b', patternProperties: { a: false } };
    expect(check({}, schema, 'b', 100, matches)).toBe(true);
    expect(check({}, schema, { a: 1 }, 100, matches)).toBe(false);
    expect(() => errors({}, schema, 'stop', 100, matches)).toThrow('stopped');
    expect(asked).toEqual(['b b', 'a a', 'b stop']);
  });
});

it.each([
  ['json-schema-checker.js', /^\/\/ typebox \d+\.\d+\.\d+, patched/, 'Permission is hereby granted'],
  ['yaml-parser.js', /^\/\/ yaml \d+\.\d+\.\d+, bundled/, 'Permission to use, copy, modify'],
])(
  '%s opens with its origin and licence, and can neither import nor evaluate code',
  (file, origin, licence) => {
    const code = readFileSync(join(import.meta.dirname, file), 'utf8');
    expect(code).toMatch(origin);
    expect(code).toContain(licence);
    expect(code).not.toMatch(/\bimport\s*\(|\brequire\s*\(|\bFunction\s*\(|\beval\s*\(|\bfetch\s*\(/);
  },
);

describe('scripts/vendor.mjs', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'tenon-vendor-'));
    for (const folder of ['src/vendor', 'node_modules']) mkdirSync(join(copy, folder), { recursive: true });
    for (const path of ['scripts/vendor.mjs', 'scripts/vendor', 'THIRD_PARTY.md', 'node_modules/typebox'])
      cpSync(join(project, path), join(copy, path), { recursive: true });
    symlinkSync(join(project, 'node_modules/yaml'), join(copy, 'node_modules/yaml'));
    symlinkSync(join(project, 'node_modules/esbuild'), join(copy, 'node_modules/esbuild'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const run = (): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/vendor.mjs'], {
      cwd: copy,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  it('writes the file once, and leaves it alone while it is current', () => {
    expect(run()).toMatchObject({ status: 0, output: expect.stringContaining('vendor: wrote') });
    expect(run()).toEqual({ status: 0, output: '' });
  });

  it('fails when the text that a patch replaces is gone', () => {
    const file = join(copy, 'node_modules/typebox/build/guard/guard.mjs');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replaceAll('IsUnsafePropertyKey(key) ?', 'IsUnsafePropertyKey(key)  ?'));
    rmSync(join(copy, 'src/vendor/json-schema-checker.js'));
    expect(run()).toMatchObject({
      status: 1,
      output: expect.stringMatching(/guard\/guard\.mjs: expected 1 x/),
    });
    writeFileSync(file, before);
  });

  it('fails when THIRD_PARTY.md names another version or licence', () => {
    const file = join(copy, 'THIRD_PARTY.md');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replaceAll(/typebox \d+\.\d+\.\d+/g, 'typebox 0.0.1'));
    expect(run()).toMatchObject({ status: 1, output: expect.stringContaining('does not name "typebox') });
    writeFileSync(file, before.replace('Permission is hereby granted', 'Permission is given'));
    expect(run()).toMatchObject({ status: 1, output: expect.stringContaining('licence text') });
    writeFileSync(file, before);
  });
});
