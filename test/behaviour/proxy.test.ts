/** What a proxy does beside handing on: one call whatever happens, sessions apart, bounds, and clear ends. */
import { afterEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../src/basics/manual-clock.ts';
import { proxy } from '../../src/bridge/proxy/proxy.ts';
import { type Client, type ClientOptions, connect, EraMemory, http } from '../../src/entries/client.ts';
import { serveHttp } from '../../src/entries/node.ts';
import { dispatch, Server, tool } from '../../src/entries/server.ts';
import { countingServer, form, newer, older, Stands, textOf } from '../fixtures/proxy-stand.ts';

const stands = new Stands();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await stands.close();
});

const answers: ClientOptions = {
  onElicit: ({ message }) => ({ action: 'accept', content: { name: message } }),
};

const envelope = {
  'io.modelcontextprotocol/protocolVersion': newer,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};
const rawCall = (name: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: { who: 'raw' }, _meta: envelope, ...more },
});
type Round = {
  readonly result: {
    readonly resultType: string;
    readonly requestState: string;
    readonly inputRequests: Record<string, { readonly params: { readonly message: string } }>;
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
};
const answered = ({ result }: Round) => ({
  requestState: result.requestState,
  inputResponses: Object.fromEntries(
    Object.entries(result.inputRequests).map(([key, { params }]) => [
      key,
      { action: 'accept', content: { name: params.message } },
    ]),
  ),
});

describe('a call that asks', () => {
  it.each([
    { front: newer, back: older, streams: false },
    { front: newer, back: older, streams: true },
    { front: older, back: older, streams: false },
    { front: older, back: newer, streams: false },
    { front: newer, back: newer, streams: true },
  ])('is made once: $front in front, $back behind, streams $streams', async setting => {
    const count = countingServer();
    const client = await stands.make(count.server, setting).client(answers);
    expect(textOf(await client.call('ask', { who: 'she' }))).toBe('she first, she second, she third');
    // A handler of the newer kind runs again for each round by itself; nothing else may run it.
    expect(count.asked).toBe(setting.back === older ? 1 : 4);
  });

  it('tells its client what was told while that one answered', async () => {
    let goOn = (_last: number): void => {};
    const asking = tool({
      name: 'ask',
      description: 'Asks once, reports progress and logs.',
      async run(_args, { elicit, log, progress }) {
        const answer = elicit('name', { message: 'Who?', requestedSchema: form });
        progress(1);
        const last = await new Promise<number>(resolve => {
          goOn = resolve;
        });
        for (let done = 2; done <= last; done += 1) {
          if (done % 2 === 0) log('warning', done);
          else progress(done, { total: last });
        }
        await answer;
        return 'done';
      },
    });
    const know = tool({ name: 'know', description: 'Knows.', run: () => 'known' });
    const server = new Server({ name: 's', version: '1', tools: [asking, know] });
    const upTo = (last: number, from = 1): number[] =>
      Array.from({ length: last + 1 - from }, (_none, at) => from + at);
    for (const front of [newer, older] as const) {
      for (const [last, kept] of [
        [6, upTo(6)],
        [1000, [1, ...upTo(1000, 901)]],
      ] as const) {
        const heard: unknown[] = [];
        const client = await stands.make(server, { front, back: older }).client({
          logLevel: 'debug',
          onLog: ({ data }) => heard.push(data),
          onElicit: async () => {
            goOn(last);
            await client.call('know');
            return { action: 'accept', content: { name: 'she' } };
          },
        });
        await client.call('ask', {}, { onProgress: ({ progress }) => heard.push(progress) });
        // A call that is never left without a request hears of everything.
        expect(heard).toEqual(front === newer ? kept : upTo(last));
      }
    }
  });

  it('of many clients at once gets each answer from its own client', async () => {
    const count = countingServer();
    const { client } = stands.make(count.server, { front: newer, back: older });
    const clients = await Promise.all(Array.from({ length: 8 }, () => client(answers)));
    const texts = await Promise.all(
      clients.map(async (each, at) => textOf(await each.call('ask', { who: `n${at}` }))),
    );
    expect(texts).toEqual(clients.map((_none, at) => `n${at} first, n${at} second, n${at} third`));
    expect(count.asked).toBe(8);
  });

  it('without sessions gets a connection on which no other question can be taken for its own', async () => {
    const count = countingServer();
    const stand = stands.make(count.server, { front: newer, back: older });
    const service = await serveHttp(stand.middle, { drain: 1 });
    closers.push(() => service.close());
    const client = await connect(http(service.url), { protocol: newer, ...answers });
    closers.push(() => client.close());
    const texts = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async who => textOf(await client.call('ask', { who }))),
    );
    expect(texts).toEqual(['a', 'b', 'c', 'd'].map(who => `${who} first, ${who} second, ${who} third`));
    expect(count.asked).toBe(4);
    // They are free now, and taken again.
    const before = stand.connects;
    expect(textOf(await client.call('ask', { who: 'e' }))).toContain('e third');
    expect(stand.connects).toBe(before);
  });

  /** A request of its own each time, as a client without a session sends them. */
  async function overHttp(stand: {
    middle: ReturnType<typeof proxy>;
  }): Promise<(message: object) => Promise<Round>> {
    const service = await serveHttp(stand.middle, { drain: 1 });
    closers.push(() => service.close());
    return async message => {
      const reply = await fetch(service.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'MCP-Protocol-Version': newer,
          'Mcp-Method': 'tools/call',
          'Mcp-Name': (message as ReturnType<typeof rawCall>).params.name,
        },
        body: JSON.stringify(message),
      });
      return (await reply.json()) as Round;
    };
  }

  it('goes on from the sealed state, and a round that is sent again changes nothing', async () => {
    const count = countingServer();
    const send = await overHttp(stands.make(count.server, { front: newer, back: older }));
    const first = await send(rawCall('ask'));
    expect(first.result.resultType).toBe('input_required');
    const [second, twin] = await Promise.all([
      send(rawCall('ask', answered(first))),
      send(rawCall('ask', answered(first))),
    ]);
    expect(Object.values(twin.result.inputRequests)).toEqual(Object.values(second.result.inputRequests));
    const third = await send(rawCall('ask', answered(second)));
    const last = await send(rawCall('ask', answered(third)));
    expect(last.result.content[0]?.text).toBe('raw first, raw second, raw third');
    // The answer may not have reached the client, which sends its last round again.
    expect((await send(rawCall('ask', answered(third)))).result.content).toEqual(last.result.content);
    expect(count.asked).toBe(1);
  });

  it('whose process is gone is not made again: the outcome is unknown', async () => {
    const count = countingServer();
    const state = { keys: ['one secret for both'] };
    const gone = stands.make(count.server, { front: newer, back: older, state });
    const first = await (await overHttp(gone))(rawCall('ask'));
    const other = stands.make(count.server, { front: newer, back: older, state });
    const { result } = await (await overHttp(other))(rawCall('ask', answered(first)));
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(/outcome of this call is unknown/);
    expect(count.asked).toBe(1);
    expect(other.connects).toBe(0);
  });

  it('whose connection was lost while its client answered says that the outcome is unknown', async () => {
    const count = countingServer();
    const stand = stands.make(count.server, { front: newer, back: older });
    const send = await overHttp(stand);
    const first = await send(rawCall('ask'));
    await stand.behind[0]?.close();
    const { result } = await send(rawCall('ask', answered(first)));
    expect([result.isError, result.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/outcome of this call is unknown/),
    ]);
  });

  it('is given up when its client does not come again', async () => {
    const count = countingServer();
    const clock = manualClock();
    const stand = stands.make(count.server, { front: newer, back: older, clock, state: { ttl: 1000 } });
    const send = await overHttp(stand);
    const first = await send(rawCall('ask'));
    clock.advance(1001);
    const { error } = (await send(rawCall('ask', answered(first)))) as unknown as {
      error?: { message: string };
    };
    // The state itself may have expired as well, by the clock of the machine.
    if (error) expect(error.message).toMatch(/expired/);
    expect(count.asked).toBe(1);
  });
});

describe('what passes', () => {
  it('names the server behind, and promises only what is handed on', async () => {
    const client = await stands.make(countingServer().server, { front: newer, back: older }).client();
    expect(client.server).toMatchObject({ name: 'counting', title: 'The counting server', version: '1.2.3' });
    expect(client.instructions).toBe('Count.');
    expect(Object.keys(client.capabilities).sort()).toEqual(['logging', 'resources', 'tools']);
  });

  it.each([
    [newer, older],
    [older, newer],
  ])('shows the server what the client in front can do, and no more: %s, %s', async (front, back) => {
    const { client } = stands.make(countingServer().server, { front, back });
    const info = { name: 'who', version: '7' };
    const plain = await client({ info });
    expect(JSON.parse(textOf(await plain.call('know')))).toEqual(['who', {}]);
    const able = await client({ info, ...answers, modes: { elicit: ['form'] }, onRoots: () => [] });
    const known = JSON.parse(textOf(await able.call('know')));
    expect(known).toEqual(['who', { elicitation: { form: {} }, roots: {} }]);
  });

  it('leaves results as they are, whatever they hold', async () => {
    const client = await stands.make(countingServer().server, { front: older, back: newer }).client();
    expect(await client.call('odd')).toMatchObject({
      content: [{ type: 'hologram', depth: 3 }],
      structuredContent: { n: 1 },
      isError: true,
    });
  });

  it('answers with the error of the client’s own revision for a resource that is not there', async () => {
    for (const [front, back, code] of [
      [newer, older, -32602],
      [older, newer, -32002],
    ] as const) {
      const client = await stands.make(countingServer().server, { front, back }).client();
      await expect(client.read('note://two')).rejects.toMatchObject({ code, data: { uri: 'note://two' } });
    }
  });

  it('cancels at the server what its client cancels, however often', async () => {
    const count = countingServer();
    for (const [front, back] of [
      [newer, older],
      [older, newer],
    ] as const) {
      const client = await stands.make(count.server, { front, back }).client(answers);
      const controller = new AbortController();
      const waits = new Promise<void>(resolve => {
        count.onWait = resolve;
      });
      const call = client.call('wait', {}, { signal: controller.signal });
      await waits;
      controller.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      while (count.running > 0) await client.call('know');
    }
    expect(count.cancelled).toBe(2);
  });
});

describe('sessions', () => {
  it('have connections of their own, which end with them', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: older });
    const clients = await Promise.all([stand.client(), stand.client(), stand.client()]);
    expect(stand.connects).toBe(3);
    const gone = stand.behind.map(
      each => new Promise<void>(resolve => each.access().gone.addEventListener('abort', () => resolve())),
    );
    await Promise.all(clients.map(client => client.close()));
    await Promise.all(gone);
  });

  it('share one connection where the operator says so', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: older, share: true });
    const [one, two, able] = [await stand.client(), await stand.client(), await stand.client(answers)];
    expect(stand.connects).toBe(2);
    await one.close();
    expect(textOf(await two.call('know'))).toContain('[');
    expect(textOf(await able.call('ask', { who: 'x' }))).toContain('x third');
  });

  it('beyond the most are refused with 503 over HTTP, and taken once there is room', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: older, maxUpstreams: 2 });
    const service = await serveHttp(stand.middle, { drain: 1 });
    closers.push(() => service.close());
    const open = () => connect(http(service.url), { protocol: older, eraMemory: new EraMemory() });
    const clients = [await open(), await open()];
    await expect(open()).rejects.toThrow(/busy: all 2 connections .* try again later/);
    const initialize = { protocolVersion: older, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const refused = await fetch(service.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    await refused.body?.cancel();
    await clients[0]?.close();
    let third: Awaited<ReturnType<typeof open>> | undefined;
    // The connection behind takes a moment to end.
    while (!third) third = await open().catch(() => undefined);
    expect(textOf(await third.call('know'))).toContain('[');
    await Promise.all([third.close(), clients[1]?.close()]);
  });

  it('beyond the most are refused in words where there is no status', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: older, maxUpstreams: 1 });
    await stand.client();
    await expect(stand.client()).rejects.toThrow(/busy: all 1 connections .* try again later/);
    const reply = await dispatch(stand.middle, rawCall('know'));
    expect(reply).toMatchObject({ error: { code: -32603, message: expect.stringMatching(/^busy/) } });
  });

  it('are forgotten when nobody uses them, and their connections with them', async () => {
    const clock = manualClock();
    const stand = stands.make(countingServer().server, { front: older, back: older, clock, idle: 5000 });
    const service = await serveHttp(stand.middle, { drain: 1, clock });
    closers.push(() => service.close());
    const client = await connect(http(service.url), { protocol: older, eraMemory: new EraMemory() });
    closers.push(() => client.close());
    const gone = new Promise<void>(resolve =>
      stand.behind[0]?.access().gone.addEventListener('abort', () => resolve()),
    );
    clock.advance(5001);
    await gone;
    // The client opens another session by itself.
    expect(textOf(await client.call('know'))).toContain('[');
    expect(stand.connects).toBe(2);
  });

  it('whose server ended are over: over HTTP the next request opens another', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: older });
    const service = await serveHttp(stand.middle, { drain: 1 });
    closers.push(() => service.close());
    const client = await connect(http(service.url), { protocol: older, eraMemory: new EraMemory() });
    closers.push(() => client.close());
    await stand.behind[0]?.close();
    expect(textOf(await client.call('know'))).toContain('[');
    expect(stand.connects).toBe(2);
  });

  it('on a pipe whose server ended say so', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: older });
    const client = await stand.client();
    await stand.behind[0]?.close();
    await expect(client.call('know')).rejects.toThrow(/the server behind this proxy has ended/);
    // Another session is not concerned.
    expect(textOf(await (await stand.client()).call('know'))).toContain('[');
  });

  it('lose the call that runs with an answer that says so', async () => {
    const count = countingServer();
    const stand = stands.make(count.server, { front: older, back: older });
    const client = await stand.client();
    const waits = new Promise<void>(resolve => {
      count.onWait = resolve;
    });
    const call = client.call('wait');
    await waits;
    await stand.behind[0]?.close();
    const result = await call;
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/outcome .* is unknown/)]);
  });
});

describe('a request without a session', () => {
  it('shares a connection with others of its caller, which is closed when nobody uses it', async () => {
    const clock = manualClock();
    const stand = stands.make(countingServer().server, { front: newer, back: older, clock, idle: 5000 });
    const service = await serveHttp(stand.middle, { drain: 1 });
    closers.push(() => service.close());
    const client = await connect(http(service.url), { protocol: newer });
    closers.push(() => client.close());
    await client.call('know');
    await client.tools().all();
    expect(stand.connects).toBe(1);
    const gone = new Promise<void>(resolve =>
      stand.behind[0]?.access().gone.addEventListener('abort', () => resolve()),
    );
    clock.advance(5001);
    await gone;
    await client.call('know');
    expect(stand.connects).toBe(2);
  });

  it('of another caller gets another connection', async () => {
    const stand = stands.make(countingServer().server, { front: newer, back: older });
    const principals = ['ada', 'bob', 'ada'];
    const service = await serveHttp(stand.middle, {
      drain: 1,
      authenticate: request => ({ principal: request.header('authorization') ?? 'nobody' }),
    });
    closers.push(() => service.close());
    for (const principal of principals) {
      const client = await connect(http(service.url, { headers: { authorization: principal } }), {
        protocol: newer,
      });
      await client.call('know');
      await client.close();
    }
    expect(stand.connects).toBe(2);
  });
});

describe('callers taken for alike', () => {
  it('share one connection although they could be asked, and every call gets its answers', async () => {
    const count = countingServer();
    const stand = stands.make(count.server, { front: newer, back: older, alike: true });
    const service = await serveHttp(stand.middle, { drain: 1 });
    closers.push(() => service.close());
    const client = await connect(http(service.url), { protocol: newer, ...answers });
    closers.push(() => client.close());
    const texts = await Promise.all(
      ['a', 'b', 'c'].map(async who => textOf(await client.call('ask', { who }))),
    );
    expect(texts).toEqual(['a', 'b', 'c'].map(who => `${who} first, ${who} second, ${who} third`));
    expect([count.asked, stand.connects]).toEqual([3, 1]);
  });
});

describe('over HTTP in its other forms', () => {
  it('clients are asked where no sessions are kept', async () => {
    const count = countingServer();
    const stand = stands.make(count.server, { front: older, back: older });
    const service = await serveHttp(stand.middle, { drain: 1, sessions: false });
    closers.push(() => service.close());
    const client = await connect(http(service.url), {
      protocol: older,
      eraMemory: new EraMemory(),
      ...answers,
    });
    closers.push(() => client.close());
    expect(textOf(await client.call('ask', { who: 'x' }))).toBe('x first, x second, x third');
    expect(count.asked).toBe(1);
  });

  it('a client of the transport of two endpoints has a connection that ends with its stream', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: newer });
    const service = await serveHttp(stand.middle, { drain: 1, sse: true });
    closers.push(() => service.close());
    const stream = await fetch(service.url, { headers: { Accept: 'text/event-stream' } });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let heard = '';
    const until = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = pattern.exec(heard);
        if (found) return found[1] ?? '';
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended after ${heard}`);
        heard += new TextDecoder().decode(value);
      }
    };
    const endpoint = new URL(await until(/data: (\S+)/), service.url);
    const post = (body: object) =>
      fetch(endpoint, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      }).then(reply => reply.body?.cancel());
    const clientInfo = { name: 'old', version: '1' };
    await post({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo },
    });
    expect(await until(/"id":1,"result":.*"name":"(counting)"/)).toBe('counting');
    await post({ id: 2, method: 'tools/call', params: { name: 'know' } });
    expect(await until(/"id":2,"result":.*(old)/)).toBe('old');
    const { gone } = (stand.behind[0] as Client).access();
    await reader.cancel();
    if (!gone.aborted) await new Promise<void>(resolve => gone.addEventListener('abort', () => resolve()));
  });
});

describe('a proxy that is closed', () => {
  it('says so to whoever comes, and gives up what it holds', async () => {
    const count = countingServer();
    const stand = stands.make(count.server, { front: newer, back: older });
    const client = await stand.client(answers);
    const waits = new Promise<void>(resolve => {
      count.onWait = resolve;
    });
    const ended = client.call('wait').catch((error: unknown) => error);
    await waits;
    await stand.middle.close();
    expect(String(await ended)).toMatch(/the call was given up: the proxy was closed/);
    await expect(client.call('know')).rejects.toThrow(/this proxy is closing/);
    await expect(stand.client({ protocol: older })).rejects.toThrow(/this proxy is closing/);
    expect(count.running).toBe(0);
  });
});

describe('a call and its cancellation at the same moment', () => {
  it('leave nothing behind, whichever comes first', async () => {
    const count = countingServer();
    const client = await stands.make(count.server, { front: newer, back: older }).client(answers);
    const ends = await Promise.all(
      Array.from({ length: 300 }, async (_none, at) => {
        const controller = new AbortController();
        const call = client.call(at % 3 === 0 ? 'ask' : 'know', {}, { signal: controller.signal });
        for (let turn = 0; turn < at % 17; turn += 1) await Promise.resolve();
        controller.abort(new Error('enough'));
        return call.then(
          () => 'done',
          (error: unknown) => String(error),
        );
      }),
    );
    expect(ends.filter(end => end !== 'done' && end !== 'Error: enough')).toEqual([]);
    expect(textOf(await client.call('ask', { who: 'y' }))).toBe('y first, y second, y third');
  });
});

describe('a message in process', () => {
  it('waits for the connection behind, and leaves none', async () => {
    const stand = stands.make(countingServer().server, { front: older, back: older });
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'know' } };
    const reply = await dispatch(stand.middle, message);
    expect(reply).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } });
    const { gone } = (stand.behind[0] as Client).access();
    if (!gone.aborted) await new Promise<void>(resolve => gone.addEventListener('abort', () => resolve()));
  });
});

describe('a server that cannot be reached', () => {
  it('is a clear error in front, and the details are the operator’s alone', async () => {
    const faults: unknown[] = [];
    const middle = proxy(
      async () => {
        const { stdio } = await import('../../src/entries/stdio.ts');
        return connect(stdio({ command: 'no-such-program', args: ['--key', 'secret'] }));
      },
      { onFault: (_message, cause) => faults.push(cause) },
    );
    closers.push(() => middle.close());
    for (const protocol of ['auto', older] as const) {
      const failed: unknown = await connect(middle, { protocol, eraMemory: new EraMemory() }).catch(
        (error: unknown) => error,
      );
      expect(String(failed)).toMatch(
        /the server behind this proxy could not be reached \(command-not-found\)/,
      );
      expect(JSON.stringify(failed)).not.toContain('secret');
    }
    expect(faults[0]).toMatchObject({ name: 'ConnectionError', reason: 'command-not-found' });
  });
});
