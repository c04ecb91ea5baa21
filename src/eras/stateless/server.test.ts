import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../../test/fixtures/eras/talk.ts';
import type { Message } from '../../rpc/message.ts';
import { ProtocolError } from '../../rpc/protocol-error.ts';
import { serveEras } from '../for-servers.ts';

guardRejections();

const prefix = 'io.modelcontextprotocol/';
const info = { name: 'plain', version: '1.0.0' };

function serve(handlers: Handlers = {}) {
  const router = testRouter(handlers);
  return { router, talk: new Talk(serveEras(router)) };
}

it('a result of a tool cannot say that it is of another kind', async () => {
  const { talk } = serve({ 'tools/call': () => ({ value: { content: [], resultType: 'weird' } }) });
  expect((await talk.ask('tools/call', enveloped({ name: 'a' }))).result).toMatchObject({
    resultType: 'complete',
    content: [],
  });
});

describe('server/discover', () => {
  it('is answered with revisions, capabilities, freshness, and who the server is', async () => {
    const { talk } = serve();
    expect((await talk.ask('server/discover', enveloped())).result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { logging: {}, tools: { listChanged: true } },
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [`${prefix}serverInfo`]: info },
    });
  });

  it('may be repeated, and changes nothing', async () => {
    const { talk } = serve();
    const first = await talk.ask('server/discover', enveloped());
    expect((await talk.ask('server/discover', enveloped())).result).toEqual(first.result);
  });

  it('without an envelope says what is missing', async () => {
    const { error } = await serve().talk.ask('server/discover');
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(`${prefix}protocolVersion`);
  });
});

describe('an envelope', () => {
  it.each([
    ['a version that is no text', { [`${prefix}protocolVersion`]: 20260728 }, 'protocolVersion'],
    ['a version of null', { [`${prefix}protocolVersion`]: null }, 'protocolVersion'],
    ['no capabilities', { [`${prefix}clientCapabilities`]: undefined }, 'clientCapabilities'],
    ['capabilities of null', { [`${prefix}clientCapabilities`]: null }, 'clientCapabilities'],
    ['capabilities as a list', { [`${prefix}clientCapabilities`]: [] }, 'clientCapabilities'],
    ['an unknown log level', { [`${prefix}logLevel`]: 'loud' }, 'logLevel'],
  ])('with %s is -32602 and names the key', async (_name, meta, key) => {
    const { router, talk } = serve({ 'tools/list': () => ({ value: {} }) });
    const { error } = await talk.ask('tools/list', enveloped({}, meta));
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(`${prefix}${key}`);
    expect(router.calls).toEqual([]);
  });

  it.each(['2099-01-01', '2025-11-25', '', '2026-07-28 '])(
    'of the revision %j is -32022 and says which are served',
    async requested => {
      const { router, talk } = serve({ 'tools/list': () => ({ value: {} }) });
      for (const method of ['tools/list', 'server/discover', 'subscriptions/listen']) {
        const { error } = await talk.ask(method, enveloped({}, { [`${prefix}protocolVersion`]: requested }));
        expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested } });
      }
      expect(router.calls).toEqual([]);
    },
  );

  it('does without clientInfo, and tells handlers what it does say', async () => {
    const { talk } = serve({ who: call => ({ value: { client: { ...call.client } } }) });
    const client = async (meta: object): Promise<unknown> =>
      (await talk.ask('who', enveloped({}, { ...meta }))).result?.client;
    expect(await client({})).toEqual({ info: undefined, capabilities: {}, revision: '2026-07-28' });
    expect(
      await client({
        [`${prefix}clientInfo`]: { name: 'c', version: '1', title: 'C' },
        [`${prefix}clientCapabilities`]: { roots: {} },
      }),
    ).toEqual({
      info: { name: 'c', version: '1', title: 'C' },
      capabilities: { roots: {} },
      revision: '2026-07-28',
    });
  });

  it('belongs to its request alone: the next one may say something else', async () => {
    const { talk } = serve({ who: call => ({ value: { capabilities: call.client.capabilities } }) });
    const roots = { [`${prefix}clientCapabilities`]: { roots: {} } };
    expect((await talk.ask('who', enveloped({}, roots))).result?.capabilities).toEqual({ roots: {} });
    expect((await talk.ask('who', enveloped())).result?.capabilities).toEqual({});
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'nope'])(
    'around %s makes it a method that is not there',
    async method => {
      const { talk } = serve();
      const { error } = await talk.ask(method, enveloped({ level: 'info', protocolVersion: '2025-11-25' }));
      expect(error?.code).toBe(-32601);
      // Nothing of it counted for the other era.
      expect((await talk.ask('tools/list', {})).error?.code).toBe(-32600);
    },
  );
});

describe('a result', () => {
  it('says that it is complete and who the server is, beside what the handler put into _meta', async () => {
    const { talk } = serve({
      'tools/call': () => ({ value: { content: [], _meta: { 'example.org/x': 1 } } }),
    });
    expect((await talk.ask('tools/call', enveloped())).result).toEqual({
      resultType: 'complete',
      content: [],
      _meta: { 'example.org/x': 1, [`${prefix}serverInfo`]: info },
    });
  });

  it('says how fresh it is where the method allows, and the handler decides', async () => {
    const { talk } = serve({
      'tools/list': () => ({ value: { tools: [] }, freshness: { ttlMs: 5000, scope: 'public' } }),
      'tools/call': () => ({ value: { content: [] }, freshness: { ttlMs: 5000, scope: 'public' } }),
      'resources/list': () => ({ value: { resources: [] } }),
    });
    const fresh = { ttlMs: 5000, cacheScope: 'public' };
    expect((await talk.ask('tools/list', enveloped())).result).toMatchObject(fresh);
    expect((await talk.ask('tools/call', enveloped())).result).not.toHaveProperty('ttlMs');
    expect((await talk.ask('resources/list', enveloped())).result).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it('of the kind of an extension says so, and has no freshness', async () => {
    const { talk } = serve({ 'tools/list': () => ({ kind: 'task', value: { taskId: 'x' } }) });
    expect((await talk.ask('tools/list', enveloped())).result).toEqual({
      resultType: 'task',
      taskId: 'x',
      _meta: { [`${prefix}serverInfo`]: info },
    });
  });

  it('that never changes is decorated once', async () => {
    const value = Object.freeze({ tools: Object.freeze([]) });
    const { talk } = serve({ 'tools/list': () => ({ value }) });
    const first = await talk.ask('tools/list', enveloped());
    const second = await talk.ask('tools/list', enveloped());
    expect(second.result).toBe(first.result);
    expect(value).toEqual({ tools: [] });
  });
});

describe('a failure', () => {
  it('that a handler chose passes; a bug is hidden behind a report', async () => {
    const bug = new Error('the password is 1234');
    const { router, talk } = serve({
      'tools/list': () => {
        throw new ProtocolError(-32602, 'no such cursor', { data: { cursor: 'x' } });
      },
      'tools/call': () => Promise.reject(bug),
    });
    expect((await talk.ask('tools/list', enveloped())).error).toEqual({
      code: -32602,
      message: 'no such cursor',
      data: { cursor: 'x' },
    });
    const { error } = await talk.ask('tools/call', enveloped());
    expect(error?.code).toBe(-32603);
    expect(JSON.stringify(error)).not.toContain('1234');
    expect(router.reports).toEqual([{ message: 'tools/call: internal error', cause: bug }]);
  });
});

describe('log messages', () => {
  const logging: Handlers = {
    'tools/call': call => {
      for (const level of ['debug', 'info', 'error'] as const) call.log(level, level);
      return { value: { content: [] } };
    },
  };

  it.each([
    [undefined, []],
    ['debug', ['debug', 'info', 'error']],
    ['warning', ['error']],
    ['alert', []],
  ])('are sent as the request asks: %j', async (level, sent) => {
    const { talk } = serve(logging);
    await talk.ask('tools/call', enveloped({}, level === undefined ? {} : { [`${prefix}logLevel`]: level }));
    expect(talk.notifications.map(({ params }) => params?.level)).toEqual(sent);
  });
});

describe('where each request has a reply stream', () => {
  it('leaving it cancels the call', async () => {
    const router = testRouter({
      'tools/call': call =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => reject(call.signal.reason as Error));
        }),
    });
    const talk = new Talk(serveEras(router));
    const stream = new AbortController();
    const sent: (Message | readonly Message[])[] = [];
    const exchange = {
      send: (message: Message | readonly Message[]) => void sent.push(message),
      signal: stream.signal,
    };
    talk.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: enveloped() }, 0, exchange);
    expect(talk.inlet.running).toBe(1);
    stream.abort('left');
    await turn();
    expect(router.calls[0]?.signal.reason).toBe('left');
    expect([sent, talk.inlet.running]).toEqual([[], 0]);
  });
});
