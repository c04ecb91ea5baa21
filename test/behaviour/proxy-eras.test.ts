/** The sentences of the era suite hold through a proxy, whatever the two ends of it speak. */
import { afterEach, describe, expect, it } from 'vitest';
import { proxy } from '../../src/bridge/proxy/proxy.ts';
import { type Channel, connect, EraMemory, http, type Revision } from '../../src/entries/client.ts';
import { type HttpService, serveHttp } from '../../src/entries/node.ts';
import { type ConnectTo, eraSuite, eraSuiteServer, memory } from '../../src/entries/testing.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The sentence in which the server is told the revision of its client: between revisions it has its own form here. */
const tellsRevision = 'a tool knows who is calling';

const fronts: readonly [front: string, protocol: Revision][] = [
  ['one pipe', '2026-07-28'],
  ['one pipe', '2025-11-25'],
  ['reply streams', '2026-07-28'],
  ['HTTP', '2026-07-28'],
  ['HTTP', '2025-11-25'],
];
const backs: readonly [back: string, protocol: Revision][] = [
  ['one pipe', '2025-11-25'],
  ['one pipe', '2026-07-28'],
  ['HTTP', '2025-11-25'],
  ['HTTP', '2026-07-28'],
];

async function reach(
  how: string,
  server: Parameters<typeof serveHttp>[0] & Parameters<typeof memory>[0],
): Promise<Channel> {
  if (how !== 'HTTP') return memory(server, { replyStreams: how === 'reply streams' });
  const service: HttpService = await serveHttp(server, { drain: 1 });
  closers.push(() => service.close());
  return http(service.url);
}

describe.each(backs)('in front of a server over %s that speaks %s', (back, behind) => {
  describe.each(fronts)('a client over %s that speaks %s', (front, protocol) => {
    const connectTo: ConnectTo = async options => {
      const server = eraSuiteServer();
      const target = await reach(back, server);
      const middle = proxy(given =>
        connect(target, { ...given, protocol: behind, eraMemory: new EraMemory() }),
      );
      closers.push(() => middle.close());
      const client = await connect(await reach(front, middle), {
        protocol,
        eraMemory: new EraMemory(),
        ...options,
      });
      expect(client.revision).toBe(protocol);
      return client;
    };
    const isSame = protocol === behind;
    eraSuite(connectTo, {
      test: (name, run) => {
        if (isSame || name !== tellsRevision) it(name, run);
      },
    });

    if (!isSame) {
      it('a tool knows who is calling, and which revision the proxy speaks with its server', async () => {
        const client = await connectTo({ info: { name: 'somebody', version: '9.8.7' } });
        try {
          expect((await client.call('who')).content).toEqual([
            { type: 'text', text: `somebody 9.8.7 ${behind}` },
          ]);
        } finally {
          await client.close();
        }
      });
    }
  });
});
