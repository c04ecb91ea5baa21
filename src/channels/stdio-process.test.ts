import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'stdio-server-'));
const program = join(folder, 'server.mjs');
const children = new Set<ChildProcess>();

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('../../test/fixtures/stdio-server.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What a stream has said so far, and waiting for a part of it. */
class Heard {
  text = '';
  #watchers: (() => void)[] = [];

  constructor(stream: Readable) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      this.text += part;
      for (const watch of this.#watchers.splice(0)) watch();
    });
  }

  async until(part: string): Promise<void> {
    while (!this.text.includes(part)) await new Promise<void>(resolve => this.#watchers.push(resolve));
  }
}

async function start(...odd: string[]) {
  const child = spawn(process.execPath, [program, ...odd], { stdio: ['pipe', 'pipe', 'pipe'] });
  children.add(child);
  child.stdin.on('error', () => {});
  const out = new Heard(child.stdout);
  const err = new Heard(child.stderr);
  const exit = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  await err.until('ready');
  const ask = (method: string, params: object = {}): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  };
  return { child, out, err, exit, ask };
}

const answer = (result: unknown): string => `${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n`;

describe('a process that serves on its own stdin and stdout', () => {
  it('keeps stdout for messages: what a method logs or writes goes to stderr, until the end', async () => {
    const { child, out, err, exit, ask } = await start();
    ask('log');
    await out.until('done');
    expect(out.text).toBe(answer('done'));
    expect(err.text).toContain('logged\ninformed\nwritten\n');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(out.text).toBe(`${answer('done')}after the end\n`);
  });

  it('exits with 0 and writes nothing when its input ends before anything', async () => {
    const { child, out, exit } = await start();
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(out.text).toBe('after the end\n');
  });

  it('exits with 0 at the end of its input though a timer of its own is alive', async () => {
    const { child, out, exit, ask } = await start('interval');
    ask('echo', { text: 'é' });
    await out.until('é');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
  });

  it('exits with 0 though the program waits for ever', async () => {
    const { child, exit } = await start('await');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
  });

  it('finishes a call that runs when its input ends', async () => {
    const { child, out, err, exit, ask } = await start();
    ask('untilInputEnds');
    await err.until('waiting');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(out.text).toContain(answer('finished'));
  });

  it('aborts a call that does not finish within the drain, though nothing else keeps the process', async () => {
    const { child, out, err, exit, ask } = await start('short');
    ask('untilAborted');
    await err.until('waiting');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(err.text).toContain('aborted: the client closed its end of the connection');
    expect(out.text).toContain(answer('aborted'));
  });

  it('exits with 0 although a call never ends', async () => {
    const { child, err, exit, ask } = await start('short', 'interval');
    ask('forEver');
    await err.until('waiting');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
  });

  it('exits with 0 when the client goes away in the middle of a 2 MB answer', async () => {
    const { child, err, exit, ask } = await start('interval');
    ask('big');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await exit).toEqual([0, null]);
    expect(err.text).not.toMatch(/EPIPE|Error/);
    expect(err.text).toContain('exit 0');
  });

  it('exits with 0 when the client stops reading and then leaves', async () => {
    const { child, exit, ask } = await start('short');
    child.stdout.pause();
    for (let count = 0; count < 4; count += 1) ask('big');
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    child.stdout.destroy();
    await exit;
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('aborts its calls and exits with 0 on %s', async signal => {
    const { child, out, err, exit, ask } = await start('short', 'interval');
    ask('untilAborted');
    await err.until('waiting');
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(err.text).toContain(`aborted: the server was told to end by ${signal}`);
    expect(out.text).toContain(answer('aborted'));
  });

  it('exits at once on a second signal', async () => {
    const { child, err, exit, ask } = await start('interval');
    ask('untilAborted');
    await err.until('waiting');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await exit).toEqual([expect.toBeOneOf([130, 143]), null]);
    expect(err.text).not.toContain('aborted');
  });

  it('leaves a program that closed its service to end by itself, with its input still open', async () => {
    const { out, err, exit, ask } = await start();
    ask('stop');
    expect(await exit).toEqual([0, null]);
    expect(out.text).toBe(`${answer('stopping')}after the end\n`);
    expect(err.text).toContain('exit 0');
  });
});
