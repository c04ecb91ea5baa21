import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subpathOf } from '../scripts/bundles.mjs';
import { neutralEntries } from './architecture/layers.ts';
import { parsePins } from './architecture/pins.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pinned = parsePins(readFileSync(join(root, 'test', 'api.txt'), 'utf8'));
const neutral = neutralEntries.map(entry => `tenon${subpathOf(entry).slice(1)}`);
const windows = process.platform === 'win32';

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

describe('the packed package', () => {
  let folder = '';
  let packed: Packed;

  /** Runs a program in the empty folder and answers what it printed; its failure fails the test. */
  function run(command: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      shell: windows,
    });
    expect(status, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
    return stdout;
  }

  beforeAll(() => {
    expect(existsSync(join(root, 'dist', 'types')), 'run npm run build').toBe(true);
    folder = mkdtempSync(join(tmpdir(), 'tenon-pack-'));
    const json = run('npm', 'pack', root, '--json', '--ignore-scripts', '--pack-destination', folder);
    [packed] = JSON.parse(json) as [Packed];
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    run('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`);
  });

  afterAll(() => {
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  it('is below 1.5 MB unpacked and holds no source, map or test', () => {
    expect(packed.unpackedSize).toBeLessThan(1_500_000);
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter(path => /^(src|test|scripts)\/|\.map$|\.test\./.test(path))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD_PARTY.md', 'package.json']));
  });

  it('installs as one package without dependencies', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'));
    expect(installed).toEqual(['tenon']);
    const manifest = JSON.parse(
      readFileSync(join(folder, 'node_modules/tenon/package.json'), 'utf8'),
    ) as Readonly<Record<string, object>>;
    for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
      expect(manifest[kind] ?? {}).toEqual({});
    }
    const { peerDependencies = {}, peerDependenciesMeta: about = {} } = manifest;
    for (const name of Object.keys(peerDependencies)) expect(about).toHaveProperty([name, 'optional'], true);
  });

  it('gives exactly the pinned names from every subpath', () => {
    const program = `
      const names = {};
      for (const path of ${JSON.stringify([...pinned.keys()])}) names[path] = Object.keys(await import(path)).sort();
      console.log(JSON.stringify(names));`;
    writeFileSync(join(folder, 'names.mjs'), program);
    expect(JSON.parse(run(process.execPath, 'names.mjs'))).toEqual(Object.fromEntries(pinned));
  });

  it('shares one copy of each class among subpaths', () => {
    writeFileSync(
      join(folder, 'identity.mjs'),
      `const [a, b] = [await import('tenon'), await import('tenon/rpc')];
       console.log(['ToolError', 'ProtocolError', 'ConnectionError', 'TimeoutError'].every(name => a[name] === b[name]));`,
    );
    expect(run(process.execPath, 'identity.mjs').trim()).toBe('true');
  });

  it('runs without code generation from strings', () => {
    writeFileSync(
      join(folder, 'all.mjs'),
      [...pinned.keys()].map(path => `import ${JSON.stringify(path)};`).join('\n'),
    );
    run(process.execPath, '--disallow-code-generation-from-strings', 'all.mjs');
  });

  it.each([
    ['with the types of Node', { lib: ['es2023'], types: ['node'] }, [...pinned.keys()]],
    [
      'with the types of a browser alone',
      { lib: ['es2023', 'esnext.disposable', 'dom', 'dom.asynciterable'], types: [] },
      neutral,
    ],
  ])('is typed for a strict program %s', (_, options, paths) => {
    const lines = paths.map((path, index) => `import * as m${index} from ${JSON.stringify(path)};`);
    const names = paths.map((_, index) => `m${index}`);
    writeFileSync(
      join(folder, 'program.ts'),
      `${lines.join('\n')}\nexport const all = [${names.join(', ')}];\n`,
    );
    const compilerOptions = {
      ...{
        target: 'es2023',
        module: 'nodenext',
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
      },
      ...{ skipLibCheck: false, typeRoots: [join(root, 'node_modules', '@types')], ...options },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    run(process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.');
  });

  it('brings a command that can be run', () => {
    const file = join(folder, 'node_modules/tenon/dist/cli.js');
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    if (!windows) expect(statSync(file).mode & 0o111).not.toBe(0);
    const help = run(windows ? 'npx.cmd' : 'npx', '--no-install', 'tenon', '--help');
    expect(help).toMatch(/^ +serve /m);
  });
});
