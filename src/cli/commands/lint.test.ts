import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listedServer, oddServer, outcomeOf, useCommand } from '../../../test/fixtures/command.ts';
import { processOf, remaining } from '../../../test/fixtures/stdio/servers.ts';
import { serveHttp } from '../../entries/node.ts';
import { Server } from '../../server/server.ts';
import { tool } from '../../tools/tool.ts';

const tenon = useCommand();

const good = { name: 'good', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } };
const bad = {
  name: 'bad',
  inputSchema: { type: 'object', properties: { a: { $ref: 'https://elsewhere.example/a.json' } } },
};
const long = { name: 'a name '.repeat(20), inputSchema: { type: 'object' } };

describe('tenon lint', () => {
  it('reports a server behind a command line, family by family, and ends with 0 when nothing is dropped', async () => {
    const { code, out, err } = await tenon.run('lint', '--', ...oddServer, 'ordinary');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^odd-server 1\.0\.0: 2 tools\n/);
    for (const family of ['openai-strict', 'openai', 'anthropic', 'gemini', 'generic']) {
      expect(out).toMatch(new RegExp(`^${family}: 2 offered, 0 dropped, about \\d+ tokens$`, 'm'));
    }
    expect(out).not.toContain('\u001b');
  });

  it('reports a server at a URL', async () => {
    const add = tool({ name: 'add', description: 'Adds.', run: () => 'x' });
    const service = await serveHttp(new Server({ name: 'web', version: '2.0.0', tools: [add] }), { port: 0 });
    try {
      const { code, out } = await tenon.run('lint', service.url, '--family', 'gemini');
      expect([code, out.split('\n')[0]]).toEqual([0, 'web 2.0.0: 1 tool']);
      expect(out.match(/offered/g)).toHaveLength(1);
    } finally {
      await service.close();
    }
  });

  it('names each tool that is dropped, why, and ends with 1', async () => {
    tenon.put('tools.json', [good, bad, long]);
    const { code, out } = await tenon.run('lint', '--file', 'tools.json', '--family', 'anthropic,openai');
    expect(code).toBe(1);
    expect(out).toMatch(/^tools: 3 tools\n/);
    expect(out).toMatch(/^openai: 2 offered, 1 dropped, 1 renamed, about/m);
    expect(out).toMatch(/^ {2}bad\n {4}dropped: .*elsewhere\.example/m);
    expect(out).toMatch(/^ {2}a name .*\n {4}called a_name_\S{1,58}: a name must/m);
    expect(out).not.toContain('  good');
    expect((await tenon.run('lint', '--file', tenon.put('one.json', { tools: [good] }))).code).toBe(0);
  });

  it('counts a tool as dropped that the list itself makes unusable', async () => {
    tenon.put('tools.json', {
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [good, good, { name: 'x', inputSchema: 3 }] },
    });
    const { code, out } = await tenon.run('lint', '--file', 'tools.json');
    expect(code).toBe(1);
    expect(out).toMatch(/note: tools\/list: a second tool named "good" was dropped/);
    expect(out).toMatch(/note: .*"x" is used without or with a mended inputSchema/);
  });

  it('prints the report as data', async () => {
    tenon.put('tools.json', [good, bad]);
    const { code, out } = await tenon.run(
      'lint',
      '--json',
      '--family=openai-strict',
      '--family=generic',
      '--file=tools.json',
    );
    expect(code).toBe(1);
    const report = JSON.parse(out) as { tools: object[] };
    expect(report).toMatchObject({
      name: 'tools',
      notes: [],
      families: [
        { family: 'openai-strict', offered: 1, dropped: 1, renamed: 0, tokens: expect.any(Number) },
        { family: 'generic', offered: 1, dropped: 1 },
      ],
    });
    expect(report.tools.map(each => [Reflect.get(each, 'tool'), Reflect.get(each, 'family')])).toEqual([
      ['good', 'openai-strict'],
      ['good', 'generic'],
      ['bad', 'openai-strict'],
      ['bad', 'generic'],
    ]);
    expect(report.tools[2]).toMatchObject({
      dropped: expect.stringContaining('elsewhere.example'),
      losses: [],
    });
  });

  it('does not let a server steer the terminal', async () => {
    tenon.put('tools.json', [
      { name: '\u001b]0;title\u0007\u001b[31mred\u202e', inputSchema: { $ref: 'http://\u001b[2J/' } },
    ]);
    const { out } = await tenon.run('lint', '--file', 'tools.json');
    expect(out).toContain('red');
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });

  it('finds servers by name, in this folder first, and fills in their variables', async () => {
    const [command, script] = oddServer;
    const entry = { command, args: [script, '$'.concat('{VARIANT:-ordinary}')] };
    tenon.put('.mcp.json', { mcpServers: { here: entry } });
    tenon.put('~/.cursor/mcp.json', '{ "mcpServers": { /* none */ } }');
    tenon.put('other.json', { servers: { there: entry } });
    expect(await tenon.run('lint', 'here')).toMatchObject({ code: 0, err: '' });
    expect(await tenon.run('lint', 'there', '--config', 'other.json')).toMatchObject({ code: 0, err: '' });
    const { code, err } = await tenon.run('lint', 'her');
    expect(code).toBe(2);
    expect(err).toBe('tenon: there is no server "her"; did you mean "here"?\nknown: here (this folder)\n');
  });

  it('says where a configuration is broken, and names server and field of a variable that is not set', async () => {
    const file = tenon.put('.mcp.json', '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}');
    const broken = await tenon.run('lint', 'a', '--config', '.mcp.json');
    expect(broken).toMatchObject({ code: 1, out: '' });
    expect(broken.err).toContain('.mcp.json cannot be read: line 3: expected a value, found "}"');
    tenon.put('.mcp.json', {
      mcpServers: { a: { url: 'http://localhost/', headers: { Auth: '$'.concat('{NONE}') } } },
    });
    const unset = await tenon.run('lint', 'a');
    expect(unset.code).toBe(1);
    expect(unset.err).toContain(
      `server "a" in ${file}: headers.Auth names the variable NONE, which is not set`,
    );
  });

  it.each([
    [[], /which server\? Give its name, its URL, or -- and its command\. See tenon lint --help/],
    [['x', '--', 'node'], /takes one server: "x", or what stands after --/],
    [['http://'], /"http:\/\/" is no URL/],
    [['x'], /there is no server "x"\nno configuration file names a server; give a URL/],
    [['x', '--config', 'none.json'], /--config: there is no file .*none\.json/],
    [['--file', 'a.json', 'x'], /takes a server or --file, not both/],
    [['x', '--family', 'gemni'], /there is no family "gemni"; did you mean "gemini"\?/],
    [['x', '--timeout', 'soon'], /--timeout must be seconds between 0 and 86,400, got "soon"/],
    [['x', '--timeout', '0'], /--timeout must be seconds/],
  ])('%j is wrong use', async (args, reason) => {
    const { code, out, err } = await tenon.run('lint', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(reason);
    expect(err).toMatch(/^tenon: /);
  });

  it.each([
    ['dies-at-start', /exit.*1[\s\S]*FATAL/],
    ['dies-on-list', /FATAL/],
  ])('says how a server that %s ended', async (variant, reason) => {
    const { code, out, err } = await tenon.run('lint', '--', ...oddServer, variant);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(reason);
    expect(err).not.toMatch(/ {4}at |stderrTail|inheritEnv/);
  });

  it('says what a configured server may be missing', async () => {
    const [command, script] = oddServer;
    tenon.put('.mcp.json', { mcpServers: { ill: { command, args: [script, 'dies-at-start'] } } });
    const { code, err } = await tenon.run('lint', 'ill');
    expect(code).toBe(1);
    expect(err).toMatch(/FATAL.*\n.*must stand in the "env" of its entry/);
  });

  it.each([
    [
      'a file that is not there',
      'none.json',
      2,
      /--file: .*none\.json cannot be read: there is no such file/,
    ],
    ['a file that holds no list', 'odd.json', 1, /odd\.json holds no list of tools\nIt must be an array/],
    ['a file that is no JSON', 'broken.json', 1, /broken\.json, line 2: expected/],
  ])('fails for %s', async (_about, file, exit, reason) => {
    tenon.put('odd.json', { tools: 'many' });
    tenon.put('broken.json', '{\n"tools" }');
    const { code, err } = await tenon.run('lint', '--file', file);
    expect(code).toBe(exit);
    expect(err).toMatch(reason);
  });

  it('gives up on a silent server when its time is over', async () => {
    const { code, err } = await tenon.run(
      'lint',
      '--timeout',
      '0.2',
      '--',
      ...oddServer,
      'everything-silent',
    );
    expect(code).toBe(1);
    expect(err).toMatch(/200 ms\n.*raise --timeout/);
    tenon.put('tools.json', { silent: 'tools/list' });
    const listing = await tenon.run('lint', '--timeout', '4', '--', ...listedServer, 'tools.json');
    expect(listing.code).toBe(1);
    expect(listing.err).toMatch(/tools\/list.*4,?000 ms/);
  });
});

describe('Ctrl-C', () => {
  it.each(['initialize', 'tools/list'])(
    'ends the command and a server that is silent on %s',
    async silent => {
      tenon.put('tools.json', { silent, tools: [] });
      let pid: string | null = null;
      const desk = createServer((request, response) => {
        pid = new URL(request.url ?? '', 'http://desk').searchParams.get('pid');
        response.end();
      }).listen(0, '127.0.0.1');
      try {
        await once(desk, 'listening');
        const { port } = desk.address() as AddressInfo;
        const child = tenon.start(['lint', '--', ...listedServer, 'tools.json', `http://127.0.0.1:${port}`]);
        const ended = outcomeOf(child);
        await once(desk, 'request');
        const server = processOf(Number(pid));
        expect(server).toBeDefined();
        child.kill('SIGINT');
        expect(await ended).toEqual({ code: 130, out: '', err: '' });
        expect(await remaining([server])).toEqual([]);
      } finally {
        desk.close();
      }
    },
  );
});
