/** Our client meets a variant of the odd server; when the meeting is over no process of it may be left. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type StdioOptions, stdio } from '../../src/channels/stdio-client.ts';
import { type Client, type ClientOptions, connect, EraMemory } from '../../src/entries/client.ts';
import type { ProbeTimes } from '../../src/eras/probe.ts';
import { entry } from '../fixtures/odd-server/check.ts';
import type { RawMessage } from '../fixtures/raw-driver.mjs';

export interface Setting {
  readonly args?: readonly string[];
  readonly options?: ClientOptions;
  readonly stdio?: Partial<StdioOptions>;
}

export interface Meeting {
  connect(setting?: Setting): Promise<Client>;
  /** Processes of the server so far. */
  starts(): number;
  /** The lines that any process of the server received so far. */
  received(): string[];
}

/** Nobody who answers is taken for silent, however slow the machine is. */
const patient: ProbeTimes = { hedge: 30_000, hedgeAfterOutput: 30_000, grace: 30_000 };
/** For variants whose silence has to be waited for. */
const hurried: ProbeTimes = { hedge: 400, hedgeAfterOutput: 100, grace: 50 };
const probeTimes: Readonly<Record<string, ProbeTimes>> = {
  'banner-then-silent-discover': hurried,
  'discover-garbage': hurried,
  'discover-long-after-initialize': hurried,
  'discover-right-after-initialize': { ...hurried, grace: patient.grace },
  'discover-silent': hurried,
  'discover-wrong-id': hurried,
};

/** Runs `body` with a fresh meeting, then closes what is open and checks that all processes of the server are gone. */
export async function meet(variant: string, body: (meeting: Meeting) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-odd-'));
  const log = join(folder, 'log');
  const clients: Client[] = [];
  const noted = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
  const starts = (): number[] =>
    noted().flatMap(line => (line.endsWith(' start') ? [Number(line.slice(0, -' start'.length))] : []));
  try {
    await body({
      starts: () => starts().length,
      received: () => noted().flatMap(line => /^\d+ line (.*)$/s.exec(line)?.[1] ?? []),
      async connect({ args = [], options = {}, stdio: more = {} } = {}) {
        const channel = stdio({
          command: process.execPath,
          args: [entry, variant, ...args],
          env: { ODD_LOG: log },
          grace: { end: 300, term: 300 },
          ...more,
        });
        const client = await connect(channel, {
          probeTimes: probeTimes[variant] ?? patient,
          eraMemory: new EraMemory(),
          ...options,
        });
        clients.push(client);
        return client;
      },
    });
  } finally {
    await Promise.all(clients.map(client => client.close()));
    const survivors = starts().filter(isAlive);
    await rm(folder, { recursive: true, force: true });
    expect(survivors, 'processes of the server that outlived the client').toEqual([]);
  }
}

/** Whether a process still runs; one that has ended and that nobody has collected yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export const kinds = (client: Client): string[] => client.diagnostics.map(({ kind }) => kind);

export const textOf = (result: { readonly content: readonly object[] }): string =>
  result.content.map(block => (block as { readonly text?: unknown }).text).join('|');

/** The good tool is listed, and a call of it gives what it should. */
export async function useGood(client: Client, text = 'good'): Promise<void> {
  expect((await client.tools().all()).map(({ name }) => name)).toContain('good');
  expect(textOf(await client.call('good'))).toBe(text);
}

/** What the server says it received in this process. */
export async function seenBy(client: Client): Promise<RawMessage[]> {
  return JSON.parse(textOf(await client.call('seen'))) as RawMessage[];
}
