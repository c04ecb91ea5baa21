import { afterAll, describe, it } from 'vitest';
import { connect, EraMemory, http, type Revision } from '../../src/entries/client.ts';
import { type HttpService, serveHttp } from '../../src/entries/node.ts';
import { eraSuite, eraSuiteServer } from '../../src/entries/testing.ts';
import type { Lack } from '../../src/testing/era-suite.ts';

const protocols: readonly [protocol: 'auto' | Revision, spoken: Revision, lacks: readonly Lack[]][] = [
  ['auto', '2026-07-28', []],
  ['2026-07-28', '2026-07-28', []],
  ['2025-11-25', '2025-11-25', []],
  ['2025-06-18', '2025-06-18', []],
  ['2025-03-26', '2025-03-26', ['structured-content']],
  ['2024-11-05', '2024-11-05', ['structured-content', 'progress-message']],
];

/** Takes answers as event streams only. */
const streamsOnly: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: { ...(init?.headers as Record<string, string>), accept: 'text/event-stream' },
  });

const transports = [
  ['by node:http', {}, protocols],
  // What differs here is how replies travel; that concerns the newest revision of each era alike.
  ['by fetch, with every answer on a stream', { fetch: streamsOnly }, protocols.slice(0, 3)],
] as const;

describe.each(transports)('over HTTP %s', (_name, transport, rows) => {
  describe.each(rows)('with the protocol option "%s"', (protocol, spoken, lacks) => {
    const services: HttpService[] = [];
    afterAll(async () => {
      await Promise.all(services.map(service => service.close()));
    });
    eraSuite(
      async options => {
        const service = await serveHttp(eraSuiteServer());
        services.push(service);
        const client = await connect(http(service.url, transport), {
          protocol,
          eraMemory: new EraMemory(),
          ...options,
        });
        if (client.revision !== spoken) throw new Error(`spoke ${client.revision} instead of ${spoken}`);
        return client;
      },
      { test: it, lacks },
    );
  });
});
