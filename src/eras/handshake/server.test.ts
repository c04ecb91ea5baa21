import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { Talk } from '../../../test/fixtures/eras/talk.ts';
import { ProtocolError } from '../../rpc/protocol-error.ts';
import { serveEras } from '../for-servers.ts';

guardRejections();

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const icons = [{ src: 'https://example.org/i.png' }];
const described = {
  info: {
    name: 'full',
    version: '3.1.4',
    title: 'Full',
    description: 'has it all',
    websiteUrl: 'https://example.org',
    icons,
  },
  capabilities: { logging: {}, tools: { listChanged: true } },
  instructions: 'use with care',
};

function serve(handlers: Handlers = {}) {
  const router = testRouter(handlers, described);
  return { router, talk: new Talk(serveEras(router)) };
}

describe('initialize', () => {
  it.each(revisions)('echoes %s', async revision => {
    const { talk } = serve();
    expect((await talk.initialize(revision)).result?.protocolVersion).toBe(revision);
  });

  it.each([
    ['an unknown newer revision', '2099-01-01'],
    ['an unknown older one', '2024-10-07'],
    ['the revision that has no initialize', '2026-07-28'],
    ['nothing', undefined],
    ['a number', 20251125],
    ['null', null],
  ])('answers %s with the newest that has one', async (_name, protocolVersion) => {
    const { talk } = serve();
    const { result } = await talk.ask('initialize', { protocolVersion, capabilities: {} });
    expect(result?.protocolVersion).toBe('2025-11-25');
  });

  it.each([undefined, null, {}, { clientInfo: 7, capabilities: [], protocolVersion: '2025-06-18' }])(
    'does without parameters that are missing or odd: %j',
    async params => {
      const { talk } = serve({ who: call => ({ value: { client: { ...call.client } } }) });
      expect((await talk.ask('initialize', params)).result?.serverInfo?.name).toBe('full');
      expect((await talk.ask('who')).result?.client).toMatchObject({
        info: { name: 'unknown', version: '0' },
        capabilities: {},
      });
    },
  );

  it('says of the server what the revision has a place for', async () => {
    const said = new Map<string, unknown>();
    for (const revision of revisions)
      said.set(revision, (await serve().talk.initialize(revision)).result?.serverInfo);
    const basic = { name: 'full', version: '3.1.4' };
    expect(Object.fromEntries(said)).toEqual({
      '2024-11-05': basic,
      '2025-03-26': basic,
      '2025-06-18': { ...basic, title: 'Full' },
      '2025-11-25': described.info,
    });
  });

  it('tells capabilities and instructions, and nothing of the other era', async () => {
    const { result } = await serve().talk.initialize('2025-11-25');
    expect(Object.keys(result ?? {}).sort()).toEqual([
      'capabilities',
      'instructions',
      'protocolVersion',
      'serverInfo',
    ]);
    expect(result).toMatchObject({
      capabilities: described.capabilities,
      instructions: 'use with care',
    });
  });

  it('repeated with the same parameters is answered the same and changes nothing', async () => {
    const { router, talk } = serve();
    const first = await talk.initialize('2025-03-26');
    await talk.ask('logging/setLevel', { level: 'error' });
    const second = await talk.initialize('2025-03-26');
    expect(second.result).toEqual(first.result);
    expect(router.listeners).toBe(1);
  });

  it('is refused when a client says too much of itself, and may be sent anew', async () => {
    const { talk } = serve();
    const clientInfo = { name: 'x'.repeat(65_536), version: '1' };
    const { error } = await talk.initialize('2025-11-25', { clientInfo });
    expect(error).toMatchObject({ code: -32602 });
    expect((await talk.ask('tools/list')).error?.message).toContain('initialize first');
    expect((await talk.initialize('2025-11-25')).result?.protocolVersion).toBe('2025-11-25');
  });

  it('repeated with others of the same length is told apart', async () => {
    const { talk } = serve();
    await talk.initialize('2025-11-25', { clientInfo: { name: 'ab', version: '1' } });
    const { error } = await talk.initialize('2025-11-25', { clientInfo: { name: 'ba', version: '1' } });
    expect(error?.message).toContain('initialized already');
  });

  it('repeated with others is refused, and the session stays as it was', async () => {
    const { talk } = serve({ who: call => ({ value: { revision: call.client.revision } }) });
    await talk.initialize('2025-03-26');
    const { error } = await talk.initialize('2025-11-25');
    expect(error).toMatchObject({ code: -32600 });
    expect(error?.message).toContain('initialized already');
    expect((await talk.ask('who')).result).toEqual({ revision: '2025-03-26' });
  });
});

describe('before initialize', () => {
  it.each(['tools/list', 'tools/call', 'logging/setLevel', 'nope'])(
    '%s is refused with what to do, and not run',
    async method => {
      const { router, talk } = serve({ 'tools/list': () => ({ value: {} }) });
      const { error } = await talk.ask(method, { level: 'info' });
      expect(error).toMatchObject({ code: -32600 });
      expect(error?.message).toContain('initialize first');
      expect(router.calls).toEqual([]);
    },
  );

  it('ping is answered', async () => {
    expect((await serve().talk.ask('ping')).result).toEqual({});
  });

  it('changes are not told', () => {
    const { router, talk } = serve();
    router.change({ kind: 'tools' });
    expect(talk.got).toEqual([]);
  });
});

describe('a session', () => {
  it('needs no notification to be open', async () => {
    const { talk } = serve({ 'tools/list': () => ({ value: { tools: [] } }) });
    await talk.initialize('2025-11-25');
    expect((await talk.ask('tools/list')).result).toEqual({ tools: [] });
  });

  it('is told of changes without asking', async () => {
    const { router, talk } = serve();
    await talk.initialize('2024-11-05');
    for (const kind of ['tools', 'prompts', 'resources'] as const) router.change({ kind });
    router.change({ kind: 'resource', uri: 'file:///a' });
    expect(talk.notifications).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
      { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' },
      { jsonrpc: '2.0', method: 'notifications/resources/list_changed' },
    ]);
  });

  it('tells handlers who its client is, from its beginning on', async () => {
    const { talk } = serve({ who: call => ({ value: { client: { ...call.client } } }) });
    await talk.initialize('2025-06-18', { capabilities: { roots: { listChanged: true } } });
    expect((await talk.ask('who')).result?.client).toEqual({
      info: { name: 'raw', version: '0' },
      capabilities: { roots: { listChanged: true } },
      revision: '2025-06-18',
    });
  });

  it('has no method of the other era', async () => {
    const { talk } = serve();
    await talk.initialize('2025-11-25');
    for (const method of ['server/discover', 'subscriptions/listen']) {
      expect((await talk.ask(method)).error).toMatchObject({ code: -32602 });
    }
  });

  it('answers errors that a handler chose, and hides bugs behind a report', async () => {
    const bug = new Error('the password is 1234');
    const { router, talk } = serve({
      'tools/list': () => {
        throw new ProtocolError(-32602, 'no such cursor', { data: { cursor: 'x' } });
      },
      'tools/call': () => Promise.reject(bug),
    });
    await talk.initialize('2025-11-25');
    expect((await talk.ask('tools/list')).error).toEqual({
      code: -32602,
      message: 'no such cursor',
      data: { cursor: 'x' },
    });
    const { error } = await talk.ask('tools/call', {});
    expect(error?.code).toBe(-32603);
    expect(JSON.stringify(error)).not.toContain('1234');
    expect(router.reports).toEqual([{ message: 'tools/call: internal error', cause: bug }]);
  });

  it('answers a result of a kind that its revision does not have as a bug', async () => {
    const { router, talk } = serve({ 'tools/call': () => ({ kind: 'task', value: {} }) });
    await talk.initialize('2025-11-25');
    expect((await talk.ask('tools/call', {})).error).toMatchObject({ code: -32603 });
    expect(String(router.reports[0]?.cause)).toContain('task');
  });
});

describe('log messages', () => {
  const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
  const logging: Handlers = {
    'tools/call': call => {
      for (const level of levels) call.log(level, { level }, 'logger');
      return { value: { content: [] } };
    },
  };

  it('are sent from info on until the client chooses a level', async () => {
    const { talk } = serve(logging);
    await talk.initialize('2025-11-25');
    await talk.ask('tools/call', {});
    expect(talk.notifications.map(({ params }) => params?.level)).toEqual(levels.slice(1));
    expect(talk.notifications[0]?.params).toEqual({
      level: 'info',
      logger: 'logger',
      data: { level: 'info' },
    });
  });

  it.each(levels)('are sent from %s on when the client chooses it', async level => {
    const { talk } = serve(logging);
    await talk.initialize('2025-11-25');
    expect((await talk.ask('logging/setLevel', { level })).result).toEqual({});
    await talk.ask('tools/call', {});
    expect(talk.notifications.map(({ params }) => params?.level)).toEqual(
      levels.slice(levels.indexOf(level)),
    );
  });

  it.each([undefined, {}, { level: 'loud' }, { level: 3 }, { level: null }])(
    'keep their level when the client chooses %j, which is refused',
    async params => {
      const { talk } = serve(logging);
      await talk.initialize('2025-11-25');
      expect((await talk.ask('logging/setLevel', params)).error).toMatchObject({ code: -32602 });
      await talk.ask('tools/call', {});
      expect(talk.notifications).toHaveLength(7);
    },
  );

  it('are not sent once the call was answered', async () => {
    let late: (() => void) | undefined;
    const { talk } = serve({
      'tools/call': call => {
        late = () => {
          call.log('emergency', 'too late');
          call.progress(1);
        };
        return { value: { content: [] } };
      },
    });
    await talk.initialize('2025-11-25');
    await talk.ask('tools/call', { _meta: { progressToken: 1 } });
    late?.();
    await turn();
    expect(talk.notifications).toEqual([]);
  });
});

it('an introduction that is no JSON is refused, and the connection goes on', async () => {
  const { talk } = serve();
  const circle: Record<string, unknown> = { name: 'a', version: '1' };
  circle['self'] = circle;
  let deep: unknown[] = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  for (const clientInfo of [circle, { name: 'a', version: 1n }, { name: 'a', version: '1', deep }]) {
    const { error } = await talk.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('cannot be read as JSON') });
  }
  expect((await talk.initialize('2025-11-25')).result?.protocolVersion).toBe('2025-11-25');
});
