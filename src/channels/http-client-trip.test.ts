import { describe, expect, it } from 'vitest';
import { httpKit, transports } from '../../test/fixtures/http/http-kit.ts';
import { ScriptedHttp, type Visit } from '../../test/fixtures/http/scripted-http.ts';
import type { HeaderContext, HeadersLike } from './http-client-headers.ts';

const open = httpKit();
const redirect = (status: number, location: string) => (visit: Visit) =>
  visit.reply(status, 'moved', { location });

describe('a redirect', () => {
  it.each([307, 308])('of status %i within the origin is followed with body and headers', async status => {
    const { ask, server } = await open(
      (visit, count) => {
        if (count === 1) redirect(status, '/mcp/')(visit);
        else visit.result({ at: visit.path });
      },
      { headers: { authorization: 'Bearer abc' } },
    );
    expect((await ask('work', { headers: { 'x-call': '1' } })).answer?.result).toEqual({ at: '/mcp/' });
    const [first, second] = server.visits;
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-call': '1',
      'content-type': 'application/json',
    });
  });

  it.each(transports)('whose body never ends holds no connection (%s)', async (_name, transport) => {
    const { ask, server } = await open((visit, count) => {
      if (count === 1) visit.response.writeHead(307, { location: '/mcp/' }).write('moved');
      else visit.result({});
    }, transport);
    expect((await ask()).answer?.result).toEqual({});
    await (await server.visit(0)).over;
  });

  it('is followed five times, and not a sixth', async () => {
    const { ask, server } = await open(visit => redirect(307, `${visit.path}x`)(visit));
    expect((await ask()).error).toMatchObject({ reason: 'redirected', outcome: 'failed', status: 307 });
    expect(server.visits.map(({ path }) => path).at(-1)).toBe('/mcpxxxxx');
    expect(server.visits).toHaveLength(6);
  });

  it.each([301, 302, 303])('of status %i is refused: the body would be lost', async status => {
    const { ask, server } = await open(redirect(status, '/mcp/'));
    const { error } = await ask();
    expect(error).toMatchObject({ reason: 'redirected', status });
    expect(error?.message).toContain(
      `${server.origin}/mcp was redirected (status ${status}) to ${server.origin}/mcp/`,
    );
    expect(server.visits).toHaveLength(1);
  });

  it('to another origin, down from https, or to nowhere is refused, with both URLs named', async () => {
    const other = await new ScriptedHttp(visit => visit.result({})).start();
    const targets = [other.url, 'https://internal.test/mcp?key=abc', 'javascript:alert(1)', ''];
    const { ask, server } = await open((visit, count) => redirect(307, targets[count - 1] ?? '')(visit), {
      headers: { authorization: 'Bearer abc' },
    });
    const errors = [await ask(), await ask(), await ask(), await ask()].map(({ error }) => error);
    expect(errors.map(error => error?.reason)).toEqual(Array(4).fill('redirected'));
    expect(errors[0]?.message).toContain(`${server.origin}/mcp was redirected (status 307) to ${other.url}`);
    expect(errors[1]?.message).toContain('https://internal.test/mcp?key=***');
    expect(other.visits).toEqual([]);
    await other.close();
  });

  it('is refused where the platform does not show where it leads', async () => {
    const fetch = async () => ({ type: 'opaqueredirect', status: 0, headers: new Headers(), body: null });
    const { ask } = await open(() => {}, { fetch: fetch as never });
    expect((await ask()).error?.message).toContain('redirects');
  });
});

describe('headers', () => {
  const forms: readonly [what: string, headers: HeadersLike][] = [
    ['a record', { Authorization: 'Bearer abc', Accept: 'text/html', none: undefined }],
    ['Headers', new Headers({ Authorization: 'Bearer abc', Accept: 'text/html' })],
    [
      'pairs',
      [
        ['Authorization', 'Bearer abc'],
        ['Accept', 'text/html'],
      ],
    ],
    ['a record with a list', { Authorization: ['Bearer abc'], Accept: ['text/html'] }],
  ];

  it.each(forms)('may come as %s; what the protocol needs is there all the same', async (_what, headers) => {
    const { ask, server } = await open(visit => visit.result({}), { headers });
    await ask();
    expect(server.visits[0]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      accept: 'text/html, application/json, text/event-stream',
      'content-type': 'application/json',
    });
  });

  it('are those of the moment in which the channel was made', async () => {
    const headers = { 'x-who': 'ann' };
    const { ask, server } = await open(visit => visit.result({}), { headers });
    headers['x-who'] = 'ben';
    await ask();
    expect(server.visits[0]?.headers).toMatchObject({ 'x-who': 'ann' });
  });

  it('keep an accept that says enough, and no content type or length of somebody else', async () => {
    const accept = 'text/event-stream;q=0.5, application/json';
    const headers = { accept, 'Content-Type': 'text/plain', 'content-length': '1' };
    const { ask, server } = await open(visit => visit.result({}), { headers });
    expect((await ask()).answer?.result).toEqual({});
    expect(server.visits[0]?.headers).toMatchObject({ accept, 'content-type': 'application/json' });
  });

  it('come from a function that is called for every request, told what it is for, and may take its time', async () => {
    const asked: HeaderContext[] = [];
    const { ask, connection, server } = await open(
      visit => {
        if (visit.method === 'POST') visit.result({});
        else visit.reply(405);
      },
      {
        headers: async context => {
          asked.push(context);
          return { 'x-count': String(asked.length) };
        },
      },
    );
    await ask('first');
    await ask('second', { headers: { 'x-call': 'own' } });
    await connection.farewell?.({ 'x-bye': '1' });
    expect(server.visits.map(({ headers }) => headers['x-count'])).toEqual(['1', '2', '3']);
    expect(server.visits[1]?.headers['x-call']).toBe('own');
    expect(server.visits[2]).toMatchObject({ method: 'DELETE', headers: { 'x-bye': '1' } });
    const { url } = server;
    expect(asked).toEqual([
      { method: 'POST', url, rpcMethod: 'first' },
      { method: 'POST', url, rpcMethod: 'second' },
      { method: 'DELETE', url, rpcMethod: undefined },
    ]);
  });

  it('that cannot be had fail the request before it is sent', async () => {
    let turn = 0;
    const failures: (() => HeadersLike | Promise<HeadersLike>)[] = [
      () => {
        throw new Error('vault closed');
      },
      () => Promise.reject(new Error('vault closed')),
      () => ({ a: 1 }) as never,
      async () => ({ a: 1 }) as never,
    ];
    const { ask, server } = await open(visit => visit.result({}), {
      headers: () => (failures[turn++] ?? (() => ({})))(),
    });
    for (const _failure of failures) {
      expect((await ask()).error).toMatchObject({
        reason: 'headers-failed',
        outcome: 'not-sent',
        phase: 'work',
      });
    }
    expect((await ask()).answer?.result).toEqual({});
    expect(server.visits).toHaveLength(1);
  });

  it('are not sent for what was abandoned while they were awaited', async () => {
    let give: (headers: HeadersLike) => void = () => {};
    const { ask, connection, server } = await open(visit => visit.result({}), {
      headers: ({ rpcMethod }) =>
        rpcMethod === 'slow'
          ? new Promise(resolve => {
              give = resolve;
            })
          : { 'x-quick': '1' },
    });
    void ask('slow');
    connection.abandon(1);
    give({});
    await ask('quick');
    expect(server.visits.map(({ body }) => (body as { method: string }).method)).toEqual(['quick']);
  });
});

describe('the URL', () => {
  it('is used as it was given, its credentials as a header', async () => {
    const { ask, server } = await open(visit => visit.result({}), { path: '/a%20b/?q=1&x=%2F' });
    await ask();
    expect(server.visits[0]?.path).toBe('/a%20b/?q=1&x=%2F');
  });
});

describe('an injected fetch', () => {
  it('sends everything: requests, notifications, streams and the farewell', async () => {
    const used: string[] = [];
    const { ask, connection, server } = await open(
      visit => {
        if (visit.method === 'GET') visit.reply(405);
        else if ((visit.body as { id?: number }).id === undefined) visit.reply(202);
        else visit.result({});
      },
      {
        fetch: (input, init) => {
          used.push(init?.method ?? '');
          return fetch(input as string, init);
        },
      },
    );
    connection.send({ jsonrpc: '2.0', method: 'note' });
    await ask();
    await new Promise<void>(resolve => connection.listen?.({ headers: {}, ended: () => resolve() }));
    await connection.farewell?.({});
    expect(used).toEqual(['POST', 'POST', 'GET', 'DELETE']);
    expect(server.visits.map(({ method }) => method)).toEqual(used);
  });

  it('that heeds no signal is left all the same', async () => {
    let cancelled = 0;
    const body = {
      getReader: () => ({
        read: () => new Promise(() => {}),
        cancel: async () => {
          cancelled += 1;
        },
      }),
    };
    const reply = { status: 200, headers: new Headers({ 'content-type': 'text/event-stream' }), body };
    const { ask, connection, receiver } = await open(() => {}, { fetch: (async () => reply) as never });
    void ask();
    await receiver.until(() => receiver.heads.length === 1);
    connection.abandon(1);
    expect(cancelled).toBe(1);
  });
});
