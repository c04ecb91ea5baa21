import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
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

const { title, installed } = titleOf('the server is mounted', 'mounts');

describe.skipIf(!installed)(title, () => {
  describe.each(['express', 'fastify', 'hono'])('in %s', framework => {
    let work: ReturnType<typeof workFolder>;
    let running: Running | undefined;
    let url = '';

    beforeAll(async () => {
      work = workFolder('mounts');
      const program = await bundleProgram(`examples/mounts/${framework}.mjs`, work.folder, 'node');
      running = run(process.execPath, [program]);
      url = await running.found(/(http:\/\/\S+\/mcp)\s/);
    });
    afterAll(async () => {
      await running?.stop();
      work.remove();
    });

    it.each(protocols)('for a client with the protocol option "%s"', async (protocol, revision) => {
      expect(await smoke(url, protocol)).toEqual({ revision, ...expected });
    });
  });

  describe('as a route handler that exports one function for each method', () => {
    type Route = Readonly<Record<string, (request: Request) => Promise<Response>>>;
    const listener = createServer();
    let work: ReturnType<typeof workFolder>;
    let url = '';

    beforeAll(async () => {
      work = workFolder('mounts');
      const program = await bundleProgram('examples/mounts/route.mjs', work.folder, 'neutral');
      const route = (await import(/* @vite-ignore */ pathToFileURL(program).href)) as Route;
      const adapter = peerFile('mounts/node_modules/@hono/node-server/dist/index.mjs');
      const { getRequestListener } = (await import(/* @vite-ignore */ pathToFileURL(adapter).href)) as {
        getRequestListener(fetch: (request: Request) => unknown): Parameters<typeof listener.on>[1];
      };
      const absent = new Response(null, { status: 405 });
      listener.on(
        'request',
        getRequestListener(request => route[request.method]?.(request) ?? absent),
      );
      await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
    });
    afterAll(async () => {
      const closed = new Promise(resolve => listener.close(resolve));
      listener.closeAllConnections();
      await closed;
      work.remove();
    });

    it.each(protocols)('for a client with the protocol option "%s"', async (protocol, revision) => {
      expect(await smoke(url, protocol)).toEqual({ revision, ...expected });
    });
  });
});
