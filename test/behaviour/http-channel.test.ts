import { describe, it } from 'vitest';
import { http } from '../../src/entries/client.ts';
import { channelSuite, channelSuiteServer } from '../../src/entries/testing.ts';
import { serveAcceptor } from '../fixtures/http/acceptor-server.ts';

const transports = [
  ['by node:http', {}, true],
  ['by fetch', { fetch: globalThis.fetch }, false],
] as const;

describe.each(transports)('the HTTP channel %s', (_name, options, counts) => {
  channelSuite(
    async () => {
      const server = await serveAcceptor(channelSuiteServer());
      let opened = 0;
      const { label } = http(server.origin);
      return {
        channel: {
          label,
          open(receiver, how) {
            opened += 1;
            return http(`${server.origin}/${opened}`, options).open(receiver, how);
          },
        },
        // The platform's own fetch keeps connections for other users of it.
        ...(counts ? { connections: () => server.connections() } : {}),
        dispose: () => server.close(),
      };
    },
    { test: it, replyStreams: true },
  );
});
