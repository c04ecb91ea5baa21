/** Runs behaviours in a column of the matrix: both ends started, each behaviour tried, nothing left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serveHttp } from '../../../src/entries/node.ts';
import { memoryEvents } from '../../../src/entries/server.ts';
import { matrixServer } from '../../fixtures/matrix-offer.ts';
import { fileOf, type PeerName } from '../peers.ts';
import { type Behaviour, behaviours, type Stage } from './behaviours.ts';
import type { Column } from './columns.ts';
import type { Driver, OpenDriver, Way } from './driver.ts';
import { openOurs } from './our-driver.ts';
import { type Relay, relayTo } from './relay.ts';
import { showExchanges, showLines } from './show.ts';

export interface Outcome {
  readonly behaviour: string;
  /** Absent when the behaviour does not exist in this column. */
  readonly passed?: boolean;
  readonly error?: string;
  /** What was said when the behaviour was tried once more, if it failed. */
  readonly exchange?: readonly string[];
}

/** The program that serves our end of a stdio column. */
export interface OurProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export const folderOf = (column: Column): PeerName => (column.peer === '1.x' ? 'sdk-v1' : 'sdk-v2');

const tee = fileURLToPath(new URL('./tee.mjs', import.meta.url));
/** For what may hang; far longer than anything takes on a busy machine, programs started included. */
const limit = 20_000;

/** Whether the behaviour exists there. */
export function exists({ needs }: Behaviour, { transport, era, sessions, peerIs }: Column): boolean {
  if (needs === undefined) return true;
  switch (needs) {
    case 'room-before-the-result':
      return transport !== 'http-json';
    case 'room-beside-the-result':
      return sessions && (transport !== 'http-json' || era === 'handshake');
    case 'connection':
      return sessions;
    case 'a-way-to-ask':
      // Our server asks without a session too, on the stream of the reply.
      return sessions || (peerIs === 'client' && transport === 'http-stream');
    case 'session':
      return sessions && (transport === 'http-json' || transport === 'http-stream') && era === 'handshake';
    case 'resumable-reply':
      return sessions && transport === 'http-stream' && era === 'handshake';
  }
}

/**
 * Runs the behaviours of a column in order on one connection; one that failed gets another. `isKnown` says which fail
 * through a fault of the peer: they are tried only when `record` is set, and then what is said is kept.
 */
export async function runColumn(
  column: Column,
  program: OurProgram,
  {
    isKnown,
    record = false,
  }: { readonly isKnown: (behaviour: string) => boolean; readonly record?: boolean },
): Promise<readonly Outcome[]> {
  const place = await openPlace(column, program);
  const outcomes: Outcome[] = [];
  let driver: Driver | undefined;
  const letGo = async (): Promise<void> => {
    const old = driver;
    driver = undefined;
    await old?.close().catch(() => {});
  };
  const reopen = async (way = place.way): Promise<Driver> => {
    await letGo();
    driver = await place.open(way, column.mode);
    return driver;
  };
  const attempt = (behaviour: Behaviour, way?: Way): Promise<string | undefined> =>
    within(limit, async () => {
      const current = driver && !way ? driver : await reopen(way);
      if (current.revision !== column.revision) throw new Error(`they speak ${current.revision}`);
      await behaviour.run({ driver: current, relay: place.relay, reconnect: () => reopen() } satisfies Stage);
    });
  try {
    for (const behaviour of behaviours) {
      const { id } = behaviour;
      if (!exists(behaviour, column)) outcomes.push({ behaviour: id });
      else if (record || !isKnown(id)) {
        const error = await attempt(behaviour);
        if (error === undefined) outcomes.push({ behaviour: id, passed: true });
        else {
          // What failed may still be under way.
          await within(limit, letGo);
          const exchange = await place.recorded(async way => {
            await attempt(behaviour, way);
            await within(limit, letGo);
          });
          outcomes.push({ behaviour: id, passed: false, error, exchange });
        }
      }
    }
  } finally {
    await within(limit, letGo);
    await place.close();
  }
  return outcomes;
}

/** The error of `act`, or of its being late. */
async function within(ms: number, act: () => Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it never ended')), ms);
  });
  try {
    await Promise.race([act(), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

interface Place {
  readonly way: Way;
  readonly open: OpenDriver;
  readonly relay: Relay | undefined;
  /** What is said while `again` uses the way it is given. */
  recorded(again: (way: Way) => Promise<unknown>): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function openPlace(column: Column, program: OurProgram): Promise<Place> {
  const folder = folderOf(column);
  const { peerIs, transport, flags } = column;
  const open: OpenDriver =
    peerIs === 'server'
      ? openOurs
      : ((await import(fileOf(folder, 'driver.mjs'))) as { open: OpenDriver }).open;
  if (transport === 'stdio') {
    const peer = { command: process.execPath, args: [fileOf(folder, 'matrix-server.mjs'), ...flags] };
    return stdioPlace(peerIs === 'server' ? peer : program, open);
  }
  const older = transport === 'http-sse';
  const form = transport === 'http-json' ? 'json' : 'stream';
  if (peerIs === 'server') {
    const word = older ? 'sse' : form;
    const server = await startPeer([fileOf(folder, 'matrix-server.mjs'), word, ...flags]);
    return httpPlace(await relayTo(server.url), open, () => server.stop());
  }
  const service = await serveHttp(matrixServer(), {
    sessions: column.sessions,
    sse: older,
    ...(form === 'stream' && column.sessions ? { events: memoryEvents(), retry: 20 } : {}),
  });
  return httpPlace(await relayTo(service.url, older ? undefined : form), open, () => service.close(), older);
}

function stdioPlace(program: OurProgram, open: OpenDriver): Place {
  const way: Way = { kind: 'stdio', ...program };
  return {
    way,
    open,
    relay: undefined,
    async recorded(again) {
      const folder = await mkdtemp(join(tmpdir(), 'tenon-tee-'));
      const log = join(folder, 'log');
      await again({
        kind: 'stdio',
        command: process.execPath,
        args: [tee, log, program.command, ...program.args],
      });
      const lines = showLines(log);
      await rm(folder, { recursive: true });
      return lines;
    },
    close: async () => {},
  };
}

function httpPlace(relay: Relay, open: OpenDriver, stop: () => Promise<void>, older = false): Place {
  const way: Way = { kind: 'http', url: relay.url, older };
  return {
    way,
    open,
    relay,
    async recorded(again) {
      const before = relay.exchanges.length;
      await again(way);
      return showExchanges(relay.exchanges.slice(before));
    },
    async close() {
      await relay.close();
      await stop();
    },
  };
}

/** Starts a server that prints its URL and ends with its stdin. */
async function startPeer(args: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, args, { stdio: 'pipe' });
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    log += part;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code =>
      reject(new Error(`${args[0]} ended with ${code} before it listened\n${log}`)),
    );
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
  });
  return {
    url,
    async stop() {
      child.stdin?.end();
      await ended;
    },
  };
}
