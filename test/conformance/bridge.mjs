/**
 * Puts an HTTP address in front of a stdio server, so that the suite, which speaks HTTP only, can examine it:
 * `node bridge.mjs PORT COMMAND ARGUMENTS…`. Prints the address once it listens.
 *
 * One child per handshake session, one more for all stateless requests. It moves messages, gives out session ids,
 * checks Host and turns error numbers into statuses; it checks no other header and resumes no stream.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [port, command, ...args] = process.argv.slice(2);
const statuses = new Map([
  [-32600, 400],
  [-32601, 404],
  [-32602, 400],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** A server process, and where what it says goes: by our id for an answer, else to the latest open reply. */
class Child {
  #process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  /** Replies that wait, by the id that the request travels under. */
  #waiting = new Map();
  #lastId = 0;
  #standing;

  constructor() {
    createInterface({ input: this.#process.stdout }).on('line', line => this.#receive(JSON.parse(line)));
    this.#process.on('exit', () => {
      for (const { end } of this.#waiting.values()) end();
    });
  }

  /** Sends a request under an id of ours; `reply` takes what comes of it. */
  ask(request, reply) {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#waiting.set(id, { ...reply, id: request.id, token: request.params?._meta?.progressToken });
    this.#write({ ...request, id });
    return () => {
      if (!this.#waiting.delete(id)) return;
      this.#write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    };
  }

  tell(message) {
    this.#write(message);
  }

  set standing(reply) {
    this.#standing = reply;
  }

  stop() {
    this.#process.stdin.end();
  }

  #write(message) {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #receive(message) {
    const waiting = message.method === undefined ? this.#waiting.get(message.id) : undefined;
    if (waiting) {
      this.#waiting.delete(message.id);
      waiting.end(retag({ ...message, id: waiting.id }, waiting.id));
      return;
    }
    const tag = message.params?._meta?.['io.modelcontextprotocol/subscriptionId'];
    const token = message.params?.progressToken;
    const open = [...this.#waiting.entries()];
    const [, reply] =
      open.find(([id]) => tag !== undefined && id === tag) ??
      open.find(([, each]) => token !== undefined && each.token === token) ??
      open.at(-1) ??
      [];
    const target = reply ?? this.#standing;
    target?.send(retag(message, reply?.id));
  }
}

/** A subscription is known by the id of its request, so it is renamed with it. */
function retag(message, id) {
  const place = message.params ?? message.result;
  const key = 'io.modelcontextprotocol/subscriptionId';
  if (place?._meta?.[key] === undefined) return message;
  const named = { ...place, _meta: { ...place._meta, [key]: id } };
  return message.params ? { ...message, params: named } : { ...message, result: named };
}

const sessions = new Map();
let shared;

/** Answers a request by an event stream from its first word on, or by JSON when the answer is all there is. */
function openReply(response, isStateless) {
  let isStream = false;
  const begin = () => {
    if (isStream) return;
    isStream = true;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  };
  const send = message => {
    begin();
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  const end = answer => {
    if (answer === undefined) response.writableEnded || response.destroy();
    else if (isStream) {
      send(answer);
      response.end();
    } else {
      const status = isStateless && answer.error ? (statuses.get(answer.error.code) ?? 200) : 200;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }
  };
  return { send, end };
}

async function readBody(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}

async function serve(request, response) {
  const host = /^(.*?)(:\d+)?$/.exec(request.headers.host ?? '')?.[1];
  if (!['localhost', '127.0.0.1', '[::1]'].includes(host)) return response.writeHead(403).end();
  const id = request.headers['mcp-session-id'];
  let child = id === undefined ? undefined : sessions.get(id);
  if (id !== undefined && !child) return response.writeHead(404).end();
  if (request.method === 'DELETE') {
    child?.stop();
    sessions.delete(id);
    return response.writeHead(200).end();
  }
  if (request.method === 'GET') {
    if (!child) return response.writeHead(405).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    child.standing = openReply(response, false);
    return undefined;
  }
  const message = await readBody(request);
  const isStateless = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
  if (!child && message.method === 'initialize' && !isStateless) {
    const session = randomUUID();
    child = new Child();
    sessions.set(session, child);
    response.setHeader('mcp-session-id', session);
  }
  if (!child) shared ??= new Child();
  const target = child ?? shared;
  if (message.id === undefined || message.method === undefined) {
    target.tell(message);
    return response.writeHead(202).end();
  }
  const leave = target.ask(message, openReply(response, child === undefined));
  return response.on('close', () => child === undefined && leave());
}

const server = createServer((request, response) => {
  serve(request, response).catch(error => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500).end();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
process.on('SIGTERM', () => {
  for (const child of [...sessions.values(), shared]) child?.stop();
  server.close();
  server.closeAllConnections();
});
