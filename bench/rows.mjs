/** What is measured: one row each, with a function that measures one subject once. */
import { once } from 'node:events';
import { loadHttp, loadStdio } from './load.mjs';
import { programOf, runClient, startServer } from './subject.mjs';

const eras = ['handshake', 'stateless'];
const both = 'application/json, text/event-stream';

/** How many calls: the official packages take so much longer that fewer tell the same. */
const share = { floor: 1, ours: 1, official: 0.2 };

/** Warms up, then gives the CPU time of the server for one call, in microseconds, and the calls per second. */
async function perCall(server, load, calls, inFlight) {
  await load.many(Math.ceil(calls / 3), inFlight);
  const before = await server.cpu();
  const began = performance.now();
  await load.many(calls, inFlight);
  const seconds = (performance.now() - began) / 1000;
  return { cpu: ((await server.cpu()) - before) / calls, perSecond: calls / seconds };
}

function stdioServer(era, inFlight, calls) {
  return {
    name: `stdio server, ${era}, ${inFlight === 1 ? 'one after the other' : `${inFlight} in flight`}`,
    limit: 3,
    async measure(subject, scale) {
      const server = startServer(subject, 'stdio-server');
      try {
        const load = await loadStdio(server.child, era);
        return await perCall(server, load, Math.ceil(calls * share[subject] * scale), inFlight);
      } finally {
        await server.stop();
      }
    },
  };
}

function stdioClient(era) {
  return {
    name: `stdio client, ${era}, 64 in flight`,
    limit: 3,
    measure(subject, scale) {
      const calls = Math.ceil(60_000 * share[subject] * scale);
      const server = programOf('floor', 'stdio-server');
      return runClient(subject, 'stdio-client', {
        server,
        era,
        calls,
        warmUp: Math.ceil(calls / 3),
        inFlight: 64,
      });
    },
  };
}

function httpServer(name, { era, session = false, streamed = false }) {
  const args = [...(session ? [] : ['--session-less']), ...(streamed ? ['--stream'] : [])];
  const type = streamed ? 'text/event-stream' : 'application/json';
  return {
    name: `HTTP server, ${name}, 32 in flight`,
    limit: 3,
    async measure(subject, scale) {
      // The official server takes its orders from its options alone and wants both types to be named.
      const accept =
        subject === 'official' ? both : streamed ? type : 'application/json, text/event-stream;q=0.5';
      const server = startServer(subject, 'http-server', subject === 'floor' ? [] : args);
      try {
        const load = await loadHttp(server.child, {
          era,
          session,
          type,
          accept: subject === 'floor' ? type : accept,
        });
        const measured = await perCall(server, load, Math.ceil(12_000 * share[subject] * scale), 32);
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
    limit: 5,
    async measure(subject, scale) {
      const server = startServer('floor', 'http-server', streamed ? ['--stream'] : []);
      try {
        const url = String((await once(server.child.stdout, 'data'))[0]).trim();
        const calls = Math.ceil(12_000 * share[subject] * scale);
        const asked = { url, era, calls, warmUp: Math.ceil(calls / 3), inFlight: 32 };
        return await runClient(subject, 'http-client', asked);
      } finally {
        await server.stop();
      }
    },
  };
}

/** CPU from the start of the process to the first list, in microseconds. */
function coldStart(era) {
  return {
    name: `cold start to the first list, stdio server, ${era}`,
    unit: 'start',
    async measure(subject) {
      const began = performance.now();
      const server = startServer(subject, 'stdio-server');
      try {
        const load = await loadStdio(server.child, era);
        await load.list();
        const seconds = (performance.now() - began) / 1000;
        return { cpu: await server.cpu(), perSecond: 1 / seconds };
      } finally {
        await server.stop();
      }
    },
  };
}

export const rows = [
  ...eras.flatMap(era => [stdioServer(era, 1, 20_000), stdioServer(era, 64, 120_000)]),
  ...eras.map(stdioClient),
  httpServer('session-less, JSON', { era: 'handshake' }),
  httpServer('session, JSON', { era: 'handshake', session: true }),
  httpServer('session, stream', { era: 'handshake', session: true, streamed: true }),
  httpServer('stateless, JSON', { era: 'stateless' }),
  httpServer('stateless, stream', { era: 'stateless', streamed: true }),
  ...eras.flatMap(era => [httpClient(era, false), httpClient(era, true)]),
  ...eras.map(coldStart),
];
