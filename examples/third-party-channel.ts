/**
 * A channel written by a third party: `examples/third-party/socket-channel.ts` passes the suite that every channel of
 * Tenon passes, and then carries a client and a server.
 */
import { createServer, type Socket, type Server as SocketServer } from 'node:net';
import { connect } from 'tenon/client';
import type { Acceptor } from 'tenon/rpc';
import { Server, tool } from 'tenon/server';
import { channelSuite, channelSuiteServer } from 'tenon/testing';
import { serveSocket, socketChannel } from './third-party/socket-channel.ts';

interface Listening {
  readonly port: number;
  readonly sockets: Set<Socket>;
  readonly server: SocketServer;
}

async function listen(acceptor: Acceptor): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveSocket(acceptor, socket);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, sockets, server };
}

// The suite asks for nothing but a function that registers tests; here they are collected and then run.
const tests: { readonly name: string; readonly run: () => Promise<void> }[] = [];
channelSuite(
  async () => {
    const leave = (): void => {
      for (const socket of listening.sockets) socket.resetAndDestroy();
    };
    const listening = await listen(channelSuiteServer({ leave }));
    return {
      channel: socketChannel(listening.port),
      connections: () => listening.sockets.size,
      dispose: () => void listening.server.close(),
    };
  },
  { test: (name, run) => tests.push({ name, run }), leaves: true },
);
for (const { name, run } of tests) {
  await run();
  console.log(`ok  the socket channel: ${name}`);
}

const greet = tool({
  name: 'greet',
  description: 'Greets somebody.',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
});
const listening = await listen(new Server({ name: 'greeter', version: '1.0.0', tools: [greet] }));
const client = await connect(socketChannel(listening.port));
const result = await client.call('greet', { name: 'socket' });
console.log(`${client.server.name} speaks ${client.revision} over ${listening.sockets.size} socket:`);
console.log(result.content);
await client.close();
listening.server.close();
