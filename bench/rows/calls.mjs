/** Rows of calls: what one costs on a server and on a client, over stdio, over HTTP, and within one process. */
import { once } from 'node:events';
import { loadHttp, loadStdio } from '../load.mjs';
import { programOf, runProgram, startServer, subjects, takesPart } from '../subject.mjs';

const eras = ['handshake', 'stateless'];
const both = 'application/json, text/event-stream';

/** Warms up, then gives the CPU time of the server for one call, in microseconds, and the calls per second. */
export async function perCall(server, load, calls, inFlight) {
  await load.many(Math.ceil(calls / 3), inFlight);
  const before = await server.cpu();
  const began = performance.now();
  await load.many(calls, inFlight);
  const seconds = (performance.now() - began) / 1000;
  return { value: ((await server.cpu()) - before) / calls, perSecond: calls / seconds };
}

function stdioServer(era, { inFlight, calls, size = 100, aim }) {
  const text = size === 100 ? '' : `, ${size / 1000} KB`;
  const crowd = inFlight === 1 ? 'one after the other' : `${inFlight} in flight`;
  return {
    name: `stdio server, ${era}, ${crowd}${text}`,
    aim,
    has: subject => takesPart(subject, 'stdio-server', era),
    async measure(subject, scale) {
      const server = startServer(subject, 'stdio-server');
      try {
        const load = await loadStdio(server.child, era, { size });
        return await perCall(server, load, Math.ceil(calls * subjects[subject].share * scale), inFlight);
      } finally {
        await server.stop();
      }
    },
  };
}

function stdioClient(era, { inFlight, all, aim }) {
  return {
    name: `stdio client, ${era}, ${inFlight.toLocaleString('en')} in flight`,
    aim,
    has: subject => takesPart(subject, 'stdio-client', era),
    measure(subject, scale) {
      const calls = Math.ceil(all * subjects[subject].share * scale);
      const server = programOf('floor', 'stdio-server');
      const warmUp = Math.ceil(calls / 3);
      return runProgram(subject, 'stdio-client', { server, era, calls, warmUp, inFlight });
    },
  };
}

/** Some take their orders from the client, some from their options and want both types to be named. */
function accepted(subject, streamed) {
  if (subject === 'floor') return streamed ? 'text/event-stream' : 'application/json';
  if (subject === 'ours') return streamed ? 'text/event-stream' : 'application/json, text/event-stream;q=0.5';
  return subject === 'mcp-lite' && !streamed ? 'application/json' : both;
}

function httpServer(name, { era, session = false, streamed = false, inFlight = 32, calls = 12_000, aim }) {
  const args = [...(session ? [] : ['--session-less']), ...(streamed ? ['--stream'] : [])];
  const type = streamed ? 'text/event-stream' : 'application/json';
  return {
    name: `HTTP server, ${name}, ${inFlight === 1 ? 'one after the other' : `${inFlight} in flight`}`,
    aim,
    has: subject =>
      takesPart(subject, 'http-server', era) &&
      // It answers with event streams alone, and always keeps sessions for the handshake.
      !(subject === 'tmcp' && (!streamed || (era === 'handshake' && !session))),
    async measure(subject, scale) {
      const server = startServer(subject, 'http-server', subject === 'floor' ? [] : args);
      try {
        const accept = accepted(subject, streamed);
        const revision = era === 'handshake' ? subjects[subject].revision : undefined;
        const load = await loadHttp(server.child, { era, session, type, accept, revision });
        const measured = await perCall(
          server,
          load,
          Math.ceil(calls * subjects[subject].share * scale),
          inFlight,
        );
        load.close();
        return measured;
      } finally {
        await server.stop();
      }
    },
  };
}

function httpClient(era, streamed) {
  return {
    name: `HTTP client, ${era}, ${streamed ? 'stream' : 'JSON'}, 32 in flight`,
    aim: streamed ? 3 : 2.5,
    has: subject => takesPart(subject, 'http-client', era),
    async measure(subject, scale) {
      const server = startServer('floor', 'http-server', streamed ? ['--stream'] : []);
      try {
        const url = String((await once(server.child.stdout, 'data'))[0]).trim();
        const calls = Math.ceil(12_000 * subjects[subject].share * scale);
        const asked = { url, era, calls, warmUp: Math.ceil(calls / 3), inFlight: 32 };
        return await runProgram(subject, 'http-client', asked);
      } finally {
        await server.stop();
      }
    },
  };
}

function inMemory(inFlight) {
  return {
    name: `in memory, end to end, ${inFlight === 1 ? 'one after the other' : `${inFlight} in flight`}`,
    // 4 µs where the floor is 0.6.
    aim: 6.7,
    has: subject => takesPart(subject, 'in-memory'),
    measure(subject, scale) {
      const calls = Math.ceil(200_000 * subjects[subject].share * scale);
      return runProgram(subject, 'in-memory', { calls, warmUp: Math.ceil(calls / 3), inFlight });
    },
  };
}

export const callRows = [
  ...eras.flatMap(era => [
    stdioServer(era, { inFlight: 1, calls: 20_000 }),
    stdioServer(era, { inFlight: 64, calls: 120_000, aim: 1.8 }),
    stdioServer(era, { inFlight: 1000, calls: 120_000 }),
  ]),
  stdioServer('handshake', { inFlight: 64, calls: 2_000, size: 100_000 }),
  ...eras.map(era => stdioClient(era, { inFlight: 64, all: 60_000, aim: 2 })),
  stdioClient('handshake', { inFlight: 10_000, all: 60_000 }),
  httpServer('session-less, JSON', { era: 'handshake', inFlight: 1, calls: 4_000 }),
  httpServer('session-less, JSON', { era: 'handshake', aim: 2 }),
  httpServer('session-less, stream', { era: 'handshake', streamed: true }),
  httpServer('session, JSON', { era: 'handshake', session: true, aim: 2 }),
  httpServer('session, stream', { era: 'handshake', session: true, streamed: true, aim: 2.2 }),
  httpServer('stateless, JSON', { era: 'stateless', aim: 2 }),
  httpServer('stateless, stream', { era: 'stateless', streamed: true, aim: 2.2 }),
  ...eras.flatMap(era => [httpClient(era, false), httpClient(era, true)]),
  inMemory(1),
  inMemory(64),
];
