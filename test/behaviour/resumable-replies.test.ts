import { handler, memoryEvents, Server, tool } from 'tenon/server';
import { expect, it } from 'vitest';

const server = new Server({
  name: 'resumable',
  version: '1',
  tools: [tool({ name: 'hello', description: 'd', run: () => 'hello' })],
});

/** The reply to a call of a client that takes JSON as well as an event stream. */
async function callThrough(handle: (request: Request) => Promise<Response>): Promise<Response> {
  const post = (message: object, session?: string): Promise<Response> =>
    handle(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'Mcp-Session-Id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      }),
    );
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await post({ id: 1, method: 'initialize', params });
  await opened.text();
  return post(
    { id: 2, method: 'tools/call', params: { name: 'hello' } },
    opened.headers.get('Mcp-Session-Id') ?? '',
  );
}

it('answers a call by JSON where a lost answer could not be fetched again', async () => {
  const handle = handler(server);
  const reply = await callThrough(handle);
  expect(reply.headers.get('Content-Type')).toMatch('application/json');
  expect(await reply.json()).toMatchObject({ id: 2, result: { content: [{ text: 'hello' }] } });
  await handle.close();
});

it('answers a call by a stream that can be taken up again from its first event on, where events are kept', async () => {
  const handle = handler(server, { events: memoryEvents() });
  const reply = await callThrough(handle);
  expect(reply.headers.get('Content-Type')).toMatch('text/event-stream');
  const [first = '', second = ''] = (await reply.text()).split('\n\n');
  expect(first).toMatch(/^id: \S+/m);
  expect(first).not.toMatch(/^data: \S/m);
  expect(second).toContain('"hello"');
  await handle.close();
});
