import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { serveSocket, socketChannel } from '../../examples/third-party/socket-channel.ts';
import { stdio } from '../../src/entries/stdio.ts';
import { channelSuite, channelSuiteServer, memory } from '../../src/entries/testing.ts';
import { type Bundled, bundled, children } from '../fixtures/bundled.ts';

let server: Bundled;

beforeAll(async () => {
  server = await bundled('suite-server');
});

afterAll(() => server.remove());

const ourChildren = (): number => children().filter(pid => !server.helpers.includes(pid)).length;

describe('stdio', () => {
  channelSuite(
    () => ({
      channel: stdio({ command: process.execPath, args: [server.program, 'channel'] }),
      connections: ourChildren,
    }),
    { test: it, leaves: true },
  );
});

describe('memory, one pipe', () => {
  channelSuite(() => ({ channel: memory(channelSuiteServer()) }), { test: it });
});

describe('memory, a reply stream per request', () => {
  channelSuite(() => ({ channel: memory(channelSuiteServer(), { replyStreams: true }) }), {
    test: it,
    replyStreams: true,
  });
});

describe('a channel of somebody else', () => {
  channelSuite(
    async () => {
      const sockets = new Set<Socket>();
      const leave = (): void => {
        for (const socket of sockets) socket.resetAndDestroy();
      };
      const acceptor = channelSuiteServer({ leave });
      const listener = createServer(socket => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        serveSocket(acceptor, socket);
      });
      await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
      const { port } = listener.address() as { port: number };
      return {
        channel: socketChannel(port),
        connections: () => sockets.size,
        dispose: () => void listener.close(),
      };
    },
    { test: it, leaves: true },
  );
});
