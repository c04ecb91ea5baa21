/** The programs of test/peers/adapters: their types checked, made runnable, and run under the Node they want. */
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { runProgram } from './run-program.ts';

const home = fileURLToPath(new URL('../peers/adapters/', import.meta.url));
const entries = fileURLToPath(new URL('../../src/entries/', import.meta.url));
const node22 = fileURLToPath(new URL('../peers/node-22/node_modules/.bin/node', import.meta.url));

const libraries = ['ai-sdk', 'openai-agents', 'langchain', 'anthropic', 'openai', 'gemini'];

type Json = Readonly<Record<string, unknown>>;

/** What a program found. */
export interface Report {
  readonly answer: string;
  readonly asked: readonly { readonly path: string; readonly body: Json }[];
  readonly more?: Json;
}

export interface Programs {
  /** What one program of a file found; rejects with what it failed with. */
  run(file: string, program: string): Promise<Report>;
}

/** Bundles them with our source; the libraries stay outside, so the files must stand beside them. */
export async function buildPrograms(files: readonly string[]): Promise<Programs> {
  const folder = join(home, 'node_modules', '.programs');
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: files.map(file => join(home, `${file}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    packages: 'external',
    tsconfigRaw: {},
    alias: {
      tenon: join(entries, 'index.ts'),
      ...Object.fromEntries(
        libraries.map(name => [`tenon/adapters/${name}`, join(entries, 'adapters', `${name}.ts`)]),
      ),
    },
    logLevel: 'error',
  });
  const outcomes = new Map<string, Promise<readonly Outcome[]>>();
  return {
    async run(file, program) {
      const known = outcomes.get(file) ?? runFile(join(folder, `${file}.mjs`));
      outcomes.set(file, known);
      const outcome = (await known).find(({ name }) => name === program);
      if (outcome?.report === undefined)
        throw new Error(`${file}, ${program}: ${outcome?.failure ?? 'did not run'}`);
      return outcome.report;
    },
  };
}

interface Outcome {
  readonly name: string;
  readonly report?: Report;
  readonly failure?: string;
}

/** Runs all programs of a file, in one process: most of the time is spent on loading the library. */
async function runFile(file: string): Promise<readonly Outcome[]> {
  const { stdout } = await runProgram(node22, [file]);
  return stdout
    .split('\n')
    .filter(line => line.startsWith('{"name":'))
    .map(line => JSON.parse(line) as Outcome);
}

/** What the compiler says of the programs against the types of the libraries; our own files have a check of theirs. */
export function checkTypes(): string {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const { stdout, stderr, error } = spawnSync(process.execPath, [compiler, '-p', home], { encoding: 'utf8' });
  const told = `${stdout}${stderr}${error?.message ?? ''}`.split('\n');
  return told.filter(line => !/^(?:\.\.\/)*src\/|^ |^$/.test(line)).join('\n');
}
