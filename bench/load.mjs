/** Load on a server: calls of `echo`, a given number in flight, over stdio or HTTP; every answer is judged. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { adds, answerReader, inFlight, lists, says, succeeds } from './answers.mjs';
import { readLines } from './floor/lines.mjs';
import { headersOf, initialize, initialized, listings, print, printEcho, text } from './messages.mjs';

/** A raw client on the pipes of a child process; `ask` takes a line and resolves once its answer is judged. */
function stdioPeer(child) {
  const answers = inFlight();
  readLines(child.stdout, lines => lines.forEach(answers.take));
  let out = '';
  const flush = () => {
    child.stdin.write(out);
    out = '';
  };
  const send = line => {
    if (out === '') setImmediate(flush);
    out += `${line}\n`;
  };
  const ask = (id, line, judge) => {
    send(line);
    return answers.of(id, judge);
  };
  return { ask, send };
}

/**
 * Calls on a stdio server: `many(calls, inFlight)` with texts of `size`; `list()`, where `tools` are expected;
 * `send(bytes)`, one call that long.
 */
export async function loadStdio(child, era, { size = text.length, tools = listings.length } = {}) {
  const { ask, send } = stdioPeer(child);
  const asOften = says('x'.repeat(size));
  const asMany = lists(tools);
  let lastId = 0;
  if (era === 'handshake') {
    await ask(++lastId, print(era, lastId, 'initialize', initialize), succeeds);
    send(initialized);
  }
  return {
    list: () => ask(++lastId, print(era, lastId, 'tools/list'), asMany),
    many: (calls, inFlight) =>
      repeat(calls, inFlight, () => ask(++lastId, printEcho(era, lastId, size), asOften)),
    send(bytes) {
      const given = { a: 1, b: 2, padding: 'x'.repeat(bytes) };
      return ask(++lastId, print(era, lastId, 'tools/call', { name: 'add', arguments: given }), adds(3));
    },
  };
}

/** Calls on an HTTP server; `type`: the media type that answers must have. `accept`: what the client says it takes. */
export async function loadHttp(child, { era, session: keeps, type, accept, revision }) {
  const url = await addressOf(child);
  const agent = new Agent({ keepAlive: true });
  const read = answerReader();
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

  const asItWas = says(text);
  const call = async within => {
    const id = ++lastId;
    const { response, got } = await post('tools/call', printEcho(era, id), within);
    const said = response.headers['content-type'];
    if (!said?.startsWith(type)) throw new Error(`answered ${response.statusCode} ${said}: ${got}`);
    // A body answers the call that it was asked for, once.
    const judgeOf = other => (other === id ? asItWas : undefined);
    const answers = messagesIn(got, said).map(message => read(message, judgeOf));
    if (answers.filter(answer => answer !== undefined).length !== 1)
      throw new Error(`a call was answered ${response.statusCode}: ${got}`);
  };
  const open = async () => {
    const { response, got } = await post('initialize', print(era, ++lastId, 'initialize', initialize));
    const opened = response.headers['mcp-session-id'];
    if (opened === undefined) throw new Error(`no session was opened: ${got}`);
    agreed = revisionIn(got);
    await post('notifications/initialized', initialized, opened);
    return opened;
  };

  if (keeps) session = await open();
  return {
    /** Opens so many sessions, each by a client of its own that makes one call and leaves nothing open. */
    open: count => repeat(count, 8, async () => call(await open())),
    many: (calls, inFlight) => repeat(calls, inFlight, () => call(session)),
    close: () => agent.destroy(),
  };
}

/** The messages of a body, JSON or an event stream. */
function messagesIn(body, type) {
  if (!type.startsWith('text/event-stream')) return [body];
  const data = body.split('\n').filter(line => line.startsWith('data:'));
  return data.map(line => line.slice(5).trim()).filter(message => message !== '');
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

async function repeat(times, atOnce, work) {
  let next = 0;
  const worker = async () => {
    while (next < times) {
      next += 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
