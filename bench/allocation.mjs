/**
 * Bytes that a call allocates, and what an idle session keeps, as one line of JSON. Run by guard.mjs with a young
 * generation so large that nothing is collected meanwhile.
 */
import { PassThrough, Writable } from 'node:stream';
import { connect } from 'tenon/client';
import { overHttp } from 'tenon/server';
import { serveStdio } from 'tenon/stdio';
import { initialize, print, printEcho, revisions, text } from './messages.mjs';
import { server } from './ours/definition.mjs';

const calls = 2000;

/** Bytes for one call; `run` makes so many. */
async function allocated(run) {
  await run(calls);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  await run(calls);
  return Math.round((process.memoryUsage().heapUsed - before) / calls);
}

async function inMemory(protocol) {
  const client = await connect(server, { protocol });
  const bytes = await allocated(async count => {
    for (let done = 0; done < count; done += 1) await client.call('echo', { text });
  });
  await client.close();
  return bytes;
}

async function overStdio(era) {
  const input = new PassThrough({ highWaterMark: 1e9 });
  let answers = 0;
  let wanted = 0;
  let enough = () => {};
  const output = new Writable({
    write(chunk, _encoding, done) {
      for (const byte of chunk) if (byte === 10) answers += 1;
      if (answers >= wanted) enough();
      done();
    },
  });
  const service = serveStdio(server, { input, output });
  const send = (line, count) =>
    new Promise(resolve => {
      wanted = answers + count;
      enough = resolve;
      input.write(line);
    });
  if (era === 'handshake') await send(`${print(era, 0, 'initialize', initialize)}\n`, 1);
  let lastId = 0;
  const bytes = await allocated(async count => {
    for (let done = 0; done < count; done += 1) await send(`${printEcho(era, ++lastId)}\n`, 1);
  });
  await service.close();
  return bytes;
}

/** Bytes that a session keeps once its client has made a call. */
async function idleSession() {
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

console.log(
  JSON.stringify({
    'allocated: call in memory, handshake': await inMemory(revisions.handshake),
    'allocated: call in memory, stateless': await inMemory(revisions.stateless),
    'allocated: call on a stdio server, handshake': await overStdio('handshake'),
    'allocated: call on a stdio server, stateless': await overStdio('stateless'),
    'heap: idle session': await idleSession(),
  }),
);
