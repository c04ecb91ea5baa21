import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, errors, WorkLimitError } from './json-schema.ts';

const project = resolve(import.meta.dirname, '../..');

describe('the vendored checker', () => {
  it('judges and gives reasons', () => {
    const schema = { type: 'object', required: ['a'] };
    expect(check({}, schema, { a: 1 }, 100)).toBe(true);
    expect(errors({}, schema, {}, 100)).toEqual([
      { keyword: 'required', schemaPath: '#', instancePath: '', params: { requiredProperties: ['a'] } },
    ]);
  });

  it('stops when it was asked for too many steps', () => {
    const schema = { items: { type: 'number' } };
    expect(() => check({}, schema, [1, 2, 3, 4], 4)).toThrow(WorkLimitError);
    expect(() => errors({}, schema, [1, 2, 3, 4], 4)).toThrow(WorkLimitError);
    expect(check({}, schema, [1, 2, 3, 4], 5)).toBe(true);
  });

  it('opens with its origin and licence, and can neither import nor evaluate code', () => {
    const code = readFileSync(join(import.meta.dirname, 'json-schema-checker.js'), 'utf8');
    expect(code).toMatch(/^\/\/ typebox \d+\.\d+\.\d+, patched/);
    expect(code).toContain('Permission is hereby granted');
    expect(code).not.toMatch(/\bimport\s*\(|\brequire\s*\(|\bFunction\s*\(|\beval\s*\(|\bfetch\s*\(/);
  });
});

describe('scripts/vendor.mjs', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'tenon-vendor-'));
    for (const folder of ['scripts', 'src/vendor', 'node_modules'])
      mkdirSync(join(copy, folder), { recursive: true });
    cpSync(join(project, 'scripts/vendor.mjs'), join(copy, 'scripts/vendor.mjs'));
    cpSync(join(project, 'THIRD_PARTY.md'), join(copy, 'THIRD_PARTY.md'));
    cpSync(join(project, 'node_modules/typebox'), join(copy, 'node_modules/typebox'), { recursive: true });
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
