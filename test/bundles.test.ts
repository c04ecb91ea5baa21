import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import {
  bundleOf,
  commandEntry,
  copiedFiles,
  exportOf,
  isTest,
  planBundles,
  subpathOf,
} from '../scripts/bundles.mjs';
import { parseModule, readModules } from '../scripts/modules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const source = readModules(join(root, 'src'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
  bin: Record<string, string>;
};

/** What a built file imports at start; each is read once, for many load the same. */
const imported = new Map<string, readonly string[]>();
function importsOf(path: string): readonly string[] {
  const known = imported.get(path);
  if (known) return known;
  const found = parseModule(path, readFileSync(path, 'utf8'))
    .imports.filter(({ specifier, kind }) => kind === 'value' && specifier.startsWith('.'))
    .map(({ specifier }) => join(dirname(path), specifier));
  imported.set(path, found);
  return found;
}

/** The files of `dist/` that loading one of them loads, itself first. */
function loadedFiles(file: string): string[] {
  const loaded = new Set([file]);
  for (const path of loaded) {
    for (const next of importsOf(path)) loaded.add(next);
  }
  return [...loaded].map(path => relative(dist, path));
}

describe('the entries', () => {
  const entries = [...source.keys()].filter(path => path.startsWith('entries/') && !isTest(path));

  it('are the exports of the package, each with its declarations', () => {
    const wanted = Object.fromEntries(entries.map(path => [subpathOf(path), exportOf(path)]));
    const files = {
      './config.schema.json': './dist/tenon.config.schema.json',
      './package.json': './package.json',
    };
    expect(manifest.exports).toEqual({ ...wanted, ...files });
  });

  it('load at most eight files of ours at start', () => {
    expect(existsSync(dist), 'run npm run build').toBe(true);
    const heavy = [...entries.map(path => exportOf(path).default), manifest.bin['tenon'] ?? '']
      .map(file => loadedFiles(join(root, file)))
      .filter(files => files.length > 8);
    expect(heavy).toEqual([]);
  });

  it('load a judge of values that brings all it needs: it shares no code with what is loaded at start', () => {
    expect(loadedFiles(join(dist, 'bundles/judge.js'))).toEqual(['bundles/judge.js']);
    // Two copies of a state would be two states.
    const stateful = /\bclass\b|^(?:export )?(?:let|const \w+.*= new)\b/m;
    const texts = copiedFiles.map(path => [path, readFileSync(join(root, 'src', path), 'utf8')] as const);
    expect(texts.flatMap(([path, text]) => (stateful.test(text) ? [path] : []))).toEqual(['basics/json.ts']);
    expect(readFileSync(join(dist, 'bundles/judge.js'), 'utf8')).not.toMatch(/new Weak/);
  });

  it('that make a stdio server load neither the judge of values nor the client', () => {
    const loaded = ['server.js', 'stdio.js'].flatMap(name => loadedFiles(join(dist, name)));
    const later = ['bundles/judge.js', 'bundles/client.js'];
    expect(later.filter(name => !existsSync(join(dist, name)))).toEqual([]);
    expect(later.filter(name => loaded.includes(name))).toEqual([]);
  });
});

describe('the built files', () => {
  const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'));

  it('define each class of errors once', () => {
    // Other names are shortened; errors carry theirs as a property.
    const owners = new Map<string, string[]>();
    for (const name of built) {
      // Long lines are broken, also within texts.
      const text = readFileSync(join(dist, name), 'utf8').replaceAll('\\\n', '');
      for (const [, label = ''] of text.matchAll(/[{;]\s*name\s*=\s*"(\w+Error)"[;}]/g)) {
        owners.set(label, [...(owners.get(label) ?? []), name]);
      }
    }
    expect([...owners].filter(([, files]) => files.length > 1)).toEqual([]);
    expect(owners.get('ProtocolError')).toEqual(['bundles/kernel.js']);
    expect(owners.size).toBeGreaterThan(10);
  });

  it('load third-party code only when it is asked for', () => {
    const lazy = built.filter(name => name.startsWith('bundles/vendor-'));
    expect(lazy).not.toEqual([]);
    const eager = built.filter(name => !lazy.includes(name)).flatMap(name => loadedFiles(join(dist, name)));
    expect(eager.filter(name => lazy.includes(name))).toEqual([]);
  });
});

describe('a program that is bundled with the package', () => {
  it('starts as one file where the bundler splits, and loads the judge of values later', async () => {
    const contents = `
      import { Server, tool } from 'tenon/server';
      import { serveStdio } from 'tenon/stdio';
      serveStdio(new Server({ name: 's', version: '1', tools: [tool({})] }));
    `;
    const { metafile } = await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      tsconfigRaw: '{}',
      outdir: 'out',
      write: false,
      metafile: true,
    });
    const outputs = Object.values(metafile.outputs);
    const loads = outputs.flatMap(({ imports }) => imports.filter(({ external }) => !external));
    expect(outputs).toHaveLength(2);
    expect(loads.length).toBeGreaterThan(0);
    expect(loads.filter(({ kind, path }) => kind !== 'dynamic-import' || !path.includes('judge'))).toEqual(
      [],
    );
  });

  it('leaves out what its server does not use', async () => {
    const textOf = async (program: string): Promise<string> => {
      const { outputFiles } = await build({
        stdin: { contents: program, resolveDir: root },
        bundle: true,
        format: 'esm',
        platform: 'node',
        write: false,
      });
      return outputFiles.map(({ text }) => text).join('');
    };
    const signs = {
      http: 'Mcp-Session-Id',
      prompts: 'messages with role and content',
      resources: 'give text, bytes, or parts',
    };
    const used = async (program: string): Promise<string[]> => {
      const text = await textOf(program);
      return Object.entries(signs).flatMap(([name, sign]) => (text.includes(sign) ? [name] : []));
    };
    const start = `import { Server, prompt, resource, handler } from 'tenon/server';`;
    expect(await used(`${start} globalThis.server = new Server({ name: 's', version: '1' });`)).toEqual([]);
    expect(await used(`${start} globalThis.made = prompt({});`)).toEqual(['prompts']);
    expect(await used(`${start} globalThis.made = resource({});`)).toEqual(['resources']);
    expect(await used(`${start} globalThis.made = handler({});`)).toEqual(['http']);
  });
});

describe('the table of bundles', () => {
  const plan = (files: Record<string, string>): ReturnType<typeof planBundles> =>
    planBundles(new Map(Object.entries(files).map(([path, text]) => [path, parseModule(path, text)])));

  it('has a bundle for every shipped file', () => {
    expect(() => planBundles(source)).not.toThrow();
    expect(bundleOf('models/openai/wire.ts')).toBe('bundles/model-openai');
    expect(bundleOf('models/retry.ts')).toBe('bundles/agent');
    expect(bundleOf('cli/commands/serve.ts')).toBe('bundles/command-serve');
  });

  it('refuses a file that no row names', () => {
    expect(() => plan({ 'shed/spade.ts': 'export const spade = 1;' })).toThrow(
      'src/shed/spade.ts is in no bundle: add it to the table in scripts/bundles.mjs',
    );
  });

  it('offers to other bundles only what they take', () => {
    const { offers } =
      plan({
        'basics/a.ts': 'export const used = 1; export const unused = 2; export interface Shape {}',
        'entries/b.ts':
          "import { type Shape, used } from '../basics/a.ts'; export const b: Shape = { used };",
      }).get('bundles/kernel') ?? {};
    expect(offers).toEqual(new Map([['basics/a.ts', new Set(['used'])]]));
  });

  it('leaves out what no entry reaches', () => {
    const files = { 'basics/a.ts': 'export const a = 1;', 'entries/b.ts': 'export const b = 1;' };
    expect([...plan(files).keys()]).toEqual(['b']);
  });

  it('refuses two files of one bundle that offer the same name', () => {
    const files = {
      'basics/a.ts': 'export const same = 1;',
      'rpc/b.ts': 'export const same = 2;',
      'entries/c.ts': "export { same } from '../basics/a.ts';",
      'entries/d.ts': "export { same } from '../rpc/b.ts';",
    };
    expect(() => plan(files)).toThrow('would offer "same" of both src/basics/a.ts and src/rpc/b.ts');
  });

  it('refuses bundles that load each other', () => {
    const files = {
      'client/a.ts': "import { b } from '../server/b.ts'; export const a = () => b;",
      'server/b.ts': "import { a } from '../client/a.ts'; export const b = () => a;",
      'entries/c.ts': "export { a } from '../client/a.ts';",
    };
    expect(() => plan(files)).toThrow(
      'bundles load each other: bundles/client → bundles/server → bundles/client',
    );
  });

  it('refuses a dynamic import that would not be lazy', () => {
    const files = {
      'client/a.ts': "export const a = () => import('./b.ts');",
      'client/b.ts': 'export const b = 1;',
      'entries/c.ts': "export { a } from '../client/a.ts';",
    };
    expect(() => plan(files)).toThrow('src/client/a.ts:1 imports client/b.ts dynamically');
  });

  it('knows the command beside the public subpaths', () => {
    expect(source.has(commandEntry)).toBe(true);
    expect(manifest.bin).toEqual({ tenon: './dist/cli.js' });
  });
});
