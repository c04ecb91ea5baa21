/** What our servers allocate for a call over stdio and over HTTP, and what an idle session keeps. */
import { connect } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { serveHttp } from 'tenon/node';
import { overHttp } from 'tenon/server';
import { serveStdio } from 'tenon/stdio';
import { headersOf, initialize, print, printEcho, text } from '../messages.mjs';
import { server } from '../ours/definition.mjs';
import { allocated } from './count.mjs';

export async function stdioServer(era) {
  const input = new PassThrough({ highWaterMark: 1e9 });
  let answered = () => {};
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (chunk.at(-1) === 10) answered();
      done();
    },
  });
  const service = serveStdio(server, { input, output });
  const send = line =>
    new Promise(resolve => {
      answered = resolve;
      input.write(line);
    });
  if (era === 'handshake') await send(`${print(era, 0, 'initialize', initialize)}\n`);
  let lastId = 0;
  const bytes = await allocated(() => send(`${printEcho(era, ++lastId)}\n`));
  await service.close();
  return bytes;
}

/** The client is a bare socket that allocates next to nothing, so that the figure is the server's. */
export async function httpServer(era) {
  const service = await serveHttp(server);
  const { exchange, close } = await bareHttp(Number(new URL(service.url).port));
  let session;
  if (era === 'handshake') {
    const opened = await exchange(printPost(era, 'initialize', print(era, 1, 'initialize', initialize)));
    session = /^mcp-session-id: (.+)\r$/im.exec(opened.head())[1];
  }
  // Ids of as many digits, written in place: each answer is as long as the first.
  let id = 1_000_000;
  const request = printPost(era, 'tools/call', printEcho(era, id), session);
  const at = request.indexOf(String(id));
  const first = await exchange(request);
  if (!first.head().startsWith('HTTP/1.1 200') || !first.head().includes(text)) throw new Error(first.head());
  const bytes = await allocated(() => {
    id += 1;
    request.write(String(id), at);
    return exchange(request, first.length);
  });
  close();
  await service.close();
  return bytes;
}

function printPost(era, method, body, session) {
  const accept = 'application/json, text/event-stream;q=0.5';
  const headers = { host: 'localhost', ...headersOf(era, method, { accept, session }) };
  headers['content-length'] = Buffer.byteLength(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** One request after the other on one socket, read into one buffer; `length` of the answer saves looking for its end. */
async function bareHttp(port) {
  const buffer = Buffer.alloc(65_536);
  let wanted;
  let got = 0;
  let answered = () => {};
  const kept = Buffer.alloc(65_536);
  const callback = read => {
    got += buffer.copy(kept, got, 0, read);
    wanted ??= lengthOf(kept.latin1Slice(0, got));
    if (got > wanted) throw new Error(`an answer of ${got} bytes where ${wanted} were expected`);
    if (got === wanted) answered({ length: got, head: () => kept.latin1Slice(0, got) });
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const exchange = (request, length) =>
    new Promise(resolve => {
      wanted = length;
      got = 0;
      answered = resolve;
      socket.write(request);
    });
  return { exchange, close: () => socket.destroy() };
}

function lengthOf(answer) {
  const end = answer.indexOf('\r\n\r\n');
  const [, body] = /^content-length: (\d+)\r$/im.exec(answer) ?? [];
  if (end === -1 || body === undefined) throw new Error(`no answer with a length: ${answer}`);
  return end + 4 + Number(body);
}

/** Bytes that a session keeps once its client has made a call. */
export async function idleSession() {
  const sessions = 2000;
  const acceptor = overHttp(server).acceptHttp();
  const post = (body, session) =>
    new Promise((resolve, reject) => {
      const header = name => (name === 'mcp-session-id' ? session : undefined);
      const accepts = { json: true, stream: true };
      const whole = (_status, answer, headers) => resolve({ answer, headers });
      const reply = { whole, stream: () => reject(new Error('a stream')), onLeave: () => {} };
      acceptor.respond({ method: 'POST', url: '/mcp', header, body, bytes: 100, accepts }, reply);
    });
  const open = async () => {
    const { headers } = await post(JSON.parse(print('handshake', 1, 'initialize', initialize)));
    const { answer } = await post(JSON.parse(printEcho('handshake', 2)), headers['Mcp-Session-Id']);
    if (answer.result?.content[0].text !== text) throw new Error(JSON.stringify(answer));
  };
  const used = () => {
    globalThis.gc();
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  for (let opened = 0; opened < sessions / 4; opened += 1) await open();
  const before = used();
  for (let opened = 0; opened < sessions; opened += 1) await open();
  const bytes = Math.round((used() - before) / sessions);
  await acceptor.close(new Error('measured'));
  return bytes;
}
