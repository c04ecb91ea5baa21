/** A relay in front of an HTTP server: keeps what was said, can narrow what a client accepts, can end its session. */
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  status?: number;
  replyHeaders?: Readonly<Record<string, unknown>>;
  /** Grows while the reply comes in. */
  reply: string;
}

export interface Relay {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Ends the latest session at the server; false when there is none. The client is not told. */
  endSession(): Promise<boolean>;
  close(): Promise<void>;
}

/** The one form of reply that a client is made to accept. A subscription has no other form than a stream. */
export type Form = 'json' | 'stream';
const mediaTypes: Readonly<Record<Form, string>> = { json: 'application/json', stream: 'text/event-stream' };

export async function relayTo(target: string, form?: Form): Promise<Relay> {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    passOn(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const headers = { ...incoming.headers, host: new URL(target).host };
    const exchange: Exchange = {
      method: incoming.method ?? '',
      headers: incoming.headers,
      body: body.toString(),
      reply: '',
    };
    exchanges.push(exchange);
    if (form && incoming.method === 'POST' && !exchange.body.includes('"subscriptions/listen"')) {
      headers.accept = mediaTypes[form];
    }
    const upstream = requestOf(new URL(incoming.url ?? '', target), {
      method: exchange.method,
      headers,
      agent: false,
    });
    upstream.on('response', response => {
      exchange.status = response.statusCode ?? 0;
      exchange.replyHeaders = response.headers;
      outgoing.writeHead(exchange.status, response.headers);
      outgoing.flushHeaders();
      response.on('data', (chunk: Buffer) => {
        exchange.reply += chunk.toString();
        outgoing.write(chunk);
      });
      response.on('end', () => outgoing.end());
      response.on('error', () => outgoing.destroy());
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    exchanges,
    async endSession() {
      const opened = exchanges.findLast(({ replyHeaders }) => replyHeaders?.['mcp-session-id'] !== undefined);
      const session = opened?.replyHeaders?.['mcp-session-id'];
      if (typeof session !== 'string') return false;
      const reply = await fetch(target, { method: 'DELETE', headers: { 'Mcp-Session-Id': session } });
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`the session could not be ended: ${reply.status}`);
      return true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
