import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { listedServer, useCommand } from '../../../test/fixtures/command.ts';
import {
  type Answer,
  type ModelEndpoint,
  startModelEndpoint,
} from '../../../test/fixtures/model-endpoint.ts';
import { readProcesses } from '../../channels/child-processes.ts';
import { type Client, connect, http } from '../../entries/client.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import { Turnover } from './serve/turnover.ts';

const tenon = useCommand();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A configuration that serves one agent of that name. */
const withAgent = (name: string): object => ({
  models: { default: { model: 'm', baseUrl: 'http://localhost:1/v1' } },
  agents: { [name]: { description: 'Works.' } },
});

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  /** All that was said on stderr. */
  readonly said: readonly string[];
  /** The next line that fits. */
  says(pattern: RegExp): Promise<string>;
}

async function serve(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const child = tenon.start(['serve', '--http', '--watch', ...args], environment);
  closers.push(() => end(child, 'SIGKILL'));
  const said: string[] = [];
  let read = 0;
  let heard: () => void = () => {};
  const lines = createInterface({ input: child.stderr ?? expect.unreachable() });
  lines.on('line', line => {
    said.push(line);
    heard();
  });
  const says = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const line = said[read];
      if (line === undefined) {
        await new Promise<void>(resolve => {
          heard = resolve;
        });
      } else {
        read += 1;
        if (pattern.test(line)) return line;
      }
    }
  };
  const [url = ''] = /http:\S+\/mcp/.exec(await says(/ serves .*\/mcp/)) ?? [];
  return { child, url, said, says };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const closed = once(child, 'close');
  child.kill(signal);
  return ((await closed) as [number | null])[0];
}

async function open(url: string): Promise<Client> {
  const client = await connect(http(url));
  closers.push(() => client.close());
  return client;
}

const names = async (client: Client): Promise<string[]> =>
  (await client.tools().all()).map(({ name }) => name);

const childrenOf = (child: ChildProcess): number[] =>
  (readProcesses() ?? []).filter(({ parent }) => parent === child.pid).map(({ pid }) => pid);

describe('tenon serve --watch', () => {
  it('takes over each change once, however an editor writes it', async () => {
    const file = tenon.put('a.json', withAgent('first'));
    const text = (name: string): string => JSON.stringify(withAgent(name));
    const writes: readonly (readonly [name: string, write: (text: string) => void])[] = [
      ['overwritten', all => writeFileSync(file, all)],
      [
        'replaced',
        all => {
          writeFileSync(`${file}~`, all);
          renameSync(`${file}~`, file);
        },
      ],
      [
        'removed_and_made_anew',
        all => {
          renameSync(file, `${file}~`);
          writeFileSync(file, all);
          rmSync(`${file}~`);
        },
      ],
      [
        'written_in_pieces',
        all => {
          writeFileSync(file, '');
          for (let at = 0; at < all.length; at += 20)
            writeFileSync(file, all.slice(at, at + 20), { flag: 'a' });
        },
      ],
      [
        'linked_elsewhere',
        all => {
          const other = tenon.put('elsewhere/other.json', all);
          rmSync(file);
          symlinkSync(other, file);
        },
      ],
    ];
    const { says, said } = await serve(['a.json']);
    for (const [name, write] of writes) {
      write(text(name));
      await says(new RegExp(`took over .*a\\.json: serves ${name}$`));
      // The same text again is no change.
      writeFileSync(file, readFileSync(file));
    }
    writeFileSync(file, text('last'));
    await says(/serves last$/);
    expect(
      said.filter(line => line.includes('took over')).map(line => line.replace(/.* serves /, '')),
    ).toEqual([...writes.map(([name]) => name), 'last']);
  });

  it('tells connected clients, which then see what is served now', async () => {
    tenon.put('a.json', withAgent('before'));
    const { url } = await serve(['a.json']);
    const client = await open(url);
    expect(await names(client)).toEqual(['before']);
    const stop = new AbortController();
    const changes = client.watch({ tools: true }, { signal: stop.signal })[Symbol.asyncIterator]();
    const next = changes.next();
    tenon.put('a.json', withAgent('after'));
    expect(await next).toMatchObject({ value: { kind: 'tools' } });
    stop.abort();
    expect(await names(client)).toEqual(['after']);
  });

  it('goes on with what it served when the new file is faulty or gone, and says why', async () => {
    const file = tenon.put('a.json', withAgent('good'));
    const { url, says } = await serve(['a.json']);
    const client = await open(url);
    tenon.put('a.json', '{ "agents": [ }');
    expect(await says(/what was served goes on/)).toMatch(/a\.json cannot be served:$/);
    expect(await says(/^ {2}/)).toMatch(/line 1: expected a value/);
    tenon.put('a.json', { ...withAgent('good'), budget: {} });
    await says(/what was served goes on/);
    expect(await says(/^ {2}/)).toMatch(/budget/);
    rmSync(file);
    await says(/what was served goes on; .*a\.json is not there any more$/);
    expect(await names(client)).toEqual(['good']);
    tenon.put('a.json', { ...withAgent('better'), name: 'other' });
    await says(/serves better$/);
    await says(/its name and instructions are told to clients after the next start/);
    expect(await names(client)).toEqual(['better']);
  });

  it('takes over the usual file when it comes to be', async () => {
    const { says, url } = await serve([]);
    const client = await open(url);
    expect(await names(client)).toEqual(['consensus', 'react_loop']);
    tenon.put('tenon.config.json', withAgent('new'));
    await says(/took over .*tenon\.config\.json: serves new$/);
    expect(await names(client)).toEqual(['new']);
  });

  it('keeps the connections to servers that did not change, and ends the others', async () => {
    const { serving, servers, config } = await startWithServers('done', 'done again');
    const client = await open(serving.url);
    await client.call('react_loop', { prompt: 'x' });
    const before = childrenOf(serving.child);
    expect(before).toHaveLength(2);
    tenon.put('a.json', config({ kept: servers.kept }));
    await serving.says(/took over/);
    await serving.says(/closed other: not used any more/);
    const [left, ...more] = childrenOf(serving.child);
    expect(more).toEqual([]);
    expect(before).toContain(left);
    const { structuredContent } = await client.call('react_loop', { prompt: 'x' });
    expect(structuredContent).toMatchObject({ answer: 'done again' });
    expect(childrenOf(serving.child)).toEqual([left]);
    expect(await end(serving.child, 'SIGINT')).toBe(130);
    expect((readProcesses() ?? []).filter(({ pid }) => before.includes(pid))).toEqual([]);
  });

  it('lets a call that runs end with what it began with, and its servers after it', async () => {
    let release: (value?: unknown) => void = () => {};
    const after = new Promise(resolve => {
      release = resolve;
    });
    const { serving, model } = await startWithServers(
      { tool: 'other__list_items', arguments: {}, after },
      'it was called',
    );
    const client = await open(serving.url);
    const call = client.call('react_loop', { prompt: 'x' });
    await model.asked(1);
    tenon.put('a.json', withAgent('clerk'));
    await serving.says(/serves clerk$/);
    expect(childrenOf(serving.child)).toHaveLength(2);
    release();
    expect((await call).structuredContent).toMatchObject({ answer: 'it was called', toolCalls: 1 });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Method not found'),
    });
    await serving.says(/closed kept, other: not used any more/);
    expect(childrenOf(serving.child)).toEqual([]);
  });

  it('ends when its client leaves over stdio', async () => {
    tenon.put('a.json', withAgent('clerk'));
    expect(await tenon.run('serve', 'a.json', '--watch')).toMatchObject({ code: 0, out: '' });
  });

  it.each([
    [['--check', '--watch'], /--watch goes without --check/],
    [['--watch', 'missing.json'], /there is no such file/],
  ])('%j is wrong use', async (args, reason) => {
    const { code, err } = await tenon.run('serve', ...args);
    expect([code, err]).toEqual([2, expect.stringMatching(reason)]);
  });
});

/** Serves a loop that may use two servers, which its first call starts. */
async function startWithServers(...answers: readonly Answer[]) {
  const file = tenon.put('tools.json', { tools: [{ name: 'list_items', inputSchema: { type: 'object' } }] });
  const [command, ...args] = [...listedServer, file];
  const servers = { kept: { command, args }, other: { command, args } };
  const config = (mcpServers: Readonly<Record<string, object>>): object => ({
    models: { default: { model: 'm', baseUrl: `$\{TENON_BASE_URL}` } },
    mcpServers,
    tools: Object.fromEntries(Object.keys(mcpServers).map(name => [name, { allow: ['list_items'] }])),
    patterns: { react_loop: true },
  });
  tenon.put('a.json', config(servers));
  const model: ModelEndpoint = await startModelEndpoint(...answers);
  closers.push(() => model.close());
  return { serving: await serve(['a.json'], model.environment), servers, config, model };
}

describe('what takes the place of what is served', () => {
  const offered = (name: string, closed: string[]) => ({
    about: { name: 'x', instructions: '' },
    tools: [tool({ name, description: 'Works.', input: { type: 'object' }, run: () => name }) as Tool],
    note: '',
    lines: [],
    close: async () => void closed.push(name),
  });

  it('closes what was before at once when no call of it runs, and all at the end', async () => {
    const closed: string[] = [];
    const left: number[] = [];
    const turnover = new Turnover(async others => void left.push(others.length));
    turnover.begin(offered('one', closed));
    turnover.begin(offered('two', closed));
    turnover.endBefore();
    await turnover.drop(offered('none', closed));
    expect(closed).toEqual(['one']);
    await turnover.close();
    expect(closed).toEqual(['one', 'two']);
    expect(left).toEqual([1, 0]);
  });
});
