/** A model server on loopback that gives prepared answers, and remembers what it was asked. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Data of server-sent events in place of `json`; text goes out as it is. */
  readonly events?: readonly (Json | string)[];
}

export interface Asked {
  readonly path: string;
  readonly body: Json;
}

export interface ModelServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** One answer for each request, in order; further requests get the status 599. */
export async function serveModel(answers: readonly ((body: Json) => Answer)[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void read(request).then(text => {
      const body = JSON.parse(text === '' ? '{}' : text) as Json;
      const answer = answers[asked.length]?.(body) ?? {
        status: 599,
        json: { error: { message: 'no answer' } },
      };
      asked.push({ path: request.url ?? '', body });
      const { status = 200, headers = {}, json, events } = answer;
      const type = events === undefined ? 'application/json' : 'text/event-stream';
      response.writeHead(status, { 'content-type': type, ...headers });
      if (events === undefined) response.end(JSON.stringify(json));
      else response.end(events.map(toEvent).join(''));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Events are named after their type, as several APIs do; the others do not mind. */
function toEvent(event: Json | string): string {
  if (typeof event === 'string') return `data: ${event}\n\n`;
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
