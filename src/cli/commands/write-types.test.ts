import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listedServer, oddServer, useCommand } from '../../../test/fixtures/command.ts';
import { compileTexts, projectFile } from '../../../test/fixtures/compile-texts.ts';
import { stdio } from '../../channels/stdio-client.ts';
import { catalogue } from '../../client/catalogue.ts';
import { connect } from '../../client/client.ts';
import { EraMemory } from '../../eras/index.ts';

const tenon = useCommand();

const read = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where it is.' }, head: { type: 'integer' } },
    required: ['path'],
  },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
const roots = { name: 'roots', inputSchema: { type: 'object', properties: {} } };
const paths = { 'tenon/client': [projectFile('src', 'entries', 'client.ts')] };

describe('tenon types', () => {
  it('writes the file to standard output, and nothing else', async () => {
    const { code, out, err } = await tenon.run('types', '--name', 'Odd', '--', ...oddServer, 'ordinary');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^\/\/ Written by `tenon types`\./);
    expect(out).toContain('export interface Odd {');
    expect(out).toContain('export const odd: Catalogue<Odd> = catalogue<Odd>({');
  });

  it('writes a file that types calls: what fits compiles, what does not is an error', async () => {
    tenon.put('tools.json', { tools: [read, roots] });
    const out = `${tenon.folder}/files.ts`;
    const ran = await tenon.run(
      'types',
      '--out',
      'files.ts',
      '--name',
      'Files',
      '--',
      ...listedServer,
      'tools.json',
    );
    expect(ran).toEqual({ code: 0, out: '', err: 'files.ts: written (2 tools)\n' });
    const program = (line: string): string =>
      `import { type Channel, connect } from 'tenon/client';
       import { files } from './files.ts';
       export async function use(target: Channel): Promise<unknown> {
         const client = await connect(target, { catalogue: files });
         ${line}
       }`;
    const { errors } = compileTexts(
      {
        'files.ts': readFileSync(out, 'utf8'),
        'right.ts': program(
          "const { structuredContent } = await client.call('read_file', { path: 'a', head: 3 }); await client.call('roots'); return structuredContent?.text.length;",
        ),
        'wrong.ts': program("return client.call('read_file', { path: 5 });"),
        'missing.ts': program("return client.call('read_file', { head: 3 });"),
        'misspelt.ts': program("return client.call('read_file', { path: 'a', haed: 3 });"),
        'unknown.ts': program("return client.call('write_file', {});"),
        'misread.ts': program(
          "return (await client.call('read_file', { path: 'a' })).structuredContent?.size;",
        ),
      },
      paths,
    );
    expect(errors.map(line => line.split('(')[0]).sort()).toEqual([
      'misread.ts',
      'missing.ts',
      'misspelt.ts',
      'unknown.ts',
      'wrong.ts',
    ]);
    expect(errors.join('\n')).toMatch(/missing\.ts.*'path' is missing|missing\.ts.*path/);
  });

  it('replaces what it wrote itself, and nothing else', async () => {
    tenon.put('tools.json', { tools: [roots] });
    const mine = 'export const mine = 1;\n';
    tenon.put('mine.ts', mine);
    const { code, err } = await tenon.run('types', '--file', 'tools.json', '--out', 'mine.ts');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('mine.ts holds something else than what tenon types writes'),
    ]);
    expect(readFileSync(`${tenon.folder}/mine.ts`, 'utf8')).toBe(mine);
    tenon.put('ours.ts', '// Written by `tenon types`. Do not edit: old\n');
    expect((await tenon.run('types', '--file', 'tools.json', '--out', 'ours.ts')).code).toBe(0);
  });

  it('checks a file against what the server lists, without writing it', async () => {
    tenon.put('tools.json', [read]);
    const types = (...more: string[]) => tenon.run('types', '--file', 'tools.json', '--out', 'a.ts', ...more);
    const absent = await types('--check');
    expect([absent.code, existsSync(`${tenon.folder}/a.ts`)]).toEqual([1, false]);
    expect((await types()).code).toBe(0);
    expect(await types('--check')).toEqual({ code: 0, out: '', err: 'a.ts: up to date (1 tool)\n' });
    const written = readFileSync(`${tenon.folder}/a.ts`, 'utf8');
    writeFileSync(`${tenon.folder}/a.ts`, written.replaceAll('\n', '\r\n'));
    expect((await types('--check')).code).toBe(0);
    tenon.put('tools.json', [read, roots]);
    const changed = await types('--check');
    expect([changed.code, changed.out]).toEqual([1, '']);
    expect(changed.err).toMatch(/^a\.ts: not what the server lists now; write it anew without --check/);
    expect(readFileSync(`${tenon.folder}/a.ts`, 'utf8')).toBe(written.replaceAll('\n', '\r\n'));
    expect((await types()).err).toBe('a.ts: written (2 tools)\n');
  });

  it('gives fingerprints by which a running client notices a change', async () => {
    const file = tenon.put('tools.json', { tools: [read, roots] });
    const { out } = await tenon.run('types', '--json', '--', ...listedServer, 'tools.json');
    const made = JSON.parse(out) as { fingerprints: Record<string, string>; text: string };
    expect(made).toMatchObject({ interface: 'ListedServer', constant: 'listedServer' });
    for (const fingerprint of Object.values(made.fingerprints))
      expect(made.text).toContain(`'${fingerprint}'`);
    const drift = async (): Promise<string[]> => {
      const [command = '', ...args] = listedServer;
      const client = await connect(stdio({ command, args: [...args, file] }), {
        catalogue: catalogue<object>(made.fingerprints),
        eraMemory: new EraMemory(),
      });
      await client.tools().all();
      await client.close();
      return client.diagnostics.filter(({ kind }) => kind === 'tool-drift').map(({ message }) => message);
    };
    expect(await drift()).toEqual([]);
    tenon.put('tools.json', {
      tools: [
        { ...read, description: 'Other words.' },
        { ...roots, outputSchema: {} },
      ],
    });
    expect(await drift()).toEqual([expect.stringContaining('"roots" has other schemas')]);
  });

  it.each([
    [['x', '--check'], /--check needs --out/],
    [['x', '--out', ''], /--out must name a file/],
    [['x', '--name', 'lower'], /--name must be a capital followed by letters and digits, got "lower"/],
  ])('%j is wrong use', async (args, reason) => {
    const { code, err } = await tenon.run('types', ...args);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
  });

  it('fails when it cannot write', async () => {
    tenon.put('tools.json', [read]);
    const { code, err } = await tenon.run('types', '--file', 'tools.json', '--out', 'no/such/folder.ts');
    expect(code).toBe(1);
    expect(err).toMatch(/^--out: cannot write .*ENOENT/);
  });
});

const filesystem = projectFile(
  'test/peers/reference-servers/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

describe.skipIf(!existsSync(filesystem))('a published server (skipped without npm run peers)', () => {
  it('is typed, and none of its tools is dropped', async () => {
    const server = [process.execPath, filesystem, tenon.folder];
    const { code, out } = await tenon.run('types', '--name', 'Files', '--', ...server);
    expect(code).toBe(0);
    const program = `import { type Channel, connect } from 'tenon/client';
      import { files } from './files.ts';
      export async function use(target: Channel): Promise<string | undefined> {
        const client = await connect(target, { catalogue: files });
        await client.call('list_allowed_directories');
        await client.call('edit_file', { path: 'a', edits: [{ oldText: 'a', newText: 'b' }] });
        return (await client.call('read_text_file', { path: 'a', head: 1 })).structuredContent?.content;
      }`;
    expect(compileTexts({ 'files.ts': out, 'program.ts': program }, paths).errors).toEqual([]);
    expect((await tenon.run('lint', '--', ...server)).code).toBe(0);
  });
});
