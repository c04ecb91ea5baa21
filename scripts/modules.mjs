/** Reads the TypeScript files of a source folder: what each imports, exports and holds in literals. */
// @ts-check
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { posix, relative, resolve, sep } from 'node:path';
import { parseSync } from 'oxc-parser';
import { foldText, isJoined } from './constants.mjs';

/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {string | undefined} target path from the source folder, when the specifier is relative
 * @property {'value' | 'type' | 'dynamic'} kind `type` when nothing is left of it at run time
 * @property {readonly string[]} names what is taken by name; `*` for a namespace or `export *`, `default`
 * @property {number} line
 *
 * @typedef {object} Literal
 * @property {string | number} value
 * @property {'text' | 'number' | 'name'} kind `name` for the key of a property or member
 * @property {number} line
 *
 * @typedef {object} Module
 * @property {string} path from the source folder, with `/`
 * @property {number} lines
 * @property {string} lead the first sentence of the comment the file opens with, or ''
 * @property {readonly Import[]} imports
 * @property {readonly string[]} exports names that exist at run time
 * @property {readonly Literal[]} literals those that are written, and the texts that are joined of constants
 * @property {readonly { name: string, line: number }[]} nodeGlobals uses of globals that only Node is sure to have
 */

/** @type {Map<string, { stamp: string, module: Module }>} */
const seen = new Map();

/** Every TypeScript module under `root`, by path from it; declaration files are left out. @param {string} root @returns {Map<string, Module>} */
export function readModules(root) {
  const modules = new Map();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.d.ts')) continue;
    const file = resolve(entry.parentPath, entry.name);
    const path = relative(root, file).split(sep).join('/');
    const { mtimeMs, size } = statSync(file);
    const stamp = `${mtimeMs}:${size}`;
    const known = seen.get(file);
    const module = known?.stamp === stamp ? known.module : parseModule(path, readFileSync(file, 'utf8'));
    seen.set(file, { stamp, module });
    modules.set(path, module);
  }
  return new Map([...modules].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads one module. Throws when the text is not TypeScript. @param {string} path @param {string} text @returns {Module} */
export function parseModule(path, text) {
  const { module: record, program, comments, errors } = parseSync(path, text);
  const fault = errors.find(error => error.severity === 'Error');
  if (fault) throw new Error(`${path}: ${fault.message}`);
  const lineOf = lineCounter(text);
  const target = (/** @type {string} */ specifier) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;

  /** @type {Import[]} */
  const imports = [];
  const add = (
    /** @type {string} */ specifier,
    /** @type {Import['kind']} */ kind,
    /** @type {string[]} */ names,
    /** @type {number} */ start,
  ) => {
    imports.push({ specifier, target: target(specifier), kind, names, line: lineOf(start) });
  };

  for (const { moduleRequest, entries, start } of record.staticImports) {
    const values = entries.filter(entry => !entry.isType);
    const names = values.map(entry => entry.importName.name ?? kindName(entry.importName.kind));
    // `import './x.ts'` and `import {} from './x.ts'` still load the file.
    add(moduleRequest.value, entries.length > 0 && values.length === 0 ? 'type' : 'value', names, start);
  }
  const exports = new Set();
  for (const { entries } of record.staticExports) {
    for (const entry of entries) {
      const name = entry.exportName.name ?? (entry.exportName.kind === 'Default' ? 'default' : undefined);
      if (!entry.isType && name !== undefined) exports.add(name);
      if (entry.moduleRequest === null) continue;
      const taken = entry.importName.name ?? kindName(entry.importName.kind);
      add(
        entry.moduleRequest.value,
        entry.isType ? 'type' : 'value',
        entry.isType ? [] : [taken],
        entry.start,
      );
    }
  }

  /** @type {Literal[]} */
  const literals = [];
  /** @type {{ name: string, line: number }[]} */
  const nodeGlobals = [];
  /** @type {Map<string, string>} */
  const constants = new Map();
  visit(program, node => {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return;
    for (const { id, init } of node.declarations) {
      const text = id.type === 'Identifier' ? foldText(init, constants) : undefined;
      if (text !== undefined) constants.set(id.name, text);
    }
  });
  visit(program, (node, parent, key) => {
    const line = () => lineOf(node.start);
    if (node.type === 'Literal' && (typeof node.value === 'string' || typeof node.value === 'number')) {
      literals.push({
        value: node.value,
        kind: typeof node.value === 'string' ? 'text' : 'number',
        line: line(),
      });
    } else if (node.type === 'TemplateElement') {
      literals.push({ value: node.value.cooked ?? node.value.raw, kind: 'text', line: line() });
    } else if (node.type === 'Identifier' && namesMember(parent, key)) {
      literals.push({ value: node.name, kind: 'name', line: line() });
    } else if (isJoined(node)) {
      const value = foldText(node, constants);
      if (value !== undefined) literals.push({ value, kind: 'text', line: line() });
    }
    if (isNodeGlobal(node, parent, key)) nodeGlobals.push({ name: node.name, line: line() });
    if (node.type === 'ImportExpression' && node.source.type === 'Literal') {
      add(node.source.value, 'dynamic', ['*'], node.start);
    } else if (node.type === 'TSImportType' && node.source?.type === 'Literal') {
      add(node.source.value, 'type', [], node.start);
    }
  });

  const first = comments[0];
  const opens = first?.type === 'Block' && first.value.startsWith('*') && blank(text.slice(0, first.start));
  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    lead: opens ? firstSentence(first.value) : '',
    imports,
    exports: [...exports].sort(),
    literals,
    nodeGlobals,
  };
}

/** @param {string} comment the inside of a block comment */
function firstSentence(comment) {
  const text = comment
    .replace(/^\*/, '')
    .replace(/\n\s*\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** @param {string} text */
const blank = text => text.replace(/^#!.*/, '').trim() === '';

/** @param {string} kind */
const kindName = kind => (kind === 'Default' ? 'default' : '*');

const globals = new Set(['process', 'Buffer', 'setImmediate', '__dirname', '__filename']);

/** A name at run time, also as a member of `globalThis`; not the name of a member or a type. @param {any} node @param {any} parent @param {string} key */
function isNodeGlobal(node, parent, key) {
  if (node.type !== 'Identifier' || !globals.has(node.name)) return false;
  if (/^TS(TypeQuery|QualifiedName|TypeReference)$/.test(parent?.type)) return false;
  return !namesMember(parent, key) || (key === 'property' && parent.object.name === 'globalThis');
}

/** @param {any} parent @param {string} key */
function namesMember(parent, key) {
  if (parent === undefined || parent.computed === true) return false;
  return key === 'key' || (key === 'property' && parent.type === 'MemberExpression');
}

/** @param {any} node @param {(node: any, parent: any, key: string) => void} see @param {any} [parent] @param {string} [key] */
function visit(node, see, parent, key = '') {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, see, parent, key);
  } else if (typeof node?.type === 'string') {
    see(node, parent, key);
    for (const name of Object.keys(node)) {
      if (typeof node[name] === 'object' && node[name] !== null) visit(node[name], see, node, name);
    }
  }
}

/** @param {string} text @returns {(offset: number) => number} */
function lineCounter(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (/** @type {number} */ (starts[middle]) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
