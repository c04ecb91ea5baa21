import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { type Channel, connect, EraMemory, type Revision } from '../../src/entries/client.ts';
import { stdio } from '../../src/entries/stdio.ts';
import { eraSuite, eraSuiteServer, memory } from '../../src/entries/testing.ts';
import type { Lack } from '../../src/testing/era-suite.ts';
import { type Bundled, bundled, children } from '../fixtures/bundled.ts';

let server: Bundled;

beforeAll(async () => {
  server = await bundled('suite-server');
});

afterEach(({ expect }) => expect(children().filter(pid => !server.helpers.includes(pid))).toEqual([]));

afterAll(() => server.remove());

const channels: readonly [name: string, make: () => Channel][] = [
  ['stdio', () => stdio({ command: process.execPath, args: [server.program, 'era'] })],
  ['memory, one pipe', () => memory(eraSuiteServer())],
  ['memory, reply streams', () => memory(eraSuiteServer(), { replyStreams: true })],
];

const protocols: readonly [protocol: 'auto' | Revision, spoken: Revision, lacks: readonly Lack[]][] = [
  ['auto', '2026-07-28', []],
  ['2026-07-28', '2026-07-28', []],
  ['2025-11-25', '2025-11-25', []],
  ['2025-06-18', '2025-06-18', []],
  ['2025-03-26', '2025-03-26', ['structured-content']],
  ['2024-11-05', '2024-11-05', ['structured-content', 'progress-message']],
];

describe.each(channels)('over %s', (channel, make) => {
  // A process per sentence takes its time, and old revisions differ in nothing that a pipe could see.
  describe.each(channel === 'stdio' ? protocols.slice(0, 3) : protocols)(
    'with the protocol option "%s"',
    (protocol, spoken, lacks) => {
      eraSuite(
        async options => {
          const client = await connect(make(), { protocol, eraMemory: new EraMemory(), ...options });
          if (client.revision !== spoken) throw new Error(`spoke ${client.revision} instead of ${spoken}`);
          return client;
        },
        { test: it, lacks },
      );
    },
  );
});
