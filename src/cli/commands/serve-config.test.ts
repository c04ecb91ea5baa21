import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { listedServer, outcomeOf, useCommand } from '../../../test/fixtures/command.ts';
import { type ModelEndpoint, startModelEndpoint } from '../../../test/fixtures/model-endpoint.ts';
import { readProcesses } from '../../channels/child-processes.ts';
import { type Client, connect, http } from '../../entries/client.ts';
import { stdio } from '../../entries/stdio.ts';

const tenon = useCommand();
let model: ModelEndpoint | undefined;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await model?.close();
  model = undefined;
});

const consensus = {
  models: { default: { model: 'm', baseUrl: 'http://localhost:1/v1' } },
  patterns: { consensus: true },
};
const names = async (client: Client): Promise<string[]> =>
  (await client.tools().all()).map(({ name }) => name);

/** Starts it over HTTP and waits until it says all that it says at the start. */
async function serve(args: readonly string[], environment: Readonly<Record<string, string>> = {}, lines = 1) {
  const child = tenon.start(['serve', ...args], environment);
  closers.push(() => end(child, 'SIGKILL'));
  if (!child.stderr) throw new Error('no stderr');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (said.length === lines) break;
  }
  child.stderr.resume();
  const [url = ''] = /http:\S+\/mcp/.exec(said[0] ?? '') ?? [];
  return { child, said, url };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const closed = once(child, 'close');
  child.kill(signal);
  return ((await closed) as [number | null])[0];
}

async function open(target: Parameters<typeof connect>[0]): Promise<Client> {
  const client = await connect(target);
  closers.push(() => client.close());
  return client;
}

const childrenOf = (child: ChildProcess): number[] =>
  (readProcesses() ?? []).filter(({ parent }) => parent === child.pid).map(({ pid }) => pid);

describe('tenon serve with a configuration', () => {
  it('says at the start what is served, where, and which tools of which servers may be used', async () => {
    tenon.put('a.json', {
      models: { default: { model: 'anthropic:large', apiKey: `$\{KEY}` } },
      mcpServers: {
        shop: { command: '/opt/shop/server', args: ['--key', `$\{KEY}`] },
        web: { url: 'https://a.example/mcp?key=hidden' },
        idle: { command: 'nothing' },
      },
      tools: {
        shop: { allow: ['order', 'list_*'], rules: { order: { approval: 'ask' } } },
        web: { allow: ['*'], readOnly: false },
      },
      budgets: { call: { calls: 12 }, process: { tokens: 4_000_000 } },
      patterns: { react_loop: true },
      agents: { clerk: { description: 'Orders.' } },
    });
    const { said } = await serve(['a.json', '--http'], { KEY: 'sk-hidden-key' }, 6);
    expect(said).toEqual([
      expect.stringMatching(/^tenon \S+ serves react_loop and clerk at http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      expect.stringMatching(/^ {2}by .*[\\/]work[\\/]a\.json$/),
      '  model default: anthropic:large',
      '  server shop (server): order (ask), list_*',
      '  server web (https://a.example): *; also what writes',
      '  budgets: a call calls 12; the process tokens 4,000,000',
    ]);
    expect(said.join('\n')).not.toContain('hidden');
  });

  it('takes tenon.config.json of this folder when no file is named', async () => {
    tenon.put('tenon.config.json', `// with a comment\n${JSON.stringify({ ...consensus, name: 'votes' })}`);
    const client = await open(stdio({ command: 'sh', args: ['-c', tenon.shellLine(['serve'])] }));
    expect(await names(client)).toEqual(['consensus']);
    expect(client.server).toMatchObject({ name: 'votes' });
  });

  it('serves the two patterns over HTTP where there is no file', async () => {
    const { url, said } = await serve(['--http', '127.0.0.1:0']);
    expect(said[0]).toMatch(/serves consensus and react_loop at http.*calls will fail until this is mended/);
    expect(await names(await open(http(url)))).toEqual(['consensus', 'react_loop']);
  });

  it.each([
    ['its client leaves', (child: ChildProcess) => child.stdin?.end()],
    ['Ctrl-C comes', (child: ChildProcess) => child.kill('SIGINT')],
    ['it is told to end', (child: ChildProcess) => child.kill('SIGTERM')],
  ])('ends with 0, and what it started with it, when %s over stdio', async (_when, leave) => {
    const { child, call } = await startShop();
    await call;
    const behind = childrenOf(child);
    expect(behind).toHaveLength(1);
    const closed = once(child, 'close');
    leave(child);
    expect((await closed)[0]).toBe(0);
    expect((readProcesses() ?? []).filter(({ pid }) => behind.includes(pid))).toEqual([]);
  });
});

describe('tenon serve --record', () => {
  it('writes what the servers are told and answer', async () => {
    const { child, call } = await startShop('--record', 'talk.jsonl');
    await call;
    await end(child, 'SIGTERM');
    const { code, out } = await tenon.run('trace', 'talk.jsonl');
    expect(code).toBe(0);
    expect(out).toMatch(/server shop .*request → tools\/list/s);
  });
});

/** The command with a server behind it that a first call has started. */
async function startShop(...more: readonly string[]) {
  tenon.put('tools.json', { tools: [{ name: 'list_items', inputSchema: { type: 'object' } }] });
  const [command, ...args] = [...listedServer, `${tenon.folder}/tools.json`];
  tenon.put('a.json', {
    models: { default: { model: 'm', baseUrl: `$\{TENON_BASE_URL}` } },
    mcpServers: { shop: { command, args } },
    tools: { shop: { allow: ['list_items'] } },
    patterns: { react_loop: true },
  });
  model = await startModelEndpoint('done');
  const child = tenon.start(['serve', 'a.json', ...more], model.environment);
  closers.push(() => end(child, 'SIGKILL'));
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout) throw new Error('no streams');
  stderr?.resume();
  const say = (message: object): boolean =>
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines = createInterface({ input: stdout });
  const clientInfo = { name: 'c', version: '1' };
  say({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: 'any', capabilities: {}, clientInfo },
  });
  await once(lines, 'line');
  say({ method: 'notifications/initialized' });
  const call = (async () => {
    for await (const line of lines) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: object };
      if (id === 2) return expect(result).toMatchObject({ structuredContent: { answer: 'done' } });
    }
    throw new Error('no answer');
  })();
  say({ id: 2, method: 'tools/call', params: { name: 'react_loop', arguments: { prompt: 'x' } } });
  return { child, call };
}

describe('tenon serve over HTTP', () => {
  it('lets in on any address those who send the token, which may stand in any variable', async () => {
    tenon.put('tenon.config.json', consensus);
    const place = ['--http', '0.0.0.0:0', '--token-env', 'ENTRY'];
    const { url, said } = await serve(place, { ENTRY: 'open-sesame-open-sesame' });
    expect(said[0]).toMatch(
      /\/mcp, and at every other address of this machine, for callers that send the token$/,
    );
    await expect(open(http(url))).rejects.toThrow(/401/);
    const headers = { authorization: 'Bearer open-sesame-open-sesame' };
    expect(await names(await open(http(url, { headers })))).toEqual(['consensus']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends in order at %s with %i', async (signal, code) => {
    const { child } = await serve(['--http']);
    expect(await end(child, signal)).toBe(code);
  });

  it('fails when the port is taken, and says so', async () => {
    const { url } = await serve(['--http']);
    const { code, err } = await tenon.run('serve', '--http', new URL(url).host);
    expect([code, err]).toEqual([1, expect.stringMatching(/cannot listen on 127.*choose another port/s)]);
  });
});

describe('tenon serve refuses', () => {
  it.each([
    [['--http', '0.0.0.0:8080'], /^tenon: 0\.0\.0\.0 can be reached by others: set TENON_TOKEN to what/],
    [['a.json', '--http', 'box.example:80'], /box\.example can be reached by others/],
    [['--http', '[::]:80', '--token-env', 'ENTRY'], /--token-env names the variable ENTRY, which is not set/],
    [['--token-env', 'ENTRY'], /--token-env goes with --http/],
    [['--http', 'localhost:99999'], /--http takes an address/],
    [['--http', 'a.json', 'b.json'], /--http takes no file as address/],
    [['a.json', 'b.json'], /"b\.json" is a word too many/],
    [['--json'], /--json goes with --check/],
    [['--check'], /nothing to check: there is no tenon\.config\.json/],
    [['missing.json'], /missing\.json cannot be served:\n {2}there is no such file\n$/],
  ])('%j', async (args, reason) => {
    tenon.put('a.json', consensus);
    const { code, out, err } = await tenon.run('serve', ...args);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(reason)]);
  });

  it('a token that no caller could send', async () => {
    const ran = await outcomeOf(tenon.start(['serve', '--http'], { TENON_TOKEN: 'two words' }));
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(/TENON_TOKEN must not hold blanks/)]);
    expect(ran.err).not.toContain('two words');
  });

  it('a faulty file, each fault on a line with its field and what mends it', async () => {
    tenon.put('a.json', {
      models: { default: { model: 'm', apiKey: 'sk-pasted' } },
      mcpServers: { shop: { command: `$\{SHOP}` } },
      tools: { shop: { allow: ['*'] } },
      patterns: { consensus: true },
    });
    const { code, out, err } = await tenon.run('serve', 'a.json');
    expect([code, out]).toEqual([2, '']);
    const [head, ...lines] = err.trimEnd().split('\n');
    expect(head).toMatch(/^tenon: .*a\.json cannot be served:$/);
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}models\.default\.apiKey: must name the variable that holds the key/),
      expect.stringMatching(/^ {2}tools\.shop\.allow\[0\]: takes in tools that nobody named; name them/),
      expect.stringMatching(/^ {2}mcpServers\.shop\.command: names the variable SHOP, which is not set; set/),
    ]);
    expect(err).not.toContain('sk-pasted');
  });

  it('a model that cannot be made, in the words of the file', async () => {
    tenon.put('a.json', { models: { big: { model: 'llama' } }, patterns: { consensus: true } });
    const { code, err } = await tenon.run('serve', 'a.json');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/\n {2}models\.big: "baseUrl" is not set.*Set "model"/),
    ]);
    expect(err).not.toContain('TENON_');
  });

  it('a file that is no JSON, with the line', async () => {
    tenon.put('tenon.config.json', '{\n  "patterns": [}');
    const { code, err } = await tenon.run('serve');
    expect([code, err]).toEqual([2, expect.stringMatching(/\n {2}line 2: expected a value/)]);
  });
});

describe('tenon serve --check', () => {
  it('says what would be served, and starts nothing', async () => {
    tenon.put('tenon.config.json', {
      ...consensus,
      mcpServers: { shop: { command: 'there-is-no-such-program' } },
      tools: { shop: { allow: ['order'] } },
    });
    const { code, out, err } = await tenon.run('serve', '--check');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /tenon\.config\.json can be served: consensus\n {2}model default: .*\n {2}server shop/,
    );
  });

  it('gives the faults as JSON', async () => {
    tenon.put('a.json', { patterns: { consensus: { maxSample: 3 } } });
    const { code, out } = await tenon.run('serve', 'a.json', '--check', '--json');
    expect(code).toBe(2);
    const { errors, ...rest } = JSON.parse(out) as { errors: { path: string }[] };
    expect(rest).toEqual({ file: expect.stringMatching(/a\.json$/), ok: false, serves: [] });
    expect(errors[0]?.path).toContain('patterns.consensus');
  });

  it('gives what would be served as JSON', async () => {
    tenon.put('a.json', consensus);
    const { code, out } = await tenon.run('serve', 'a.json', '--check', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([0, { ok: true, serves: ['consensus'], errors: [] }]);
  });
});
