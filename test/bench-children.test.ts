import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { missingIn } from '../bench/install.mjs';

const file = fileURLToPath(new URL('./fixtures/bench/runner.mjs', import.meta.url));

describe('the processes of the benchmark', () => {
  const cases: [NodeJS.Signals, [number | null, string | null]][] = [
    ['SIGINT', [130, null]],
    ['SIGTERM', [143, null]],
    ['SIGKILL', [null, 'SIGKILL']],
  ];
  it.each(cases)('end with their runner and with what they started, by %s', async (signal, end) => {
    const sockets: Socket[] = [];
    const closed: Promise<unknown>[] = [];
    const listener = createServer(socket => {
      // One that is ended may reset its connection.
      socket.on('error', () => {});
      closed.push(new Promise(resolve => socket.once('close', resolve)));
      socket.resume();
      sockets.push(socket);
      if (sockets.length === 2) listener.emit('both');
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const runner = spawn(process.execPath, [file, 'hold', String(port)], { stdio: 'ignore' });
    await once(listener, 'both');
    runner.kill(signal);
    expect(await once(runner, 'exit')).toEqual(end);
    await Promise.all(closed);
    listener.close();
  });

  it.each([
    ['die', 'its process ended with 7; it said last:\n  no such door\n'],
    ['break', 'its process ended with 4; it said last:\n  out of doors\n'],
    ['hang', 'no figure came within 0.01 s'],
  ])('that %s fail the measurement with what is known of them', async (mode, said) => {
    const runner = spawn(process.execPath, [file, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(await textOf(runner.stdout)).toContain(said);
  });
});

describe('the installation of a peer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is missing until each package is there in the version that is pinned', () => {
    const install = (name: string, version: string): void => {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ version }));
    };
    const dependencies = { one: '1.0.0', '@a/two': '2.0.0' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
    mkdirSync(join(folder, 'node_modules'));
    expect(missingIn(folder)).toEqual(['one', '@a/two']);
    install('one', '1.0.0');
    install('@a/two', '1.9.0');
    expect(missingIn(folder)).toEqual(['@a/two']);
    install('@a/two', '2.0.0');
    expect(missingIn(folder)).toEqual([]);
  });
});
