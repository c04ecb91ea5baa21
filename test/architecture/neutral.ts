/** The guard of neutrality: no Node builtin where the code must run without Node. */
import { isBuiltin } from 'node:module';
import { builtinAsker, neutralEntries, nodeFiles } from './layers.ts';
import { isTest, type Source, type Violation } from './violation.ts';

/** Every builtin that a neutral entry reaches, with the chain of imports that leads there. */
export function reachedBuiltins(source: Source, entries: readonly string[] = neutralEntries): Violation[] {
  const found = new Map<string, Violation>();
  for (const { path, entry, chain } of reach(source, entries)) {
    for (const { specifier, target, kind, line } of source.get(path)?.imports ?? []) {
      if (kind === 'type' || target !== undefined || !isBuiltin(specifier)) continue;
      const reason = `the neutral entry ${entry} reaches "${specifier}": ${chain().join(' → ')}`;
      if (!found.has(`${path}:${specifier}`)) found.set(`${path}:${specifier}`, { file: path, line, reason });
    }
  }
  return [...found.values()];
}

/** Every use of a global of Node in a file that a neutral entry reaches. */
export function reachedGlobals(source: Source, entries: readonly string[] = neutralEntries): Violation[] {
  const found = new Map<string, Violation>();
  for (const { path, entry, chain } of reach(source, entries)) {
    if (path === builtinAsker) continue;
    for (const { name, line } of source.get(path)?.nodeGlobals ?? []) {
      const reason = `uses the global "${name}", which the neutral entry ${entry} reaches: ${chain().join(' → ')}`;
      if (!found.has(`${path}:${line}`)) found.set(`${path}:${line}`, { file: path, line, reason });
    }
  }
  return [...found.values()];
}

interface Reached {
  readonly path: string;
  readonly entry: string;
  /** The files from the entry to this one. */
  readonly chain: () => readonly string[];
}

function* reach(source: Source, entries: readonly string[]): Iterable<Reached> {
  for (const entry of entries) {
    const cameFrom = new Map<string, string | undefined>([[entry, undefined]]);
    for (const path of cameFrom.keys()) {
      for (const { target, kind } of source.get(path)?.imports ?? []) {
        if (kind !== 'type' && target !== undefined && !cameFrom.has(target)) cameFrom.set(target, path);
      }
      const chain = (): string[] => {
        const files = [path];
        for (let at = cameFrom.get(path); at !== undefined; at = cameFrom.get(at)) files.unshift(at);
        return files;
      };
      yield { path, entry, chain };
    }
  }
}

/** Every file that imports a builtin, or asks the process for one, though it is not among those that may. */
export function strayBuiltins(source: Source): Violation[] {
  const found: Violation[] = [];
  for (const { path, imports, literals } of source.values()) {
    if (isTest(path) || nodeFiles.some(file => file.test(path))) continue;
    for (const { specifier, target, line } of imports) {
      if (target !== undefined || !isBuiltin(specifier)) continue;
      found.push({
        file: path,
        line,
        reason: `imports "${specifier}"; Node belongs to channels/stdio-*, child* and cli/`,
      });
    }
    if (path === builtinAsker) continue;
    for (const { value, line } of literals) {
      if (value !== 'getBuiltinModule') continue;
      found.push({ file: path, line, reason: `asks the process for a builtin; only ${builtinAsker} may` });
    }
  }
  return found;
}
