/** A newcomer's first hour: the guide is followed line by line, from an empty folder with the packed package. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patternOf, readSteps, type Step } from './first-hour/read-steps.ts';
import { TerminalSession } from './first-hour/terminal-session.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(root, 'docs/guides/first-hour.md'), 'utf8');
const steps = readSteps(guide);

/** The ports that the guide prints may be taken here: each is another one, everywhere alike. */
const ports = new Map<string, string>();
const withPorts = (text: string): string => text.replace(/\b39\d\d\b/g, port => ports.get(port) ?? port);

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return String(typeof address === 'object' ? address?.port : address);
}

/** Windows has no shell that reads the guide's lines. */
describe.skipIf(process.platform === 'win32')('the first hour, in the words of the guide', () => {
  let folder = '';
  let first: TerminalSession;
  let second: TerminalSession | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenon-first-hour-'));
    for (const [port = ''] of guide.matchAll(/\b39\d\d\b/g)) {
      if (!ports.has(port)) ports.set(port, await freePort());
    }
    const pack = ['pack', root, '--ignore-scripts', '--silent', '--pack-destination', folder];
    const { status, stderr } = spawnSync('npm', pack, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    first = openTerminal();
  }, 120_000);

  afterAll(async () => {
    await Promise.all([first?.close(), second?.close()]);
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  const openTerminal = (): TerminalSession =>
    new TerminalSession(folder, {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      npm_config_cache: process.env['npm_config_cache'] ?? join(folder, '.npm'),
      npm_config_offline: 'true',
      npm_config_fund: 'false',
      npm_config_audit: 'false',
      npm_config_update_notifier: 'false',
    });

  async function follow(step: Step): Promise<void> {
    switch (step.kind) {
      case 'write':
        writeFileSync(join(folder, step.file), withPorts(step.text));
        return;
      case 'interrupt':
        await second?.interrupt();
        second = undefined;
        return;
      case 'type':
        return step.terminal === 1 ? typeAll(step) : startSecond(step);
    }
  }

  /** A line may only fail where the next one shows its exit code. */
  async function typeAll({ commands, sees }: Extract<Step, { kind: 'type' }>): Promise<void> {
    let output = '';
    for (const [index, command] of commands.entries()) {
      const typed = await first.type(withPorts(command));
      output += typed.output;
      if (commands[index + 1] !== 'echo $?') expect(typed.code, `${command}\n${typed.output}`).toBe(0);
    }
    expect(output).toMatch(sees === '' ? /^$/ : patternOf(withPorts(sees)));
  }

  async function startSecond({ commands, sees }: Extract<Step, { kind: 'type' }>): Promise<void> {
    expect(second, 'what runs in the second terminal was not ended').toBeUndefined();
    second = openTerminal();
    const [command = '', extra] = commands;
    expect(extra).toBeUndefined();
    second.start(withPorts(command));
    await second.until(patternOf(withPorts(sees)));
  }

  it.each(steps.map(step => [`line ${step.line}: ${titleOf(step)}`, step] as const))(
    '%s',
    async (_title, step) => follow(step),
    120_000,
  );

  it('leaves nothing running', () => {
    expect(second).toBeUndefined();
  });
});

function titleOf(step: Step): string {
  if (step.kind === 'write') return `a file ${step.file}`;
  return step.kind === 'interrupt' ? 'Ctrl-C in the second terminal' : step.commands.join('; ');
}

describe('following a guide', () => {
  it('tells files, what is typed in which terminal, what is seen, and Ctrl-C', () => {
    const text = [
      ...['A file:', '', '```js examples/a/b.mjs', 'x', '```', '', 'In a second', 'terminal:', ''],
      ...['```sh', 'one', '```', '', '```text', 'said…', '```', '', 'Then:', '', '```sh', 'two', 'three'],
      ...['```', '', 'Now press Ctrl-C in the second terminal.', ''],
    ].join('\n');
    expect(readSteps(text)).toEqual([
      { kind: 'write', line: 3, file: 'b.mjs', text: 'x\n' },
      { kind: 'type', line: 10, terminal: 2, commands: ['one'], sees: 'said…' },
      { kind: 'type', line: 20, terminal: 1, commands: ['two', 'three'], sees: '' },
      { kind: 'interrupt', line: 25 },
    ]);
  });

  it('takes no fence of which nobody could tell what it is for', () => {
    expect(() => readSteps('```yaml\na\n```\n')).toThrow(/line 1: a yaml fence/);
    expect(() => readSteps('```text\na\n```\n')).toThrow(/line 1: prints what nobody typed/);
  });

  it.each([
    ['a\nb', 'a\nb\n', true],
    ['a\nb', 'a\nc\n', false],
    ['a\nb', 'a\nb\nc\n', false],
    ['a…c', 'a.b.c\n', true],
    ['a…c', 'ab\nc\n', false],
    ['…\nb\n…', 'b\n', true],
    ['…\nb\n…', 'a\na\nb\nc\n', true],
    ['…\nb\n…', 'a\nc\n', false],
    ['a', '\na\n\n', true],
  ])('%j is seen in %j: %j', (sees, output, expected) => {
    expect(patternOf(sees).test(output)).toBe(expected);
  });
});
