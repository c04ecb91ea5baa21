import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oddServer, outcomeOf, useCommand } from '../../../test/fixtures/command.ts';
import { type Prepared, setUps } from '../../../test/fixtures/doctor/set-ups.ts';
import { ScriptedHttp } from '../../../test/fixtures/http/scripted-http.ts';
import { processOf, remaining } from '../../../test/fixtures/stdio/servers.ts';
import { serveHttp } from '../../entries/node.ts';
import { Server } from '../../server/server.ts';
import { tool } from '../../tools/tool.ts';
import type { DoctorReport, Finding, StepReport } from './doctor/report.ts';

const tenon = useCommand();

const [node = '', script = ''] = oddServer;
const odd = (...args: string[]): object => ({ command: node, args: [script, ...args] });

async function examine({
  args,
  environment = {},
}: Prepared): Promise<{ code: number | null; report: DoctorReport }> {
  const { code, out, err } = await outcomeOf(tenon.start(['doctor', ...args, '--json'], environment));
  expect(err).toBe('');
  return { code, report: JSON.parse(out) as DoctorReport };
}

function stepsOf({ environment, servers }: DoctorReport): StepReport[] {
  return [...environment, ...servers.flatMap(({ steps }) => steps)];
}

function findingsOf(report: DoctorReport): Finding[] {
  return stepsOf(report).flatMap(({ findings }) => findings);
}

describe('tenon doctor names cause and remedy of', () => {
  for (const { name, code, cause, remedy, possible = () => true, prepare } of setUps) {
    it.skipIf(!possible())(name, async () => {
      const prepared = await prepare(tenon);
      try {
        const { code: exit, report } = await examine(prepared);
        expect(findingsOf(report)).toEqual([
          { code, cause: expect.stringMatching(cause), remedy: expect.stringMatching(remedy) },
        ]);
        expect([exit, report.ok]).toEqual([1, false]);
      } finally {
        await prepared.close?.();
      }
    });
  }
});

describe('tenon doctor', () => {
  it('says of a server over stdio that is well what happens, step by step, and ends with 0', async () => {
    const { code, out, err } = await tenon.run('doctor', '--', ...oddServer, 'ordinary');
    expect([code, err]).toEqual([0, '']);
    const steps = [...out.matchAll(/^ {2}ok {6}([a-z ]+?) {2,}[\d,]+ ms/gm)].map(([, step]) => step);
    expect(steps).toEqual([
      ...[
        'config',
        'command',
        'start',
        'first bytes',
        'protocol',
        'capabilities',
        'lists',
        'schemas',
        'close',
      ],
    ]);
    expect(out).toMatch(/protocol .* odd-server 1\.0\.0\n +speaking revision \d{4}-\d\d-\d\d \(/);
    expect(out).toMatch(/lists .* 2 tools\n/);
    expect(out).toMatch(/gemini: 2 offered, about \d+ tokens/);
    expect(out).toMatch(/\nAll is well\.\n$/);
    expect(out).not.toContain('\u001b');
  });

  it('says of a server at a URL how it was reached, and gives the report as data', async () => {
    const add = tool({ name: 'add', description: 'Adds.', run: () => 'x' });
    const service = await serveHttp(new Server({ name: 'web', version: '2.0.0', tools: [add] }), { port: 0 });
    try {
      const { code, report } = await examine({ args: [service.url] });
      expect(code).toBe(0);
      expect(report).toMatchObject({ ok: true, environment: [] });
      expect(report.servers).toMatchObject([
        { ok: true, server: { name: 'web', version: '2.0.0' }, era: 'stateless', stderr: [] },
      ]);
      expect(stepsOf(report).map(({ step }) => step)).toEqual([
        ...['config', 'reach', 'protocol', 'capabilities', 'lists', 'schemas', 'close'],
      ]);
      expect(stepsOf(report)[1]?.details).toEqual(['status 200 to the first request']);
      for (const { ms } of stepsOf(report)) expect(ms).toBeGreaterThanOrEqual(0);
    } finally {
      await service.close();
    }
  });

  it('without a server looks at all that are configured, each name once, and at what is around them', async () => {
    tenon.put('.mcp.json', { mcpServers: { well: odd('ordinary'), ill: odd('dies-at-start') } });
    tenon.put('~/.cursor/mcp.json', {
      mcpServers: { ill: odd('ordinary'), far: { command: 'no-such-server' } },
    });
    tenon.put('.vscode/mcp.json', '{\n  "servers": [}');
    const environment = {
      TENON_BASE_URL: 'http://127.0.0.1:9/v1',
      TENON_MODEL: 'some',
      TENON_API_KEY: 'sk-abcdefgh',
    };
    const { code, report } = await examine({ args: [], environment });
    expect(code).toBe(1);
    expect(report.servers.map(({ name, ok }) => [name, ok])).toEqual([
      ['well', true],
      ['ill', false],
      ['far', false],
    ]);
    expect(report.environment.map(({ step, outcome }) => [step, outcome])).toEqual([
      ['node', 'ok'],
      ['config', 'wrong'],
      ['model', 'ok'],
      ['address', 'wrong'],
    ]);
    expect(findingsOf(report).map(each => each.code)).toEqual([
      ...['bad-config-file', 'model-unreachable', 'key-missing', 'command-not-found'],
    ]);
    expect(JSON.stringify(report)).not.toContain('abcdefgh');
  });

  it('says on a screen what is wrong with which, under the step that failed', async () => {
    tenon.put('.mcp.json', { mcpServers: { well: odd('ordinary'), ill: odd('dies-at-start', '9') } });
    const { code, out } = await tenon.run('doctor');
    expect(code).toBe(1);
    expect(out).toMatch(/^environment\n {2}ok {6}node /);
    expect(out).toMatch(/model .* none is set by TENON_BASE_URL, TENON_MODEL, TENON_API_KEY/);
    expect(out).toMatch(
      /\nill \(.*\.mcp\.json\)\n[\s\S]* {2}failed {2}first bytes .*\n {10}cause: .*API_KEY missing"\n {10}remedy: Put API_KEY/,
    );
    expect(out).toMatch(/its last lines on stderr:\n {4}xxxxxxxxx\n {4}FATAL: API_KEY missing\n/);
    expect(out).toMatch(/Something is wrong with: ill\.\n$/);
  });

  it('with no server configured looks at what is around, and is well', async () => {
    const { code, report } = await examine({ args: [] });
    expect(code).toBe(0);
    expect(report.servers).toEqual([]);
    expect(report.environment[1]?.details).toEqual(['0 servers']);
  });

  it('does not let a server or a configuration steer the terminal, as text or as data', async () => {
    const bad = '\u001b]0;title\u0007\u001b[31mred\u202e\u009b2J';
    const code = `process.stderr.write(${JSON.stringify(`${bad}\nFATAL ${bad}\n`)}, () => process.exit(3))`;
    tenon.put('.mcp.json', { mcpServers: { [`n${bad}`]: { command: node, args: ['-e', code] } } });
    for (const format of [[], ['--json']]) {
      const { out } = await tenon.run('doctor', ...format);
      expect(out).toContain('red');
      expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    }
  });

  it('never shows a secret: of the environment, of an entry, of a header, of a URL', async () => {
    const secrets = [
      'hunter2hunter2',
      'topsecret99',
      'tok_en_abc123',
      'passw0rdpass',
      'querysecret',
      'argum3nt',
    ];
    const [variable = '', header = '', bearer = '', password = '', query = ''] = secrets;
    const repeat = await new ScriptedHttp(visit => {
      visit.reply(403, `no: ${JSON.stringify(visit.headers)} ${visit.path} ${password} ${query}`);
    }).start();
    const code =
      'console.log("env", process.env.PLAIN); console.error("FATAL", process.env.PLAIN, process.argv); process.exit(2)';
    const { port } = new URL(repeat.origin);
    tenon.put('.mcp.json', {
      mcpServers: {
        child: { command: node, args: ['-e', code, '--', '--token', secrets[5]], env: { PLAIN: variable } },
        web: {
          url: `http://me:${password}@127.0.0.1:${port}/mcp?q=${query}`,
          headers: { 'X-Own': header, Authorization: `Bearer ${bearer}` },
        },
      },
    });
    try {
      for (const format of [[], ['--json']]) {
        const { code: exit, out, err } = await tenon.run('doctor', ...format);
        expect(exit).toBe(1);
        expect(out).toMatch(/FATAL \*\*\*/);
        expect(out).toMatch(/forbidden|refuses/);
        for (const secret of secrets) expect(out + err).not.toContain(secret);
      }
    } finally {
      await repeat.close();
    }
  });

  it('shows the folder that it stands in, which a shell keeps in PWD', async () => {
    const args = ['doctor', '--', node, join(tenon.folder, 'none.mjs')];
    const { out } = await outcomeOf(tenon.start(args, { PWD: tenon.folder, OLDPWD: tenon.folder }));
    expect(out).toContain(`Cannot find module '${tenon.folder}`);
    expect(out).not.toContain('***');
  });

  it('says of a folder in place of a file that it is one, and of a slip which name was meant', async () => {
    tenon.put('.mcp.json/x', '');
    tenon.put('mcp.json', { mcpServer: { here: odd('ordinary') } });
    const { report } = await examine({ args: [] });
    expect(findingsOf(report).map(({ cause, remedy }) => [cause, remedy])).toEqual([
      [
        expect.stringMatching(/\.mcp\.json cannot be read: it is a folder/),
        expect.not.stringContaining('line'),
      ],
      [
        expect.stringMatching(/has "mcpServer"; did you mean "mcpServers"\?$/),
        expect.stringContaining('Correct'),
      ],
    ]);
  });

  it('looks on where a list is refused, and at what can be mended', async () => {
    tenon.put('.mcp.json', { mcpServers: { refuses: odd('list-refused'), bare: odd('tool-no-schema') } });
    const { code, report } = await examine({ args: [] });
    expect(code).toBe(1);
    expect(findingsOf(report)).toMatchObject([
      { code: 'list-refused', cause: expect.stringMatching(/offers tools and refuses to list them/) },
      {
        code: 'bad-schema',
        cause: expect.stringMatching(/"odd" is used without or with a mended inputSchema/),
      },
    ]);
    for (const { steps } of report.servers)
      expect(steps.at(-1)).toMatchObject({ step: 'close', outcome: 'ok' });
  });

  it('says how a server ended that did not outlive a list', async () => {
    tenon.put('.mcp.json', { mcpServers: { it: odd('dies-on-list') } });
    const { report } = await examine({ args: ['it'] });
    expect(report.servers[0]?.steps.find(({ outcome }) => outcome === 'failed')?.step).toBe('lists');
    expect(findingsOf(report)).toMatchObject([
      { code: 'ended', cause: expect.stringMatching(/code 4.*cannot list/) },
    ]);
    expect(report.servers[0]?.stderr).toEqual(['FATAL: cannot list']);
  });

  it('says field by field what is wrong with a configuration of what is served', async () => {
    const file = tenon.put('tenon.config.json', {
      mcpServers: { here: odd('ordinary') },
      tools: { elsewhere: { allow: ['*'] } },
      patterns: { react_loop: { tools: ['here__*'] }, consensus: 3 },
    });
    const { code, report } = await examine({ args: [] });
    expect(code).toBe(1);
    expect(report.servers.map(({ name, ok }) => [name, ok])).toEqual([['here', true]]);
    const serving = report.environment.find(({ step }) => step === 'serving');
    expect(serving).toMatchObject({ outcome: 'wrong', details: [file] });
    expect(serving?.findings[0]?.cause).toContain('patterns.consensus');
  });

  it.each([
    [['one', 'two'], /takes one word at most/],
    [['x', '--', 'node'], /takes one server: "x"/],
    [['none'], /there is no server "none"/],
    [['http://'], /"http:\/\/" is no URL/],
    [['--config', 'none.json'], /--config: there is no file/],
    [['--protocol', '1999-01-01'], /--protocol must be one of .*, got "1999-01-01"/],
    [['--port', '99999'], /--port must be a port from 1 to 65535/],
    [['--timeout', '-1'], /timeout/],
  ])('%j is wrong use', async (args, reason) => {
    const { code, out, err } = await tenon.run('doctor', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(reason);
  });
});

describe('Ctrl-C', () => {
  it('ends the check-up and the server that is looked at', async () => {
    const desk = await new ScriptedHttp(visit => visit.reply(200)).start();
    const code = `fetch('${desk.origin}/' + process.pid); setInterval(() => {}, 1e6); process.stdin.resume()`;
    tenon.put('.mcp.json', {
      mcpServers: { still: { command: node, args: ['-e', code] }, next: odd('ordinary') },
    });
    try {
      const child = tenon.start(['doctor']);
      const ended = outcomeOf(child);
      const { path } = await desk.visit(0);
      const server = processOf(Number(path.slice(1)));
      expect(server).toBeDefined();
      child.kill('SIGINT');
      const { code: exit, out } = await ended;
      expect(exit).toBe(130);
      expect(out).not.toContain('next');
      expect(await remaining([server])).toEqual([]);
    } finally {
      await desk.close();
    }
  });
});
