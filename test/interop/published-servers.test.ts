/** Our client lists and calls the tools of published servers, with the revision that each pair agrees on. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Client, type ClientOptions, connect } from '../../src/entries/client.ts';
import { stdio } from '../../src/entries/stdio.ts';
import { writeWorkbook } from '../fixtures/workbook.mjs';
import { describePeer, fileOf } from './peers.ts';

const reference = (name: string): string =>
  fileOf('reference-servers', `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

let folder = '';
const open: Client[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-interop-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(client => client.close()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(args: readonly string[], options?: ClientOptions, env = {}): Promise<Client> {
  const client = await connect(stdio({ command: process.execPath, args, env }), options);
  open.push(client);
  return client;
}
const names = async (client: Client): Promise<string[]> =>
  (await client.tools().all()).map(({ name }) => name);
const oddities = (client: Client): string[] => client.diagnostics.map(({ kind }) => kind);
const firstText = (result: { readonly content: readonly object[] }): unknown =>
  (result.content[0] as { readonly text?: string } | undefined)?.text;

describePeer('reference-servers', 'the reference servers', () => {
  test('everything: 2025-11-25, sums, and structured weather that fits its schema', async () => {
    const client = await start([reference('everything'), 'stdio']);
    expect(client.revision).toBe('2025-11-25');
    expect(client.server.name).toBe('mcp-servers/everything');
    expect(await names(client)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-structured-content']),
    );
    expect(firstText(await client.call('get-sum', { a: 20, b: 22 }))).toBe('The sum of 20 and 22 is 42.');
    const weather = await client.call('get-structured-content', { location: 'New York' });
    expect(weather.structuredContent).toMatchObject({ temperature: expect.any(Number) });
    expect(oddities(client)).not.toContain('output-mismatch');
  });

  test('everything: progress arrives and a cancelled call rejects with the reason of the signal', async () => {
    const client = await start([reference('everything'), 'stdio']);
    const controller = new AbortController();
    const reason = new Error('seen enough');
    const progress: unknown[] = [];
    const call = client.call(
      'trigger-long-running-operation',
      { duration: 600, steps: 6000 },
      {
        signal: controller.signal,
        onProgress: report => {
          progress.push(report);
          controller.abort(reason);
        },
      },
    );
    await expect(call).rejects.toBe(reason);
    expect(progress).toHaveLength(1);
    expect(firstText(await client.call('echo', { message: 'still here' }))).toBe('Echo: still here');
  });

  test('everything: a client that answers questions is offered the tools that ask them', async () => {
    const client = await start([reference('everything'), 'stdio'], {
      onElicit: () => ({ action: 'decline' }),
      onRoots: () => [{ uri: 'file:///somewhere', name: 'somewhere' }],
    });
    expect(await names(client)).toContain('trigger-elicitation-request');
    const answer = await client.call('trigger-elicitation-request');
    expect(JSON.stringify(answer.content)).toContain('decline');
    expect(JSON.stringify((await client.call('get-roots-list')).content)).toContain('file:///somewhere');
  });

  test('filesystem: 2025-11-25, reads a file of ours and refuses one outside as isError', async () => {
    await writeFile(join(folder, 'note.txt'), 'a note of ours — é');
    const client = await start([reference('filesystem'), folder]);
    expect(client.revision).toBe('2025-11-25');
    expect(await names(client)).toHaveLength(14);
    const note = await client.call('read_text_file', { path: join(folder, 'note.txt') });
    expect(note).toMatchObject({ isError: false, structuredContent: { content: 'a note of ours — é' } });
    const outside = await client.call('read_text_file', { path: join(folder, '..', 'elsewhere.txt') });
    expect(outside.isError).toBe(true);
    expect(firstText(outside)).toContain('outside allowed directories');
  });

  test('filesystem: asks for roots when they are offered and works in them', async () => {
    await writeFile(join(folder, 'root.txt'), 'below the root');
    let log = '';
    let heard: () => void = () => {};
    const taken = new Promise<void>(resolve => {
      heard = resolve;
    });
    // The server says on stderr when it has taken the roots; nothing on the wire tells.
    const stderr = (chunk: string): void => {
      log += chunk;
      if (log.includes('Updated allowed directories')) heard();
    };
    const channel = stdio({ command: process.execPath, args: [reference('filesystem')], stderr });
    const client = await connect(channel, { onRoots: () => [{ uri: `file://${folder}` }] });
    open.push(client);
    await taken;
    const file = await client.call('read_text_file', { path: join(folder, 'root.txt') });
    expect(firstText(file)).toBe('below the root');
  });

  test('memory: 2025-11-25, keeps what it was told', async () => {
    const client = await start([reference('memory')], {}, { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') });
    expect(client.revision).toBe('2025-11-25');
    expect(await names(client)).toHaveLength(9);
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }];
    await client.call('create_entities', { entities });
    const graph = await client.call('read_graph');
    expect(graph.structuredContent).toMatchObject({ entities, relations: [] });
  });

  test('sequential-thinking: 2025-11-25, and calls at once are all answered', async () => {
    const client = await start([reference('sequential-thinking')]);
    expect(client.revision).toBe('2025-11-25');
    expect(await names(client)).toEqual(['sequentialthinking']);
    const think = (thoughtNumber: number) =>
      client.call('sequentialthinking', {
        thought: `thought ${thoughtNumber}`,
        thoughtNumber,
        totalThoughts: 10,
        nextThoughtNeeded: true,
      });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => think(at + 1)));
    expect(
      answers.map(({ structuredContent }) => (structuredContent as { thoughtNumber: number }).thoughtNumber),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('an unknown tool of a 1.x server is a result with isError', async () => {
    const client = await start([reference('memory')], {}, { MEMORY_FILE_PATH: join(folder, 'none.jsonl') });
    const result = await client.call('nobody');
    expect(result.isError).toBe(true);
    expect(firstText(result)).toContain('nobody');
  });
});

describePeer('sdk-v2', 'a server on the 2.x packages', () => {
  const server = fileOf('sdk-v2', 'server.mjs');

  test.each([
    { title: 'that speaks both eras is met in 2026-07-28', args: [server] },
    { title: 'that refuses the handshake is met in 2026-07-28', args: [server, '--stateless-only'] },
  ])('$title', async ({ args }) => {
    const client = await start(args);
    expect(client.revision).toBe('2026-07-28');
    expect(client.server).toMatchObject({ name: 'fixture-2x', version: '1.0.0' });
    expect(client.instructions).toBe('Adds and asks.');
    expect(await names(client)).toEqual(['add', 'fail', 'wait']);
    expect((await client.call('add', { a: 20, b: 22 })).structuredContent).toEqual({ sum: 42 });
    expect(await client.call('fail')).toMatchObject({ isError: true });
    await expect(client.call('nobody')).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 });
    expect(oddities(client)).not.toContain('output-mismatch');
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const)(
    'is met in %s by a client pinned to it',
    async protocol => {
      const client = await start([server], { protocol });
      expect(client.revision).toBe(protocol);
      expect(firstText(await client.call('add', { a: 1, b: 2 }))).toBe('3');
    },
  );

  test('refuses a pinned handshake with an error that says what it offers', async () => {
    await expect(start([server, '--stateless-only'], { protocol: '2025-11-25' })).rejects.toMatchObject({
      name: 'VersionError',
      offered: ['2026-07-28'],
    });
  });

  test('sees a cancelled call', async () => {
    let log = '';
    let heard: () => void = () => {};
    const cancelled = new Promise<void>(resolve => {
      heard = resolve;
    });
    const channel = stdio({
      command: process.execPath,
      args: [server],
      stderr: chunk => {
        log += chunk;
        if (log.includes('wait was cancelled')) heard();
      },
    });
    const client = await connect(channel);
    open.push(client);
    const controller = new AbortController();
    const call = client.call('wait', {}, { signal: controller.signal });
    await client.tools().all();
    controller.abort(new Error('no longer wanted'));
    await expect(call).rejects.toThrow('no longer wanted');
    await cancelled;
  });
});

describePeer('another', 'servers that are not built on the official packages', () => {
  test('a Go server behind a launcher is met in 2025-03-26 and reads a workbook', async () => {
    const path = join(folder, 'figures.xlsx');
    await writeWorkbook(path, [
      ['item', 'price'],
      ['nail', 3],
    ]);
    const client = await start([
      fileOf('another', 'node_modules/@negokaz/excel-mcp-server/dist/launcher.js'),
    ]);
    expect(client.revision).toBe('2025-03-26');
    expect(await names(client)).toContain('excel_read_sheet');
    const sheet = await client.call('excel_read_sheet', { fileAbsolutePath: path, sheetName: 'Figures' });
    expect(sheet.isError).toBe(false);
    expect(firstText(sheet)).toContain('nail');
    expect(await client.call('excel_read_sheet', {})).toMatchObject({ isError: true });
    await expect(client.call('nobody')).rejects.toMatchObject({ code: -32602 });
    await expect(
      client.call('excel_describe_sheets', { fileAbsolutePath: join(folder, 'none.xlsx') }),
    ).rejects.toMatchObject({ code: -32603 });
  });

  test('a server that never answers the probe is met in 2025-06-18 on the same process', async () => {
    let starts = 0;
    const channel = stdio({
      command: process.execPath,
      args: [fileOf('another', 'node_modules/effect-mcp/main.cjs')],
    });
    const client = await connect({
      label: channel.label,
      open: (receiver, options) => {
        starts += 1;
        return channel.open(receiver, options);
      },
    });
    open.push(client);
    expect(client.revision).toBe('2025-06-18');
    expect(starts).toBe(1);
    expect(await names(client)).toEqual(['effect_docs_search', 'get_effect_doc']);
    const found = await client.call('effect_docs_search', { query: 'zzz' });
    expect(found).toMatchObject({ isError: false, structuredContent: { results: [] } });
    await expect(client.call('nobody')).rejects.toMatchObject({ name: 'ProtocolError', code: 0 });
  });

  test('a server on tmcp is met in 2026-07-28', async () => {
    const client = await start([fileOf('another', 'server.mjs')]);
    expect(client.revision).toBe('2026-07-28');
    expect(client.server.name).toBe('fixture-tmcp');
    expect(await names(client)).toEqual(['add']);
    expect(firstText(await client.call('add', { a: 20, b: 22 }))).toBe('42');
    expect(await client.call('add', { a: 'x' })).toMatchObject({ isError: true });
    expect(await client.call('nobody')).toMatchObject({ isError: true });
  });
});
