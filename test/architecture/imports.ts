/** The guard of import direction: layers point down, eras have one door, packages stay outside. */
import { isBuiltin } from 'node:module';
import { layerOf } from './layers.ts';
import { isTest, type Source, type Violation } from './violation.ts';

/**
 * Every import that points the wrong way. Tests are judged only as targets: they may reach anywhere to set a scene,
 * and nothing may reach them.
 */
export function wrongImports(source: Source): Violation[] {
  const found: Violation[] = [];
  for (const { path, imports } of source.values()) {
    const layer = layerOf(path);
    if (layer === undefined) {
      found.push({ file: path, reason: 'its folder is no layer; add it to test/architecture/layers.ts' });
      continue;
    }
    for (const { specifier, target, kind, line } of imports) {
      const report = (reason: string): void => {
        found.push({ file: path, line, reason });
      };
      if (isTest(path)) continue;
      if (target !== undefined && isTest(target)) report(`imports ${target}, which only tests may use`);
      if (target === undefined) {
        if (isBuiltin(specifier) || layer.packages) continue;
        if (layer.peerTypes && kind === 'type') continue;
        report(`imports the package "${specifier}"; third-party code enters through src/vendor/ only`);
        continue;
      }
      if (target.startsWith('..')) {
        report(`imports "${specifier}", which is outside src/`);
        continue;
      }
      const sibling = siblingEra(path, target);
      if (sibling !== undefined) {
        report(
          `era ${sibling.own} imports its sibling ${sibling.other}; what they share goes down to rpc or protocol`,
        );
        continue;
      }
      const other = layerOf(target)?.name;
      if (other === layer.name || layer.imports.includes(target)) continue;
      if (other !== undefined && layer.imports.includes(other)) continue;
      const files = layer.imports.filter(name => name.startsWith(`${other}/`));
      report(
        files.length > 0
          ? `layer ${layer.name} imports ${target}; of ${other} it may import only ${files.join(', ')}`
          : `layer ${layer.name} imports ${target}; layer ${other ?? target} is not below it`,
      );
    }
  }
  return found;
}

function siblingEra(path: string, target: string): { own: string; other: string } | undefined {
  const [own, other] = [path, target].map(file => /^eras\/([^/]+)\//.exec(file)?.[1]);
  return own === undefined || other === undefined || own === other ? undefined : { own, other };
}
