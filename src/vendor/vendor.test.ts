import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

it.each([['yaml-parser.js', /^\/\/ yaml \d+\.\d+\.\d+, bundled/, 'Permission to use, copy, modify']])(
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
    for (const path of ['scripts/vendor.mjs', 'scripts/vendor', 'THIRD_PARTY.md'])
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

  it('fails when THIRD_PARTY.md names another version or licence', () => {
    const file = join(copy, 'THIRD_PARTY.md');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replaceAll(/yaml \d+\.\d+\.\d+/g, 'yaml 0.0.1'));
    expect(run()).toMatchObject({ status: 1, output: expect.stringContaining('does not name "yaml') });
    writeFileSync(file, before.replace('Permission to use', 'Leave to use'));
    expect(run()).toMatchObject({ status: 1, output: expect.stringContaining('licence text') });
    writeFileSync(file, before);
  });
});
