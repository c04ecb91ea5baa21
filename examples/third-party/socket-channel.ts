/** A channel that Tenon does not have, written on its public names alone: JSON lines over a TCP socket. */
import { connect as dial, type Socket } from 'node:net';
import {
  type Acceptor,
  type Channel,
  type Connection,
  ConnectionError,
  type Exchange,
  type Id,
  type Message,
  type OpenOptions,
  type Receiver,
} from 'tenon/rpc';

/** The client's end: each `open` dials anew. */
export function socketChannel(port: number, host = '127.0.0.1'): Channel {
  const label = `tcp ${host}:${port}`;
  return {
    label,
    async open(receiver, { signal }: OpenOptions): Promise<Connection> {
      const socket = await dialled(port, host, label, signal);
      return join(socket, receiver, label);
    },
  };
}

/** Resolves with an open socket, or rejects with nothing left open. */
function dialled(port: number, host: string, label: string, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const socket = dial(port, host);
    const settle = (): void => {
      signal?.removeEventListener('abort', aborted);
      socket.off('error', failed);
    };
    const aborted = (): void => {
      settle();
      socket.on('error', () => {});
      socket.once('close', () => reject(signal?.reason));
      socket.destroy();
    };
    const failed = (cause: Error): void => {
      settle();
      const facts = { phase: 'connect', reason: 'refused', outcome: 'not-sent', retryable: true } as const;
      reject(new ConnectionError(`cannot reach ${label}: ${cause.message}`, { ...facts, cause }));
    };
    signal?.addEventListener('abort', aborted);
    socket.once('error', failed);
    socket.once('connect', () => {
      settle();
      resolve(socket);
    });
  });
}

function join(socket: Socket, receiver: Receiver, label: string): Connection {
  let isOpen = true;
  // The contract: the end is told once, and nothing comes after it.
  const finish = (message: string, reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    receiver.closed(new ConnectionError(message, { phase: 'read', reason, outcome: 'unknown' }));
  };
  readLines(socket, line => {
    if (!isOpen) return;
    try {
      receiver.message(JSON.parse(line));
    } catch {
      receiver.diagnostic({ kind: 'noise', message: `skipped a line that is no JSON: ${line.slice(0, 80)}` });
    }
  });
  const gone = new Promise<void>(resolve => socket.once('close', () => resolve()));
  socket.on('error', error => finish(`${label} failed: ${error.message}`, 'reset'));
  socket.once('close', () => finish(`${label} went away`, 'closed'));
  return {
    replyStreams: false,
    send(message: Message): void {
      if (isOpen) socket.write(`${JSON.stringify(message)}\n`);
    },
    abandon(_of: Id): void {},
    close(): Promise<void> {
      finish(`${label} was closed by this client`, 'closed');
      socket.destroy();
      return gone;
    },
  };
}

/** The server's end: serves one client on a socket that was accepted. */
export function serveSocket(acceptor: Acceptor, socket: Socket): void {
  const exchange: Exchange = {
    send(message): void {
      if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
    },
  };
  const inlet = acceptor.accept(exchange);
  readLines(socket, line => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      inlet.unreadable('the line is no JSON', exchange);
      return;
    }
    inlet.receive(value, exchange, line.length);
  });
  socket.on('error', () => {});
  socket.once('close', () => void inlet.close(new Error('the client left')));
}

/** JSON holds no line feed of its own, so a line feed ends a message and nothing else does. */
function readLines(socket: Socket, line: (text: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) line(text);
  });
}
