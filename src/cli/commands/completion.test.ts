import { spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listedServer, useCommand } from '../../../test/fixtures/command.ts';
import { hasTmux, ScreenUnderTest } from '../../../test/fixtures/screen.ts';
import { commands } from '../command-table.ts';
import { optionsIn, wordsIn } from './completion/read-help.ts';
import { afterBreaks, splitLine } from './completion/split-line.ts';

const tenon = useCommand();

beforeEach(() => {
  const order = {
    name: 'order',
    inputSchema: { type: 'object', properties: { dish: {}, size: {} } },
  };
  const evil = { name: '$(touch here)', inputSchema: { type: 'object' } };
  tenon.put('tools.json', { tools: [order, { name: 'open', inputSchema: { type: 'object' } }, evil] });
  const [command, ...args] = [...listedServer, join(tenon.folder, 'tools.json')];
  tenon.put('.mcp.json', {
    mcpServers: { kitchen: { command, args }, 'my cellar': { url: 'http://localhost:1/mcp' } },
  });
});

/** What is offered, without what is said of it. */
async function offered(...args: string[]): Promise<string[]> {
  const { code, out } = await tenon.run('completion', ...args);
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .map(line => line.split('\t')[0] ?? '');
}

describe('tenon completion', () => {
  it.each([
    ['tenon ca', ['call']],
    ['tenon --v', ['--version']],
    ['tenon nothing ', []],
    ['tenon call ', ['kitchen', 'my cellar']],
    ['tenon call "my', ['my cellar']],
    ['tenon call --config tenon.json k', []],
    ['tenon call --conf', ['--config']],
    ['tenon call kitchen ', []],
    ['tenon run -s k', ['kitchen']],
    ['tenon run "a prompt" --server=k', ['--server=kitchen']],
    ['tenon chat --y', ['--yes']],
    ['tenon completion ', ['bash', 'zsh', 'fish']],
    ['tenon trace run.jsonl ', []],
  ])('offers for %j %j', async (line, values) => {
    expect(await offered('--line', line)).toEqual(['words', ...values]);
  });

  it.each([
    ['tenon trace ', 'files'],
    ['tenon serve ', 'files'],
    ['tenon types --out x', 'files'],
    ['tenon call kitchen order --out ', 'folders'],
    ['tenon tools -- no', 'commands'],
    ['tenon tools -- node ser', 'files'],
  ])('leaves for %j the names of %s to the shell', async (line, kind) => {
    expect(await offered('--line', line)).toEqual([kind]);
  });

  it('knows the tools of a server and their arguments once they were listed, names alone, for the user alone', async () => {
    await tenon.run('tools', 'kitchen');
    expect(await offered('--line', 'tenon call kitchen o')).toEqual(['words', 'order', 'open']);
    expect(await offered('--line', 'tenon call kitchen order size=small ')).toEqual(['words', 'dish=']);
    // What would be run or hide in a shell's line is no name.
    expect(await offered('--line', 'tenon call kitchen $')).toEqual(['words']);
    const cache = join(dirname(tenon.folder), 'home', '.cache', 'tenon', 'tools.json');
    if (process.platform !== 'win32') expect(statSync(cache).mode & 0o077).toBe(0);
  });

  it('starts no server to know its tools', async () => {
    tenon.put('.mcp.json', { mcpServers: { trap: { command: 'touch', args: ['started'] } } });
    expect(await offered('--line', 'tenon call trap ')).toEqual(['words']);
    expect(statSync(join(tenon.folder, 'started'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('offers no server whose name would do something in a line of a shell', async () => {
    const names = [
      'a$(touch it)',
      'a`touch it`',
      'a;b',
      "a'b",
      'a"b',
      'a!b',
      'a\\b',
      '-a',
      'a\nb',
      'a b',
      'a-ö',
    ];
    tenon.put('.mcp.json', {
      mcpServers: Object.fromEntries(names.map(name => [name, { command: 'none' }])),
    });
    expect(await offered('--line', 'tenon tools "')).toEqual(['words', 'a b', 'a-ö']);
  });

  it('takes words of a shell that splits them itself', async () => {
    expect(await offered('--words', '--', 'tenon', 'call', 'my c')).toEqual(['words', 'my cellar']);
  });

  it.each([
    [[], /^tenon: which shell\? One of bash, zsh, fish\. See tenon completion --help\n$/],
    [['tcsh'], /which shell\? One of bash, zsh, fish, got "tcsh"/],
  ])('%j is wrong use', async (args, reason) => {
    const { code, out, err } = await tenon.run('completion', ...args);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(reason)]);
  });
});

describe('help, from which completion is read', () => {
  it.each(Object.keys(commands))('of %s speaks of every option, and of no other', async name => {
    const { help, options } = await (commands[name] ?? expect.unreachable()).load();
    for (const option of Object.keys(options)) expect(help).toMatch(new RegExp(`--${option}\\b`));
    const told = optionsIn(help).map(option => option.name);
    expect([...Object.keys(options), 'help'].map(option => `--${option}`)).toEqual(
      expect.arrayContaining(told),
    );
  });

  it('says what its words stand for', async () => {
    const words = async (name: string): Promise<string[]> =>
      wordsIn((await commands[name]?.load())?.help ?? '');
    expect(await words('call')).toEqual(['server', 'tool', 'name=value …']);
    expect(await words('serve')).toEqual(['config']);
    expect(await words('run')).toEqual(['prompt']);
    expect(await words('chat')).toEqual([]);
  });
});

describe('a line so far', () => {
  it.each([
    ['', ['']],
    ['tenon ', ['tenon', '']],
    ['tenon  call\tx', ['tenon', 'call', 'x']],
    [`a 'b c`, ['a', 'b c']],
    [`a 'b c' `, ['a', 'b c', '']],
    ['a "b \\"c', ['a', 'b "c']],
    ['a b\\ c', ['a', 'b c']],
    ['a b\\', ['a', 'b']],
    [`a ""b'c'`, ['a', 'bc']],
    ['a "b\\', ['a', 'b']],
  ])('%j is %j', (line, words) => {
    expect(splitLine(line)).toEqual(words);
  });

  it.each([
    ['--server=kitchen', '--server=k', '"\'=:', 'kitchen'],
    ['http://a', 'http:/', ':', '//a'],
    ['dish=', 'di', '=', 'dish='],
    ['other', 'a=', '=', 'other'],
  ])('%j after %j is, where words are split at %j, %j', (value, word, breaks, rest) => {
    expect(afterBreaks(value, word, breaks)).toBe(rest);
  });
});

describe.skipIf(spawnSync('bash', ['--version']).status !== 0)(
  'the script for bash (skipped without it)',
  () => {
    const told = ['ab$(touch it)', 'ab`x`', 'ab"c', "ab'c", 'ab\\c', 'ab!c', 'ab c'];

    it.each([
      ['"ab', ['ab c']],
      ["'ab", ['ab c']],
      ['ab', ['ab\\$\\(touch\\ it\\)', 'ab\\`x\\`', 'ab\\"c', "ab\\'c", 'ab\\\\c', 'ab\\!c', 'ab\\ c']],
    ])('puts nothing into a line at %j that would run', async (typed, replies) => {
      const { out } = await tenon.run('completion', 'bash');
      const file = tenon.put('told.txt', `words\n${told.map(value => `${value}\tabout\n`).join('')}`);
      const script = `${out}
      tenon() { cat "$TOLD"; }
      COMP_WORDS=(tenon tools "$TYPED") COMP_CWORD=2 COMP_LINE="tenon tools $TYPED" COMP_POINT=99
      _tenon
      printf '%s\\n' "\${COMPREPLY[@]}"`;
      const env = { PATH: process.env['PATH'] ?? '', TYPED: typed, TOLD: file };
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' });
      expect([stderr, stdout.trimEnd().split('\n')]).toEqual(['', replies]);
    });
  },
);

/** How a shell is started so that it reads that file and nothing else. */
const shells: readonly (readonly [name: string, start: (rc: string) => string, prepare: string])[] = [
  ['bash', rc => `bash --noprofile --rcfile ${rc} -i`, `PS1='> '`],
  ['zsh', () => 'ZDOTDIR=$PWD zsh -d -i', `PS1='> '; autoload -U compinit; compinit -u -D`],
  ['fish', rc => `fish --no-config -i -C "source ${rc}"`, `function fish_prompt; echo -n '> '; end`],
];

describe.skipIf(!hasTmux)('completion in a terminal (skipped without tmux)', () => {
  let screen: ScreenUnderTest | undefined;
  afterEach(() => screen?.close());

  for (const [name, start, prepare] of shells) {
    const isThere = spawnSync(name, ['--version']).status === 0;
    it.skipIf(!isThere)(
      `${name} completes commands, servers, tools and arguments (skipped without it)`,
      async () => {
        chmodSync(tenon.put('bin/tenon', `#!/bin/sh\n${tenon.shellLine([])} "$@"\n`), 0o755);
        const source =
          name === 'fish' ? 'tenon completion fish | source' : `eval "$(tenon completion ${name})"`;
        const path = name === 'fish' ? 'set -x PATH $PWD/bin $PATH' : 'PATH=$PWD/bin:$PATH';
        const rc = tenon.put('.zshrc', `${prepare}\n${path}\n${source}\n`);
        await tenon.run('tools', 'kitchen');
        const home = join(dirname(tenon.folder), 'home');
        screen = new ScreenUnderTest(`cd ${tenon.folder} && HOME=${home} ${start(rc)}`, { columns: 100 });
        await screen.shows(/^> ?$/m);
        screen.paste('tenon compl\t');
        await screen.shows(/> tenon completion$/m);
        screen.paste('z\t');
        await screen.shows(/> tenon completion zsh/m);
        screen.press('C-c');
        screen.paste('tenon call ki\t');
        await screen.shows(/> tenon call kitchen$/m);
        screen.paste('ord\t');
        await screen.shows(/> tenon call kitchen order$/m);
        screen.paste('di\t');
        await screen.shows(/> tenon call kitchen order dish=$/m);
        screen.paste('soup --tim\t');
        await screen.shows(/> tenon call kitchen order dish=soup --timeout$/m);
      },
    );
  }
});
