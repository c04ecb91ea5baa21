/** The guard of neutrality: no Node builtin where the code must run without Node. */
import { isBuiltin } from 'node:module';
import { builtinAsker, neutralEntries, nodeFiles } from './layers.ts';
import { isTest, type Source, type Violation } from './violation.ts';

/** Every builtin that a neutral entry reaches, with the chain of imports that leads there. */
export function reachedBuiltins(source: Source, entries: readonly string[] = neutralEntries): Violation[] {
  const found = new Map<string, Violation>();
  for (const entry of entries) {
    const cameFrom = new Map<string, string | undefined>([[entry, undefined]]);
    for (const path of cameFrom.keys()) {
      const module = source.get(path);
      for (const { specifier, target, kind, line } of module?.imports ?? []) {
        if (kind === 'type') continue;
        if (target !== undefined) {
          if (!cameFrom.has(target)) cameFrom.set(target, path);
        } else if (isBuiltin(specifier)) {
          const chain = [path];
          for (let at = cameFrom.get(path); at !== undefined; at = cameFrom.get(at)) chain.unshift(at);
          const reason = `the neutral entry ${entry} reaches "${specifier}": ${chain.join(' → ')}`;
          if (!found.has(`${path}:${specifier}`))
            found.set(`${path}:${specifier}`, { file: path, line, reason });
        }
      }
    }
  }
  return [...found.values()];
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
