import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outcomeOf, useCommand } from '../../../test/fixtures/command.ts';
import { startModelEndpoint } from '../../../test/fixtures/model-endpoint.ts';
import { serveHttp } from '../../entries/node.ts';
import { Server } from '../../server/server.ts';
import { tool } from '../../tools/tool.ts';

const tenon = useCommand();

const lines = [
  { type: 'recording', version: 1, command: 'tenon run', started: '2026-01-01T00:00:00.000Z' },
  { type: 'event', at: 1, event: { type: 'model-start', turn: 1, model: 'm' } },
  {
    type: 'event',
    at: 1501,
    event: { type: 'model-end', turn: 1, usage: { inputTokens: 1, outputTokens: 2, requests: 1 } },
  },
];
const recording = lines.map(line => JSON.stringify(line)).join('\n');

const guide = readFileSync(new URL('../../../docs/guides/see-what-happened.md', import.meta.url), 'utf8');

/** As in the first hour. */
const inStock = tool({
  name: 'in_stock',
  description: 'How many boards of a wood are in stock.',
  input: { type: 'object', properties: { wood: { type: 'string' } }, required: ['wood'] },
  run: ({ wood }) => `12 boards of ${wood}`,
});

describe('the guide to recordings', () => {
  it('has only lines that work', async () => {
    const server = new Server({ name: 'yard', version: '1.0.0', tools: [inStock] });
    const yard = await serveHttp(server, { port: 0 });
    const model = await startModelEndpoint({ tool: 'in_stock', arguments: { wood: 'oak' } }, 'We have.');
    tenon.put('.mcp.json', { mcpServers: { yard: { url: yard.url } } });
    const lines = (/^```sh\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? '').trimEnd().split('\n');
    const said: string[] = [];
    for (const line of lines) {
      const [, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, bare]) => quoted ?? bare ?? '',
      );
      const { code, out } = await outcomeOf(tenon.start(args, model.environment));
      expect([line, code]).toEqual([line, 0]);
      said.push(out);
    }
    expect(said[1]).toMatch(/^tenon run, .*: done in .*\n.*tool in_stock {2}wood=oak/s);
    expect(readFileSync(join(tenon.folder, 'run.html'), 'utf8')).toContain('We have.');
    expect(JSON.parse(said[4] ?? '')).toMatchObject({ command: 'tenon call', outcome: { state: 'done' } });
    await Promise.all([yard.close(), model.close()]);
  });
});

describe('tenon trace', () => {
  it('prints what a recording holds', async () => {
    tenon.put('run.jsonl', recording);
    const { code, out, err } = await tenon.run('trace', 'run.jsonl');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^tenon run, 2026-01-01T00:00:00\.000Z: done in 1\.50 s\nmodel calls 1, /);
  });

  it('writes a page', async () => {
    tenon.put('run.jsonl', recording);
    const { code, out } = await tenon.run('trace', 'run.jsonl', '--page', 'run.html');
    expect([code, out]).toEqual([0, '']);
    expect(readFileSync(join(tenon.folder, 'run.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });

  it('reads standard input', async () => {
    const child = tenon.start(['trace', '-']);
    child.stdin?.write(recording);
    const { code, out } = await outcomeOf(child);
    expect([code, out]).toEqual([0, expect.stringMatching(/: done in 1\.50 s\n/)]);
  });

  it('replaces a page, and nothing else', async () => {
    tenon.put('run.jsonl', recording);
    tenon.put('run.html', '<!doctype html>\nold');
    expect((await tenon.run('trace', 'run.jsonl', '--page', 'run.html')).code).toBe(0);
    const { code, err } = await tenon.run('trace', 'run.jsonl', '--page', 'run.jsonl');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--page: run.jsonl holds something else than a page'),
    ]);
    expect(readFileSync(join(tenon.folder, 'run.jsonl'), 'utf8')).toBe(recording);
  });

  it('prints the steps as data, and says what it could not read', async () => {
    tenon.put('run.jsonl', `${recording}\n{"type":`);
    const { code, out, err } = await tenon.run('trace', 'run.jsonl', '--json');
    expect(code).toBe(0);
    expect(err).toContain('1 line could not be read, first line 4');
    expect(JSON.parse(out)).toMatchObject({ steps: [{ kind: 'model', from: 1, to: 1501 }] });
  });

  it.each([
    [['trace'], 2, /which recording/],
    [['trace', 'none.jsonl'], 1, /none\.jsonl cannot be read/],
    [['trace', 'other.json'], 1, /no recording/],
  ])('%j ends with %i', async (args, code, message) => {
    tenon.put('other.json', '{}');
    const ran = await tenon.run(...args);
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(message);
  });
});
