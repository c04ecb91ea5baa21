import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { collect } from '../collect.ts';
import { openai } from './index.ts';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<{ baseUrl: string; server: Server }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
});

const request = { messages: [{ role: 'user', content: 'x' }] } as const;
const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n';

describe('over a real connection', () => {
  it('requests that follow one another use it again', async () => {
    const ports = new Set<number | undefined>();
    const { baseUrl } = await serve((incoming, outgoing) => {
      ports.add(incoming.socket.remotePort);
      incoming.resume().on('end', () => {
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
        outgoing.write(chunk);
        outgoing.end('data: [DONE]\n\n');
      });
    });
    const model = openai({ baseUrl, model: 'm' });
    for (let round = 0; round < 6; round += 1)
      expect((await collect(model.respond(request))).text).toBe('hi');
    // The platform's pool keeps one or two; a connection that was cut short would be a new one each time.
    expect(ports.size).toBeLessThan(6);
  });

  it('one that is cut in the middle is a failure of transport, one that is refused too', async () => {
    const { baseUrl, server } = await serve((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write('data: {"choices":[]}\n\n', () => outgoing.destroy());
    });
    const model = openai({ baseUrl, model: 'm', retry: false });
    await expect(collect(model.respond(request))).rejects.toMatchObject({
      kind: 'transport',
      retryable: true,
    });
    await new Promise(resolve => server.close(resolve));
    await expect(collect(model.respond(request))).rejects.toMatchObject({
      kind: 'transport',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('a redirect is not followed', async () => {
    const paths: (string | undefined)[] = [];
    const { baseUrl } = await serve((incoming, outgoing) => {
      paths.push(incoming.url);
      outgoing.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(collect(openai({ baseUrl, model: 'm' }).respond(request))).rejects.toMatchObject({
      kind: 'configuration',
    });
    expect(paths).toEqual(['/v1/chat/completions']);
  });

  it('an abort closes it', async () => {
    const controller = new AbortController();
    let onClose: () => void = () => {};
    const closed = new Promise<void>(resolve => {
      onClose = resolve;
    });
    const { baseUrl } = await serve((_, outgoing) => {
      outgoing.on('close', onClose);
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n');
    });
    const reading = (async () => {
      for await (const part of openai({ baseUrl, model: 'm' }).respond(request, {
        signal: controller.signal,
      })) {
        if (part.type === 'text') controller.abort('enough');
      }
    })();
    await expect(reading).rejects.toBe('enough');
    await closed;
  });
});
