/** Tries a connection to a port, and to listen on one; both leave nothing behind. */
import { connect, createServer } from 'node:net';

/** Resolves when somebody takes connections there; rejects with the system's error. */
export type ConnectTo = (host: string, port: number) => Promise<void>;

/** Resolves when the port was free; rejects with the system's error. */
export type ListenOn = (host: string, port: number) => Promise<void>;

/** How long somebody is waited for who does not answer, in milliseconds. */
const patience = 5000;

export const connectTo: ConnectTo = (host, port) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: patience });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => {
      socket.destroy();
      reject(Object.assign(new Error(`no answer within ${patience} ms`), { code: 'ETIMEDOUT' }));
    });
    socket.once('error', reject);
  });

export const listenOn: ListenOn = (host, port) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
