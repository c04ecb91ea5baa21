/** Leaves of the declarations what a user of the package can reach, and of their comments what a user can see. */
// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Deletes every declaration file that no entry leads to, and takes the doc comments out of those that only other
 * declarations need: an editor shows comments of what an entry names.
 * @param {string} folder holds `entries/`
 */
export function trimDeclarations(folder) {
  const entries = declarationsIn(join(folder, 'entries'));
  const named = new Set([...entries, ...entries.flatMap(importsOf)]);
  const reached = new Set(named);
  for (const file of reached) for (const next of importsOf(file)) reached.add(next);
  for (const file of declarationsIn(folder)) {
    if (!reached.has(file)) rmSync(file);
    else if (!named.has(file)) writeFileSync(file, withoutComments(readFileSync(file, 'utf8')));
  }
}

/** @param {string} folder */
function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.d.ts'))
    .map(name => join(folder, name));
}

/** The declaration files that this one imports. @param {string} file @returns {string[]} */
function importsOf(file) {
  const paths = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...paths]
    .map(([, path = '']) => join(dirname(file), path.replace(/\.(?:ts|js)$/, '.d.ts')))
    .filter(existsSync);
}

/** The text without its doc comments; those in strings are none. @param {string} text */
function withoutComments(text) {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[ \t]*\/\*\*[\s\S]*?\*\/\n?/g, found =>
    found.trimStart().startsWith('/**') ? '' : found,
  );
}
