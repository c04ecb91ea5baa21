/** Cuts the snippets of the documentation from the examples, so that what is shown is what is run. */
// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const skipped = new Set(['node_modules', 'dist', 'coverage', 'src']);

/** Every Markdown page of the project, as paths from its root. @returns {string[]} */
export function listPages(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name) && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return listPages(path);
      return path.endsWith('.md') ? [path] : [];
    });
}

/**
 * The code fences of a page. A fence may name its source after the language: `examples/NAME.ts#REGION`.
 * @param {string} text
 * @returns {{ language: string, source: string | undefined, region: string | undefined, code: string, line: number }[]}
 */
export function findFences(text) {
  const fences = [];
  for (const found of text.matchAll(/^```(\w+)(?: +(\S+?)(?:#(\S+))?)? *\n([\s\S]*?)^```$/gm)) {
    const [, language = '', source, region, code = ''] = found;
    fences.push({ language, source, region, code, line: text.slice(0, found.index).split('\n').length });
  }
  return fences;
}

/**
 * The lines between `// #region name` and its `// #endregion`, moved to the left edge; the whole text without a name.
 * A region that is opened several times is joined, a blank line between its parts: imports, then what uses them.
 * @param {string} text @param {string | undefined} region @returns {string | undefined} nothing when there is no such region
 */
export function cutRegion(text, region) {
  if (region === undefined) return text;
  const lines = text.split('\n');
  const parts = [];
  for (const [start, line] of lines.entries()) {
    if (line.trim() !== `// #region ${region}`) continue;
    const length = lines.slice(start + 1).findIndex(next => next.trim().startsWith('// #endregion'));
    if (length < 0) return undefined;
    const part = lines.slice(start + 1, start + 1 + length);
    while (part[0]?.trim() === '') part.shift();
    while (part.at(-1)?.trim() === '') part.pop();
    parts.push(part);
  }
  return parts.length === 0 ? undefined : `${parts.map(moveLeft).join('\n\n')}\n`;
}

/** @param {string[]} lines */
function moveLeft(lines) {
  const indents = lines.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return lines.map(line => line.slice(indent)).join('\n');
}

/** The page with every snippet as it stands in its source. Throws when a source or region is missing. @param {string} text */
export function refreshSnippets(text) {
  return text.replace(
    /^(```\w+ +(\S+?)(?:#(\S+))? *\n)[\s\S]*?^```$/gm,
    (_, head, /** @type {string} */ source, /** @type {string | undefined} */ region) => {
      const code = cutRegion(readFileSync(join(root, source), 'utf8'), region);
      if (code === undefined) throw new Error(`${source} has no region "${region}"`);
      return `${head}${code}\`\`\``;
    },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of listPages().filter(page => !page.endsWith('TEMPLATE.md'))) {
    const text = readFileSync(join(root, page), 'utf8');
    const fresh = refreshSnippets(text);
    if (fresh !== text) writeFileSync(join(root, page), fresh);
  }
}
