/** What ten thousand HTTP clients leave behind: nothing. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { connect, http } from '../../src/entries/client.ts';
import { nodeHandler } from '../../src/entries/node.ts';
import { Server, tool } from '../../src/entries/server.ts';
import { bundled } from '../fixtures/bundled.ts';
import type { Measured } from '../fixtures/http-memory.ts';

const flat = 2 * 1024 * 1024;

async function measure(): Promise<Measured> {
  const { program, remove } = await bundled('http-memory');
  try {
    const child = spawn(process.execPath, ['--expose-gc', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
    const code = await new Promise(resolve => child.once('close', resolve));
    if (code !== 0) throw new Error(`the program ended with ${code}`);
    return JSON.parse(printed) as Measured;
  } finally {
    remove();
  }
}

describe('the heap of a server over HTTP', () => {
  let measured: Measured;
  beforeAll(async () => {
    measured = await measure();
    const { stateless, perSession, afterTtl, beyondCap, atEnd } = measured;
    const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
    console.log(`heap: 10,000 stateless calls leave ${kilobytes(stateless)}; an idle session holds ${kilobytes(perSession)};
10,000 expired sessions leave ${kilobytes(afterTtl)}; 20,000 sessions hold ${kilobytes(beyondCap)} more than 10,000;
the end leaves ${kilobytes(atEnd)}`);
  }, 300_000);

  it('is flat over 10,000 calls that stand for themselves', () => {
    expect(measured.stateless).toBeLessThan(flat);
  });

  it('comes back when 10,000 abandoned sessions have been idle for too long', () => {
    expect(measured.expired).toBe(404);
    expect(measured.afterTtl).toBeLessThan(flat);
  });

  it('does not grow with the sessions beyond the most there may be; the longest idle are gone', () => {
    expect(measured.capped).toEqual([404, 200]);
    expect(measured.beyondCap).toBeLessThan(flat);
  });

  it('comes back at the end', () => {
    expect(measured.atEnd).toBeLessThan(flat);
  });
});

describe('a client that closes', () => {
  it('ends its session with DELETE, every one of a hundred', async () => {
    const farewells: (string | undefined)[] = [];
    const opened = new Set<unknown>();
    const echo = tool({ name: 'echo', description: '', run: () => 'done' });
    const handle = nodeHandler(new Server({ name: 's', version: '1', tools: [echo] }));
    const listener = createServer((request, response) => {
      const session = request.headers['mcp-session-id'];
      if (session !== undefined) opened.add(session);
      if (request.method === 'DELETE') {
        response.once('finish', () => farewells.push(`${String(session)} ${response.statusCode}`));
      }
      handle(request, response);
    });
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
    for (let count = 0; count < 100; count += 1) {
      const client = await connect(http(url), { protocol: '2025-11-25' });
      await client.call('echo');
      await client.close();
    }
    const closed = new Promise(resolve => listener.close(resolve));
    listener.closeAllConnections();
    await closed;
    expect(opened.size).toBe(100);
    expect(farewells.sort()).toEqual([...opened].map(session => `${String(session)} 204`).sort());
  });
});
