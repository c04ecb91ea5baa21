import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from '../../test/fixtures/stdio/servers.ts';
import { children, watch } from '../../test/fixtures/stdio/watch.ts';
import { summaryOf } from '../basics/failure.ts';
import { ConnectionError } from '../rpc/connection-error.ts';
import type { StdioOptions } from './stdio-client.ts';

const run = watch();

async function failureOf(options: StdioOptions): Promise<ConnectionError> {
  const error: unknown = await start(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConnectionError);
  return error as ConnectionError;
}

describe('a server that ends by itself', () => {
  it('before its first message is an error with exit code, command line and last words', async () => {
    const { collector, connection } = await run(
      `writeSync(2, 'loading\\nFATAL: API_KEY missing\\n'); process.exit(3)`,
    );
    connection.send({ jsonrpc: '2.0', id: 1, method: 'initialize' });
    const error = await collector.end();
    expect(error).toMatchObject({
      phase: 'read',
      reason: 'exited',
      outcome: 'unknown',
      exit: { code: 3, signal: null },
    });
    expect(error.stderrTail).toBe('loading\nFATAL: API_KEY missing\n');
    expect(error.message).toContain('exited with code 3');
    expect(error.message).toContain('FATAL: API_KEY missing');
    expect(error.message).toContain(process.execPath);
    expect(summaryOf(error)).toBe('the server exited with code 3');
    expect(error.hint).toContain('inheritEnv');
  });

  it('is told without the secrets that it said', async () => {
    const { collector } = await run(
      `writeSync(2, 'API_KEY=sk-abcdefghij1234567890 is wrong, password=hunter2secret\\n'); process.exit(1)`,
    );
    const error = await collector.end();
    expect(error.message).toContain('API_KEY=*** is wrong, password=***');
    expect(JSON.stringify(error)).not.toMatch(/sk-abc|hunter2/);
    expect(error.stderrTail).toBe('API_KEY=*** is wrong, password=***\n');
  });

  it('has all its output delivered first', async () => {
    const { collector } = await run(`
      for (let at = 0; at < 2000; at += 1) say('line', { at, pad: 'x'.repeat(500) });
      process.exit(0);`);
    await collector.end();
    expect(collector.messages).toHaveLength(2000);
  });

  it('by a signal says which', async () => {
    const { collector } = await run(`say('ready'); process.kill(process.pid, 'SIGKILL')`);
    expect(await collector.end()).toMatchObject({
      reason: 'exited',
      exit: { code: null, signal: 'SIGKILL' },
    });
  });

  it('in the middle of a message says so', async () => {
    const { collector } = await run(`print('{"jsonrpc":"2.0","id":1,"resu')`);
    expect((await collector.end()).message).toContain('broke off after 29 bytes');
  });

  it('at once, such as `true`, is no accident for whoever writes to it', async () => {
    const one = await run({ command: 'true' });
    one.connection.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { pad: 'x'.repeat(500_000) },
    });
    expect(await one.collector.end()).toMatchObject({ reason: 'exited', exit: { code: 0, signal: null } });
    one.connection.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await one.connection.close();
    expect(one.collector.closings).toHaveLength(1);
  });

  it('is given up half a second after its exit though a descendant holds its stdout', async () => {
    const { collector } = await run(
      `
      sleeper({ stdio: ['ignore', 'inherit', 'inherit'] });
      say('last');
      process.exit(1);`,
      { grace: { end: 20, term: 4000 } },
    );
    expect(await collector.end()).toMatchObject({ reason: 'exited', exit: { code: 1 } });
    expect(collector.messages).toHaveLength(1);
  });

  it('only in part, by closing its stdout, is ended for good', async () => {
    const { collector, connection } = await run(
      `say('ready'); closeSync(1); stay(); onEof(() => process.exit());`,
    );
    expect(await collector.end()).toMatchObject({ phase: 'read', reason: 'output-closed' });
    await connection.close();
    expect(children()).toEqual([]);
  });

  it('by closing its stdin ends the connection when 2 MB are on the way to it', async () => {
    const { collector, connection } = await run(`closeSync(0); say('ready'); stay();`, {
      grace: { end: 50, term: 4000 },
    });
    await collector.said('ready');
    connection.send({ jsonrpc: '2.0', id: 1, method: 'm', params: { pad: 'x'.repeat(2e6) } });
    expect(await collector.end()).toMatchObject({
      phase: 'write',
      reason: 'input-closed',
      outcome: 'unknown',
    });
  });
});

describe('a server that cannot be started', () => {
  it('for want of its command is an error that names it and the PATH that was searched', async () => {
    const error = await failureOf({ command: 'no-such-command-here', env: { PATH: '/nowhere:/opt/none' } });
    expect(error).toMatchObject({ phase: 'spawn', reason: 'command-not-found', outcome: 'not-sent' });
    expect(error.message).toContain('"no-such-command-here"');
    expect(error.hint).toContain('Searched PATH: /nowhere:/opt/none');
  });

  it('for want of its directory is an error about the directory', async () => {
    const error = await failureOf({ command: process.execPath, cwd: '/no/such/place' });
    expect(error).toMatchObject({ phase: 'spawn', reason: 'cwd-not-found', outcome: 'not-sent' });
    expect(error.message).toContain('"/no/such/place"');
  });

  it('because its file may not be executed, or its interpreter is missing, is told apart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-'));
    try {
      writeFileSync(join(folder, 'plain'), 'text');
      writeFileSync(join(folder, 'script'), '#!/no/such/interpreter\n');
      chmodSync(join(folder, 'script'), 0o755);
      mkdirSync(join(folder, 'directory'));
      expect(await failureOf({ command: './plain', cwd: folder })).toMatchObject({
        reason: 'command-not-executable',
      });
      expect(await failureOf({ command: join(folder, 'directory') })).toMatchObject({
        reason: 'command-not-executable',
      });
      expect(await failureOf({ command: 'script', env: { PATH: folder } })).toMatchObject({
        reason: 'interpreter-not-found',
      });
      expect(await failureOf({ command: './absent', cwd: folder })).toMatchObject({
        reason: 'command-not-found',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('because its arguments are too long for the system is an error too', async () => {
    const error = await failureOf({ command: 'true', args: ['x'.repeat(10_000_000)] });
    expect(error).toMatchObject({ phase: 'spawn', reason: 'spawn-failed', outcome: 'not-sent' });
    expect(error.message.length).toBeLessThan(600);
  });
});
