/** A reply on a node:http response, without any web objects: whole, or as an event stream. Nothing here throws. */
import type { ServerResponse } from 'node:http';
import type { EventStream, HttpReply, ServerEvent } from './channel.ts';
import type { Answer } from './http-server.ts';
import { type Heartbeat, printBody, printEvent, type Quiet, streamHeaders } from './http-server-events.ts';

/** The most bytes that may wait for a client that does not read; then it is sent away. */
const mostUnread = 32 * 1024 * 1024;

type Headers = Readonly<Record<string, string>>;

export class NodeReply implements HttpReply {
  readonly #response: ServerResponse;
  readonly #heartbeat: Heartbeat;
  readonly #headers: Headers;
  #stream: NodeStream | undefined;

  /** `headers`: what goes on every reply. */
  constructor(response: ServerResponse, heartbeat: Heartbeat, headers: Headers) {
    this.#response = response;
    this.#heartbeat = heartbeat;
    this.#headers = headers;
  }

  whole(status: number, body?: object, headers?: Headers): void {
    const text = body === undefined ? undefined : printBody(body);
    if (text === undefined) sendWhole(this.#response, status, { ...this.#headers, ...headers });
    else {
      const all = { 'Content-Type': 'application/json', ...this.#headers, ...headers };
      sendWhole(this.#response, status, all, text);
    }
  }

  stream(headers?: Headers): EventStream {
    this.#stream ??= new NodeStream(this.#response, this.#heartbeat, {
      ...streamHeaders,
      ...this.#headers,
      ...headers,
    });
    return this.#stream;
  }

  onLeave(left: () => void): void {
    const response = this.#response;
    if (response.writableEnded) return;
    // Later, because who asks is about to begin.
    if (response.destroyed) queueMicrotask(left);
    else {
      response.once('close', () => {
        if (!response.writableEnded) left();
      });
    }
  }
}

/** Sends an answer that needed no server. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  sendWhole(response, answer.status, answer.headers, answer.body);
}

function sendWhole(response: ServerResponse, status: number, headers: Headers, body?: string): void {
  if (response.headersSent || response.destroyed) return;
  if (body === undefined) {
    response.writeHead(status, status === 204 ? headers : { ...headers, 'Content-Length': '0' });
    response.end();
  } else {
    response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
    response.end(body);
  }
}

class NodeStream implements EventStream, Quiet {
  readonly #response: ServerResponse;
  readonly #heartbeat: Heartbeat;
  #open: boolean;

  constructor(response: ServerResponse, heartbeat: Heartbeat, headers: Headers) {
    this.#response = response;
    this.#heartbeat = heartbeat;
    this.#open = !response.headersSent && !response.destroyed;
    if (!this.#open) return;
    response.writeHead(200, headers);
    // What follows in this turn travels in one piece with the head; without it the head goes alone.
    response.cork();
    process.nextTick(() => {
      response.uncork();
      if (this.#open && !response.destroyed) response.flushHeaders();
    });
    heartbeat.add(this);
    response.once('close', () => this.#close());
  }

  send(event: ServerEvent): void {
    if (this.#open) this.#write(printEvent(event));
  }

  comment(): void {
    this.#write(':\n\n');
  }

  end(): void {
    if (!this.#open) return;
    this.#close();
    this.#response.end();
  }

  #write(text: string): void {
    const response = this.#response;
    if (text === '' || response.destroyed) return;
    if (response.writableLength > mostUnread) {
      this.#close();
      response.destroy();
    } else response.write(text);
  }

  #close(): void {
    this.#open = false;
    this.#heartbeat.delete(this);
  }
}
