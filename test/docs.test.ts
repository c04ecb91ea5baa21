import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { drawMap, placeMap } from '../scripts/map.mjs';
import { readModules } from '../scripts/modules.mjs';
import { cutRegion, findFences, listPages, refreshSnippets } from '../scripts/snippets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = listPages();
const templates = /(^|\/)TEMPLATE\.md$/;

/** The anchors that a hosting site makes of a page's headings. */
function anchorsOf(text: string): string[] {
  return [...withoutFences(text).matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

/** Every link of a page that leads nowhere. */
function deadLinks(page: string): string[] {
  const dead: string[] = [];
  for (const [, link = ''] of withoutFences(read(page)).matchAll(/\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)/g)) {
    if (/^[a-z]+:/i.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) dead.push(`${page}: ${link}`);
    else if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor)) {
      dead.push(`${page}: ${link} (no such heading)`);
    }
  }
  return dead;
}

describe('the documentation', () => {
  it('has no link inside the project that leads nowhere', () => {
    expect(pages).toContain('README.md');
    expect(pages.flatMap(deadLinks)).toEqual([]);
  });

  it('shows in each snippet exactly what the example holds', () => {
    for (const page of pages.filter(page => !templates.test(page))) {
      expect(refreshSnippets(read(page)), `${page}: run npm run snippets`).toBe(read(page));
    }
  });

  it('cuts every program text of README and guides from an example', () => {
    const uncut = pages
      .filter(page => page === 'README.md' || (page.startsWith('docs/guides/') && !templates.test(page)))
      .flatMap(page =>
        findFences(read(page))
          .filter(
            ({ language, source }) =>
              /^(ts|js|typescript|javascript)$/.test(language) && source === undefined,
          )
          .map(({ line }) => `${page}:${line}`),
      );
    expect(uncut).toEqual([]);
  });

  it('names only commands that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const unknown = pages.flatMap(page =>
      [...read(page).matchAll(/npm run ([a-z][a-z:-]*)/g)]
        .filter(([, name = '']) => !(name in scripts))
        .map(([command]) => `${page}: ${command}`),
    );
    expect(unknown).toEqual([]);
  });

  it('maps every source file, with the sentence that opens it', () => {
    const page = read('docs/architecture.md');
    const map = drawMap(readModules(join(root, 'src')));
    expect(page, 'run npm run map').toBe(placeMap(page, map));
  });

  it('keeps README to one screen and CONTRIBUTING to 150 lines', () => {
    const lines = (path: string): number => read(path).split('\n').length;
    expect(lines('README.md')).toBeLessThanOrEqual(80);
    expect(lines('CONTRIBUTING.md')).toBeLessThanOrEqual(150);
  });

  it.each([
    ['decision', 'docs/adr/'],
    ['guide', 'docs/guides/'],
  ])('gives every %s the headings of its template', (_, folder) => {
    const headings = (page: string): string[] =>
      [...withoutFences(read(page)).matchAll(/^## .+$/gm)].map(([line]) => line);
    const wanted = headings(`${folder}TEMPLATE.md`);
    const wrong = pages
      .filter(page => page.startsWith(folder) && !templates.test(page))
      .filter(page => wanted.some(heading => !headings(page).includes(heading)))
      .map(page => `${page} lacks ${wanted.filter(heading => !headings(page).includes(heading)).join(', ')}`);
    expect(wrong).toEqual([]);
  });
});

describe('cutting a region', () => {
  it('takes the lines between its marks and moves them to the left edge', () => {
    const text = 'x\n  // #region a\n  one {\n\n    two\n  }\n  // #endregion\ny\n';
    expect(cutRegion(text, 'a')).toBe('one {\n\n  two\n}\n');
  });

  it('answers nothing for a region that is not there or never ends', () => {
    expect(cutRegion('// #region a\n// #endregion\n', 'b')).toBeUndefined();
    expect(cutRegion('// #region a\none\n', 'a')).toBeUndefined();
  });
});
