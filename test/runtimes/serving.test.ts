import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bundleProgram,
  peerFile,
  type Running,
  run,
  titleOf,
  workFolder,
} from '../fixtures/runtimes/program.ts';
import { expected, protocols, smoke } from '../fixtures/runtimes/smoke.ts';
import { compatibilityDates, startWorker } from '../fixtures/runtimes/workerd.ts';

interface Runtime {
  readonly name: string;
  readonly peer?: string;
  /** The program of `examples/mounts`; all of them serve the same file. */
  readonly mount: string;
  start(program: string): Promise<{ running: Running; url: string }>;
}

const url = /(http:\/\/\S+\/mcp)\s/;

/** A runtime that is started by a command and prints where it listens. */
function printing(command: string, args: readonly string[] = []): Runtime['start'] {
  return async program => {
    const running = run(command, [...args, program]);
    return { running, url: await running.found(url) };
  };
}

const node = (major: number): Runtime => ({
  name: `Node ${major}`,
  peer: `node-${major}`,
  mount: 'node',
  start: printing(peerFile(`node-${major}/node_modules/node/bin/node`)),
});

const worker = (date: string): Runtime => ({
  name: `workerd, compatibility date ${date}`,
  peer: 'runtime-workerd',
  mount: 'worker',
  async start(program) {
    const { running, origin } = await startWorker(program, date);
    return { running, url: `${origin}/mcp` };
  },
});

const runtimes: readonly Runtime[] = [
  { name: 'the Node that runs this', mount: 'node', start: printing(process.execPath) },
  node(22),
  node(24),
  node(26),
  {
    name: 'Bun',
    peer: 'runtime-bun',
    mount: 'bun',
    start: printing(peerFile('runtime-bun/node_modules/.bin/bun'), ['run']),
  },
  {
    name: 'Deno',
    peer: 'runtime-deno',
    mount: 'deno',
    start: printing(peerFile('runtime-deno/node_modules/.bin/deno'), ['run', '-A', '--no-check']),
  },
  ...compatibilityDates.map(worker),
];

/** Status and media type of the standing stream of a new session. */
async function standingHead(url: string, signal: AbortSignal): Promise<unknown[]> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'by hand', version: '1' },
  };
  const accept = 'application/json, text/event-stream';
  const opened = await fetch(url, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await opened.text();
  const session = opened.headers.get('mcp-session-id') ?? 'none';
  const stream = await fetch(url, { headers: { accept, 'mcp-session-id': session }, signal });
  await stream.body?.cancel();
  return [stream.status, stream.headers.get('content-type')];
}

describe('the same server file', () => {
  for (const runtime of runtimes) {
    const said = `is served by ${runtime.name}`;
    const { title, installed } = runtime.peer
      ? titleOf(said, runtime.peer)
      : { title: said, installed: true };

    describe.skipIf(!installed)(title, () => {
      let work: ReturnType<typeof workFolder>;
      let started: Awaited<ReturnType<Runtime['start']>> | undefined;

      beforeAll(async () => {
        work = workFolder('mounts');
        const platform = runtime.mount === 'node' ? 'node' : 'neutral';
        const program = await bundleProgram(`examples/mounts/${runtime.mount}.mjs`, work.folder, platform);
        started = await runtime.start(program);
      });
      afterAll(async () => {
        await started?.running.stop();
        work.remove();
      });

      it.each(protocols)(
        'to a client with the protocol option "%s": list, call, elicit, stream',
        async (protocol, revision) => {
          expect(await smoke(started?.url ?? '', protocol)).toEqual({ revision, ...expected });
        },
      );

      it('to a client that opens the standing stream and hears at once that it is there', async () => {
        // A heartbeat would come after 15 seconds; nothing else is said on the stream.
        const head = await standingHead(started?.url ?? '', AbortSignal.timeout(10_000));
        expect(head).toEqual([200, 'text/event-stream']);
      });
    });
  }
});
