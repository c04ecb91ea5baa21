import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { readModules } from '../scripts/modules.mjs';
import { strayEraWords } from './architecture/era-words.ts';
import { unfitFiles } from './architecture/files.ts';
import { wrongImports } from './architecture/imports.ts';
import { neutralEntries } from './architecture/layers.ts';
import { reachedBuiltins, reachedGlobals, strayBuiltins } from './architecture/neutral.ts';
import { describeViolation, type Source, type Violation } from './architecture/violation.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));
const guards: Record<string, (source: Source) => Violation[]> = {
  'imports point down, eras have one door, packages stay in vendor': wrongImports,
  'era words stay under eras and extensions': strayEraWords,
  'no neutral entry reaches a Node builtin': reachedBuiltins,
  'no neutral entry reaches a global of Node': reachedGlobals,
  'Node builtins are imported by the Node files only': strayBuiltins,
  'files are short, well named and say what they hold': unfitFiles,
};

const source = readModules(root);
const judge = (of: Source): string[] =>
  Object.values(guards).flatMap(guard => guard(of).map(describeViolation));

describe('the source', () => {
  for (const [sentence, guard] of Object.entries(guards)) {
    it(sentence, () => {
      expect(guard(source).map(describeViolation)).toEqual([]);
    });
  }

  it('has every entry that must be neutral', () => {
    expect(neutralEntries.filter(entry => !source.has(entry))).toEqual([]);
  });
});

describe('a guard that is tried with one fault planted beside the source', () => {
  const folders: string[] = [];
  const before = new Set(judge(source));

  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** What the guards say of the source with some files added or replaced, and did not say before. */
  function plant(files: Record<string, string>): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-architecture-'));
    folders.push(folder);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return judge(new Map([...source, ...readModules(folder)])).filter(violation => !before.has(violation));
  }

  const lead = '/** A planted file. */\n';

  it('names the file that holds a revision date outside the eras', () => {
    expect(plant({ 'client/planted.ts': `${lead}export const latest = '2025-11-25';\n` })).toEqual([
      'src/client/planted.ts:2: holds the era word "2025-11-25"; only src/eras/ and src/extensions/ may know it',
    ]);
  });

  it('finds era words in templates, keys, members, header case and error numbers, and not in comments', () => {
    const text = `${lead}// 2025-11-25, resultType and Mcp-Session-Id are free here
declare const message: { readonly resultType: string };
export const a = \`2026-07-28 and \${message.resultType}\`;
export const b = { 'mcp-session-id': -32021 };
`;
    const words = plant({ 'server/planted.ts': text }).map(line =>
      /:(\d+): holds the era word "(.*?)"/.exec(line)?.slice(1),
    );
    expect(words).toEqual([
      ['3', 'resultType'],
      ['4', '2026-07-28'],
      ['4', 'resultType'],
      ['5', 'Mcp-Session-Id'],
      ['5', '-32021'],
    ]);
  });

  it('finds era words that are joined of constants', () => {
    const text = `${lead}const day = '18';
export const a = '2025-06' + '-18';
export const b = \`2025-\${'06'}-\${day}\`;
export const c = ['2025', '06', 18].join('-');
export const d = 'server/' + ('dis' + 'cover');
export const e = '2025-06-18' + '!';
export const f = '2025-06' + String(day);
`;
    const words = plant({ 'server/planted.ts': text }).map(line =>
      /:(\d+): holds the era word "(.*?)"/.exec(line)?.slice(1),
    );
    expect(words).toEqual([
      ['3', '2025-06-18'],
      ['4', '2025-06-18'],
      ['5', '2025-06-18'],
      ['6', 'server/discover'],
      ['7', '2025-06-18'],
    ]);
  });

  it('judges tests and the testing layer by the same words', () => {
    const text = "export const word = 'subscriptions/listen';\n";
    expect(plant({ 'testing/planted.ts': lead + text, 'client/planted.test.ts': text })).toHaveLength(2);
  });

  it('leaves the same words alone under eras and extensions', () => {
    const text = `${lead}export const row = { date: '2025-11-25', resultType: -32002 };\n`;
    expect(plant({ 'eras/handshake/planted.ts': text, 'extensions/planted.ts': text })).toEqual([]);
  });

  it('names a lower layer that imports a higher one, by value and by type', () => {
    const text = `${lead}import { x } from '../client/planted.ts';\nimport type { Y } from '../server/planted.ts';\nexport const z: Y = x;\n`;
    expect(plant({ 'rpc/planted.ts': text })).toEqual([
      'src/rpc/planted.ts:2: layer rpc imports client/planted.ts; layer client is not below it',
      'src/rpc/planted.ts:3: layer rpc imports server/planted.ts; layer server is not below it',
    ]);
  });

  it('knows the two towers apart: an agent may not know the protocol', () => {
    const text = `${lead}export type { Call } from '../protocol/call.ts';\n`;
    expect(plant({ 'agent/planted.ts': text })).toEqual([
      'src/agent/planted.ts:2: layer agent imports protocol/call.ts; layer protocol is not below it',
    ]);
  });

  it('names an era that imports its sibling, and whoever passes by the door of the eras', () => {
    const sibling = `${lead}export { x } from '../stateless/planted.ts';\n`;
    const caller = `${lead}export { x } from '../eras/stateless/planted.ts';\n`;
    const planted = plant({
      'eras/stateless/planted.ts': `${lead}export const x = 1;\n`,
      'eras/handshake/planted.ts': sibling,
      'client/planted.ts': caller,
    });
    expect(planted).toEqual([
      'src/client/planted.ts:2: layer client imports eras/stateless/planted.ts; of eras it may import only eras/index.ts, eras/for-clients.ts',
      'src/eras/handshake/planted.ts:2: era handshake imports its sibling stateless; what they share goes down to rpc or protocol',
    ]);
  });

  it('names a package that enters elsewhere than through vendor', () => {
    expect(plant({ 'schema/planted.ts': `${lead}import 'zod';\n` })).toEqual([
      'src/schema/planted.ts:2: imports the package "zod"; third-party code enters through src/vendor/ only',
    ]);
  });

  it('names the chain by which a neutral entry reaches a builtin, also through a lazy import', () => {
    const planted = plant({
      'entries/client.ts': `${lead}export { near } from '../client/near.ts';\n`,
      'client/near.ts': `${lead}export const near = (): Promise<unknown> => import('./far.ts');\n`,
      'client/far.ts': `${lead}export { readFileSync } from 'node:fs';\n`,
    });
    expect(planted).toContain(
      'src/client/far.ts:2: the neutral entry entries/client.ts reaches "node:fs": entries/client.ts → client/near.ts → client/far.ts',
    );
  });

  it('names the use of a global of Node that a neutral entry reaches, and no other word of that name', () => {
    const far = `${lead}type Environment = typeof process.env;
export const far = (facts: { readonly process: Environment }): unknown => facts.process;
export const name: unknown = globalThis.process;
export const home = process.env['HOME'];
`;
    const planted = plant({
      'entries/client.ts': `${lead}export { far } from '../client/far.ts';\n`,
      'client/far.ts': far,
      'cli/planted.ts': `${lead}export const home = process.env['HOME'];\n`,
    });
    expect(planted.filter(line => line.includes('global'))).toEqual([
      'src/client/far.ts:4: uses the global "process", which the neutral entry entries/client.ts reaches: entries/client.ts → client/far.ts',
      'src/client/far.ts:5: uses the global "process", which the neutral entry entries/client.ts reaches: entries/client.ts → client/far.ts',
    ]);
  });

  it('knows builtins by their bare names, and a process that is asked for one', () => {
    const planted = plant({
      'basics/planted.ts': `${lead}import 'fs';\nexport const load = (): unknown => process.getBuiltinModule('http');\n`,
    });
    expect(planted).toEqual([
      'src/basics/planted.ts:2: imports "fs"; Node belongs to channels/stdio-*, child* and cli/',
      'src/basics/planted.ts:3: asks the process for a builtin; only channels/http-transport-node.ts may',
    ]);
  });

  it('names a file that is too long, badly named or silent about itself', () => {
    expect(
      plant({ 'rpc/message-utils.ts': 'export const x = 1;\n'.repeat(301) }).map(line => line.split(': ')[1]),
    ).toEqual([
      'has 301 lines, the limit is 300',
      'the name "message-utils" says nothing of what is inside',
      'does not open with a /** … */ comment that says what is here',
    ]);
  });

  it('refuses a folder that is no layer', () => {
    expect(plant({ 'shed/planted.ts': lead })).toEqual([
      'src/shed/planted.ts: its folder is no layer; add it to test/architecture/layers.ts',
    ]);
  });
});
