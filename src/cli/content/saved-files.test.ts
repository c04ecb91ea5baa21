import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endingOf, safeName, saveBytes } from './saved-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-saved-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('files of what a server sends', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['../../etc/passwd', 'etc_passwd'],
    ['..\\..\\x', 'x'],
    ['.bashrc', 'bashrc'],
    ['a b\u0000c\u001b[31m', 'a_b_c_31m'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['...', 'name'],
    ['', 'name'],
    ['größe.txt', 'größe.txt'],
    [`${'x'.repeat(200)}.png`, 'x'.repeat(80)],
  ])('makes %j a safe name', (wanted, name) => {
    expect(safeName(wanted)).toBe(name);
  });

  it('gives no name that is hidden, leads elsewhere or is empty, whatever is wanted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.webPath()), wanted => {
        expect(safeName(wanted)).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,80}$/u);
      }),
    );
  });

  it.each([
    ['image/png', 'png'],
    ['IMAGE/JPEG; q=1', 'jpg'],
    ['image/svg+xml', 'svg'],
    ['application/pdf', 'pdf'],
    ['application/vnd.ms-excel', 'bin'],
    ['x/../../y', 'bin'],
    ['constructor', 'bin'],
    [undefined, 'bin'],
  ])('ends the name for %j with %s', (mimeType, ending) => {
    expect(endingOf(mimeType)).toBe(ending);
  });

  it('never writes over what is there, a dangling link included', () => {
    writeFileSync(join(folder, 'a.png'), 'mine');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'a-2.png'));
    const bytes = new Uint8Array([1]);
    expect(saveBytes(folder, 'a', 'png', bytes)).toBe(join(folder, 'a-3.png'));
    expect(readFileSync(join(folder, 'a.png'), 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['a-2.png', 'a-3.png', 'a.png']);
  });

  it('makes the folder, and says why it cannot', () => {
    const path = saveBytes(join(folder, 'x', 'y'), 'a', '', new Uint8Array([1]));
    expect(path).toBe(join(folder, 'x', 'y', 'a'));
    expect(() => saveBytes(path, 'b', '', new Uint8Array())).toThrow(/cannot be saved: /);
  });
});
