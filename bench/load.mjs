/** Load on a server: calls of `echo`, a given number in flight, over stdio or HTTP; every answer is looked at. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { readLines } from './floor/lines.mjs';
import { headersOf, initialize, initialized, print, printEcho, text } from './messages.mjs';

/** A raw client on the pipes of a child process; `ask` takes a line and resolves with the answer's text. */
function stdioPeer(child) {
  const waiting = [];
  readLines(child.stdout, lines => {
    for (const line of lines) {
      // Answers that are told apart by their order would be a fault of the server; what is in them is looked at.
      if (line.includes('"id":')) waiting.shift()?.(line);
    }
  });
  let out = '';
  const flush = () => {
    child.stdin.write(out);
    out = '';
  };
  const send = line => {
    if (out === '') setImmediate(flush);
    out += `${line}\n`;
  };
  const ask = line =>
    new Promise(resolve => {
      waiting.push(resolve);
      send(line);
    });
  return { ask, send };
}

/** Calls on a stdio server: `many(calls, inFlight)` with texts of `size`; `list()`; `send(bytes)`, one call that long. */
export async function loadStdio(child, era, size = 100) {
  const { ask, send } = stdioPeer(child);
  let lastId = 0;
  if (era === 'handshake') {
    await ask(print(era, ++lastId, 'initialize', initialize));
    send(initialized);
  }
  return {
    list: () => ask(print(era, ++lastId, 'tools/list')),
    many: (calls, inFlight) => repeat(calls, inFlight, async () => ask(printEcho(era, ++lastId, size))),
    async send(bytes) {
      const given = { a: 1, b: 2, padding: 'x'.repeat(bytes) };
      const got = await ask(print(era, ++lastId, 'tools/call', { name: 'add', arguments: given }));
      if (!got.includes('"sum":3')) throw new Error(`a call was answered with ${got.slice(0, 200)}`);
    },
  };
}

/** Calls on an HTTP server; `type`: the media type that answers must have. `accept`: what the client says it takes. */
export async function loadHttp(child, { era, session: keeps, type, accept, revision }) {
  const url = await addressOf(child);
  const agent = new Agent({ keepAlive: true });
  let lastId = 0;
  let session;
  let agreed = revision;

  function post(method, body, within = session) {
    return new Promise((resolve, reject) => {
      const headers = headersOf(era, method, { accept, session: within, revision: agreed });
      headers['content-length'] = Buffer.byteLength(body);
      const { hostname, port, pathname: path } = url;
      const sent = request({ agent, method: 'POST', hostname, port, path, headers }, response => {
        let got = '';
        response.setEncoding('utf8').on('data', chunk => {
          got += chunk;
        });
        response.on('end', () => resolve({ response, got }));
      });
      sent.on('error', reject).end(body);
    });
  }

  if (keeps) {
    const { response, got } = await post('initialize', print(era, ++lastId, 'initialize', initialize));
    agreed = revisionIn(got);
    session = response.headers['mcp-session-id'];
    if (session === undefined) throw new Error('no session was opened');
    await post('notifications/initialized', initialized);
  }
  return {
    /** Opens so many sessions, each by a client of its own that makes one call and leaves nothing open. */
    async open(count) {
      let left = count;
      const opener = async () => {
        while (left > 0) {
          left -= 1;
          const { response, got } = await post('initialize', print(era, ++lastId, 'initialize', initialize));
          const own = response.headers['mcp-session-id'];
          if (own === undefined) throw new Error(`no session: ${got}`);
          agreed = revisionIn(got);
          await post('notifications/initialized', initialized, own);
          const called = await post('tools/call', printEcho(era, ++lastId), own);
          if (!called.got.includes(text)) throw new Error(`a call was answered with ${called.got}`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, opener));
    },
    many: (calls, inFlight) =>
      repeat(calls, inFlight, async () => {
        const { response, got } = await post('tools/call', printEcho(era, ++lastId));
        const said = response.headers['content-type'];
        if (!said?.startsWith(type)) throw new Error(`answered ${response.statusCode} ${said}: ${got}`);
        return got;
      }),
    close: () => agent.destroy(),
  };
}

/** The address that a server prints, among whatever else it may say. */
async function addressOf(child) {
  let printed = '';
  for (;;) {
    printed += String((await once(child.stdout, 'data'))[0]);
    const found = /^http:\S+$/m.exec(printed);
    if (found && printed.endsWith('\n')) return new URL(found[0]);
  }
}

const revisionIn = answer => /"protocolVersion":"([^"]+)"/.exec(answer)?.[1];

async function repeat(calls, inFlight, call) {
  let next = 0;
  const worker = async () => {
    while (next < calls) {
      next += 1;
      const got = await call();
      if (!got.includes(text)) throw new Error(`a call was answered with ${got}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
