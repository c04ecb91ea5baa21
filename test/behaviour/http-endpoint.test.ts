import { afterEach, describe, expect, it } from 'vitest';
import { type HttpService, type ServeHttpOptions, serveHttp } from '../../src/entries/node.ts';
import { bearer, handler, memoryEvents, Server, tool } from '../../src/entries/server.ts';
import { guardRejections } from '../fixtures/eras/rejections.ts';
import { eventsOf, post } from '../fixtures/http/served.ts';

guardRejections();

const open: HttpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(service => service.close()));
});

/** One definition; its author knows of no era and of no transport. */
function definition(): Server {
  return new Server({
    name: 'greeter',
    version: '1.0.0',
    tools: [
      tool({
        name: 'greet',
        description: 'Asks for a name and greets.',
        input: { type: 'object', properties: { greeting: { type: 'string', 'x-mcp-header': 'Greeting' } } },
        async run({ greeting = 'Hello' }: { greeting?: string }, ctx) {
          ctx.progress(1);
          const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
          const { content } = await ctx.elicit('name', { message: 'Who?', requestedSchema: form });
          return `${greeting}, ${String(content?.['name'])}! (${ctx.principal ?? 'nobody'})`;
        },
      }),
      tool({
        name: 'wait',
        description: 'Runs until it is cancelled.',
        run: (_args, ctx) =>
          new Promise<string>((_resolve, reject) => {
            ctx.signal.addEventListener('abort', () => {
              aborted();
              reject(ctx.signal.reason);
            });
            ctx.progress(1);
          }),
      }),
      tool({
        name: 'pause',
        description: 'Sends its client away for a while.',
        run(_args, ctx) {
          ctx.closeStream();
          return 'back again';
        },
      }),
    ],
  });
}

let aborted = (): void => {};

async function serve(options: ServeHttpOptions = {}): Promise<string> {
  const service = await serveHttp(definition(), options);
  open.push(service);
  return service.url;
}

interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

interface Told {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

type Headers = Readonly<Record<string, string>>;

/** Everything that comes for one request, as it comes. */
async function* ask(url: string, body: object, headers: Headers = {}): AsyncGenerator<Told> {
  const response = await fetch(url, post(body, headers));
  if (response.headers.get('content-type') === 'application/json') yield (await response.json()) as Told;
  else for await (const { data } of eventsOf(response)) if (data !== '') yield JSON.parse(data) as Told;
}

async function last(told: AsyncGenerator<Told>): Promise<Told> {
  let final: Told = {};
  for await (const each of told) final = each;
  return final;
}

async function openSession(url: string, headers: Headers = {}): Promise<Headers> {
  const clientInfo = { name: 'raw', version: '0' };
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
  const response = await fetch(url, post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers));
  await response.text();
  return { ...headers, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

const answer = (name: string): object => ({ action: 'accept', content: { name } });

async function greetInSession(url: string, name: string, session: Headers): Promise<string | undefined> {
  const params = { name: 'greet', arguments: { greeting: 'Hi' } };
  let text: string | undefined;
  for await (const told of ask(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session)) {
    if (told.method === 'elicitation/create') {
      const reply = { jsonrpc: '2.0', id: told.id, result: answer(name) };
      expect((await fetch(url, post(reply, session))).status).toBe(202);
    } else text = told.result?.content[0]?.text ?? text;
  }
  return text;
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

function callAlone(
  url: string,
  name: string,
  more: object = {},
  headers: Headers = {},
): AsyncGenerator<Told> {
  const params = { name, arguments: { greeting: 'Hi' }, _meta: envelope, ...more };
  const mirrored = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
    'mcp-param-greeting': 'Hi',
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return ask(url, body, { ...mirrored, ...headers });
}

async function greetAlone(url: string, name: string, headers: Headers = {}): Promise<string | undefined> {
  const first = await last(callAlone(url, 'greet', {}, headers));
  expect(first.result?.inputRequests).toHaveProperty('name');
  const more = { inputResponses: { name: answer(name) }, requestState: first.result?.requestState };
  return (await last(callAlone(url, 'greet', more, headers))).result?.content[0]?.text;
}

describe('one endpoint', () => {
  it('serves clients of both eras at once, all with the same ids, and mixes nothing up', async () => {
    const url = await serve();
    const names = Array.from({ length: 12 }, (_none, index) => `n${index}`);
    const greetings = await Promise.all(
      names.map(async (name, index) =>
        index % 2 === 0 ? greetInSession(url, name, await openSession(url)) : greetAlone(url, name),
      ),
    );
    expect(greetings).toEqual(names.map(name => `Hi, ${name}! (nobody)`));
  });

  it('tells tools who calls, and lets nobody go on with the call of another', async () => {
    const url = await serve({ authenticate: bearer({ alice: 'token-a', bob: 'token-b' }) });
    const [alice, bob] = [{ authorization: 'Bearer token-a' }, { authorization: 'Bearer token-b' }];
    expect(await greetInSession(url, 'Ada', await openSession(url, alice))).toBe('Hi, Ada! (alice)');
    expect(await greetAlone(url, 'Ada', alice)).toBe('Hi, Ada! (alice)');
    const first = await last(callAlone(url, 'greet', {}, alice));
    const more = { inputResponses: { name: answer('Eve') }, requestState: first.result?.requestState };
    const stolen = await last(callAlone(url, 'greet', more, bob));
    expect(stolen.error?.message).toContain('refused');
    const session = await openSession(url, alice);
    const other = await fetch(url, post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { ...session, ...bob }));
    expect(other.status).toBe(404);
  });

  it('aborts the tool of a client that leaves a request which stands for itself', async () => {
    const url = await serve();
    const noticed = new Promise<void>(resolve => {
      aborted = resolve;
    });
    const calls = callAlone(url, 'wait', { arguments: {}, _meta: { ...envelope, progressToken: 1 } });
    expect((await calls.next()).value?.method).toBe('notifications/progress');
    await calls.return(undefined);
    await noticed;
  });

  it('lets a tool send its client away, and delivers the answer when that comes back', async () => {
    const url = await serve({ events: memoryEvents(), retry: 50 });
    const session = await openSession(url);
    const params = { name: 'pause', arguments: {} };
    const response = await fetch(url, post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session));
    const events = [];
    for await (const event of eventsOf(response)) events.push(event);
    expect(events[0]).toMatchObject({ id: expect.any(String), retry: 50, data: '' });
    const headers = { ...session, accept: 'text/event-stream', 'last-event-id': events[0]?.id ?? '' };
    const back = await fetch(url, { headers });
    const said: string[] = [];
    for await (const { data } of eventsOf(back)) said.push(data);
    expect(JSON.parse(said[0] ?? '')).toMatchObject({ id: 1, result: { content: [{ text: 'back again' }] } });
  });

  it('keeps its session until the client ends it', async () => {
    const url = await serve();
    const session = await openSession(url);
    const ping = post({ jsonrpc: '2.0', id: 1, method: 'ping' }, session);
    expect((await fetch(url, ping)).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await fetch(url, ping)).status).toBe(404);
  });

  it('is the same behind a web handler', async () => {
    const handle = handler(definition());
    const call = async (body: object, headers: Headers): Promise<Response> =>
      await handle(new Request('http://localhost/mcp', post(body, headers)));
    const params = { protocolVersion: '2025-11-25', capabilities: {} };
    const opened = await call({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, {});
    expect(opened.headers.get('mcp-session-id')).toBeTruthy();
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const alone = await call(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope } },
      headers,
    );
    expect(((await alone.json()) as { result: { tools: unknown[] } }).result.tools).toHaveLength(3);
    await handle.close();
  });
});

describe('many requests that stand for themselves', () => {
  it('leave nothing behind on the server', async () => {
    const handle = handler(definition());
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope } };
    const one = (): Promise<Response> => handle(new Request('http://localhost/mcp', post(body, headers)));
    for (let n = 0; n < 200; n += 1) expect((await one()).status).toBe(200);
    // Closing waits for whatever is still held.
    await handle.close('over', 60_000);
    expect((await one()).status).toBe(503);
  });
});
