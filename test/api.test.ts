import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { subpathOf } from '../scripts/bundles.mjs';
import { readModules } from '../scripts/modules.mjs';
import { parsePins } from './architecture/pins.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pinned = parsePins(readFileSync(`${root}test/api.txt`, 'utf8'));
const entries = [...readModules(`${root}src`).keys()].filter(path => path.startsWith('entries/'));
const importPath = (entry: string): string => `tenon${subpathOf(entry).slice(1)}`;

describe('the public names', () => {
  it('are pinned for every subpath', () => {
    expect(entries.map(importPath).sort()).toEqual([...pinned.keys()].sort());
  });

  it.each(entries.map(entry => [importPath(entry), entry]))(
    'of %s are those of test/api.txt',
    async (path, entry) => {
      const module: object = await import(pathToFileURL(`${root}src/${entry}`).href);
      expect(Object.keys(module).sort()).toEqual(pinned.get(path));
    },
  );

  it('of the root are at most 25', () => {
    expect(pinned.get('tenon')?.length).toBeLessThanOrEqual(25);
  });
});
