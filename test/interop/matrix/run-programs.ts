/** Runs the published programs of the matrix: visitors of our server, and bridges between our client and our server. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Channel, connect, EraMemory, http, type Revision } from '../../../src/entries/client.ts';
import { serveHttp } from '../../../src/entries/node.ts';
import { stdio } from '../../../src/entries/stdio.ts';
import { matrixServer } from '../../fixtures/matrix-offer.ts';
import { fileOf } from '../peers.ts';
import { type Ran, runProgram } from '../run-program.ts';
import type { Bridge } from './bridges.ts';
import { relayTo } from './relay.ts';
import type { OurProgram } from './run.ts';
import type { Seen, Visitor } from './visitors.ts';

/** Our server at the far end: a program, or a URL, with what was said to it. */
interface OurEnd {
  readonly url: string;
  /** The revision that the last request named. */
  spoken(): string | undefined;
  close(): Promise<void>;
}

async function openOurEnd(): Promise<OurEnd> {
  const service = await serveHttp(matrixServer());
  const relay = await relayTo(service.url);
  return {
    url: relay.url,
    spoken() {
      const named = relay.exchanges.map(({ headers }) => headers['mcp-protocol-version']);
      return named.findLast(value => value !== undefined) as string | undefined;
    },
    async close() {
      await relay.close();
      await service.close();
    },
  };
}

/** What a visitor saw by one way; over HTTP with the revision it spoke. */
export async function visitUs(
  visitor: Visitor,
  transport: 'stdio' | 'http',
  program: OurProgram,
): Promise<Seen & { readonly spoken?: string | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-visit-'));
  const ours = transport === 'http' ? await openOurEnd() : undefined;
  const file = fileOf(visitor.peer, visitor.program);
  const node = visitor.node ? fileOf(visitor.node, 'node_modules/node/bin/node') : process.execPath;
  const run = (...args: readonly string[]): Promise<Ran> => runProgram(node, [file, ...args], atHome(folder));
  try {
    const way = ours ? { kind: 'http' as const, url: ours.url } : { kind: 'stdio' as const, ...program };
    const seen = await visitor.visit({ way, folder, run });
    return ours ? { ...seen, spoken: ours.spoken() } : seen;
  } finally {
    await ours?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What our client saw through a bridge. */
export async function crossBridge(
  bridge: Bridge,
  protocol: 'auto' | Revision,
  program: OurProgram,
): Promise<Seen & { readonly spoken: string }> {
  const home = await mkdtemp(join(tmpdir(), 'tenon-bridge-'));
  const ours = bridge.to === 'http' ? await openOurEnd() : undefined;
  const target = ours?.url ?? [program.command, ...program.args].join(' ');
  const file = fileOf(bridge.peer, `node_modules/.bin/${bridge.id}`);
  const started = bridge.from === 'http' ? await startBridge(bridge, file, target, home) : undefined;
  const channel: Channel = started
    ? http(`${started.url}${bridge.path ?? ''}`)
    : stdio({ command: process.execPath, args: [file, ...bridge.args(target, 0)], env: { HOME: home } });
  try {
    const client = await connect(channel, { protocol, eraMemory: new EraMemory() });
    try {
      const tools = (await client.tools().all()).map(({ name }) => name);
      const { structuredContent } = await client.call('add', { a: 20, b: 22 });
      return { tools, sum: structuredContent, spoken: client.revision };
    } finally {
      await client.close();
    }
  } finally {
    await started?.stop();
    await ours?.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function startBridge(
  bridge: Bridge,
  file: string,
  target: string,
  home: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(process.execPath, [file, ...bridge.args(target, port)], {
    ...atHome(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', part => (log += String(part)));
  let isOver = false;
  const over = new Promise<void>(resolve =>
    child.once('close', () => {
      isOver = true;
      resolve();
    }),
  );
  // It tells nobody when it listens.
  while (!(await answersAt(port))) {
    if (isOver) throw new Error(`${bridge.id} ended before it listened\n${log}`);
    await pause(20);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await over;
    },
  };
}

/** Programs write where a home folder is. */
const atHome = (folder: string) => ({ cwd: folder, env: { ...process.env, HOME: folder } });

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function answersAt(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = openSocket(port, '127.0.0.1');
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}
