import { describe, expect, it } from 'vitest';
import { handshake, mcpKit, methodOf } from '../../test/fixtures/http/mcp-script.ts';
import { event, type Script, type Visit } from '../../test/fixtures/http/scripted-http.ts';

const open = mcpKit();

/** A server of the oldest transport: a stream at the URL, another path for what it is told. */
function events(
  options: {
    endpoint?: (origin: string) => string;
    post?: (visit: Visit, say: (message: object) => void) => boolean;
    status?: number;
  } = {},
): Script {
  let stream: Visit['response'] | undefined;
  const plain = handshake({ revision: '2024-11-05' });
  return (visit, count) => {
    const say = (message: object): void => void stream?.write(`event: message\n${event(message)}`);
    if (visit.method === 'GET') {
      const named = options.endpoint?.(`http://${visit.headers.host}`) ?? '/messages?id=1';
      stream = visit.stream();
      stream.write(`event: endpoint\ndata: ${named}\n\n`);
    } else if (visit.path === '/mcp') visit.reply(options.status ?? 405);
    else if (options.post?.(visit, say) !== true) {
      visit.reply(202, 'Accepted');
      const answer = {
        ...visit,
        reply: () => {},
        result: (result: unknown) => say({ id: (visit.body as { id: number }).id, result }),
      };
      plain(answer, count);
    }
  };
}

describe('the oldest transport', () => {
  it.each([400, 404, 405])('is found out when initialize is answered with %i, and works', async status => {
    const { connect, log, server } = await open(events({ status }));
    const client = await connect();
    expect(client.revision).toBe('2024-11-05');
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['t']);
    expect((await client.call('t')).content).toHaveLength(1);
    expect(log().slice(0, 5)).toEqual([
      'POST server/discover',
      'POST initialize',
      'GET -',
      'POST initialize',
      'POST notifications/initialized',
    ]);
    expect(server.visits.slice(3).every(({ path }) => path === '/messages?id=1')).toBe(true);
  });

  it.each([401, 403, 500])('is not tried when initialize is answered with %i', async status => {
    const { connect, log } = await open(events({ status }));
    await expect(connect({ protocol: '2024-11-05' })).rejects.toMatchObject({ status });
    expect(log()).toEqual(['POST initialize']);
  });

  it('that is not there either leaves the first failure to tell', async () => {
    const { connect, log } = await open(visit => visit.reply(404, 'nothing here'));
    await expect(connect()).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/^POST .*nothing here/),
    });
    expect(log()).toEqual(['POST server/discover', 'POST initialize', 'GET -']);
  });

  it('may name its endpoint in full, within its origin only', async () => {
    const full = await open(events({ endpoint: origin => `${origin}/other` }));
    await (await full.connect({ protocol: '2024-11-05' })).tools().all();
    expect(full.server.visits.at(-1)?.path).toBe('/other');
    const foreign = await open(events({ endpoint: () => 'https://evil.test/steal' }));
    const diagnostics: string[] = [];
    const connecting = foreign.connect({
      protocol: '2024-11-05',
      onDiagnostic: ({ message }) => diagnostics.push(message),
    });
    await expect(connecting).rejects.toMatchObject({ status: 405 });
    expect(diagnostics.join()).toContain('https://evil.test/steal as its endpoint, which is not used');
  });

  it('fails only the request that was refused', async () => {
    const { connect } = await open(
      events({
        post: visit => {
          if (methodOf(visit) !== 'tools/call') return false;
          visit.reply(500, '<h1>Oh no</h1>');
          return true;
        },
      }),
    );
    const client = await connect({ protocol: '2024-11-05' });
    await expect(client.call('t')).rejects.toMatchObject({
      name: 'ConnectionError',
      status: 500,
      message: expect.stringContaining('Oh no'),
    });
    expect(await client.tools().all()).toHaveLength(1);
  });

  it.each([
    ['by the stream', true],
    ['by the reply', false],
  ])('masks a secret of the request that an error repeats %s', async (_where, byStream) => {
    const { connect } = await open(
      events({
        post: (visit, say) => {
          if (methodOf(visit) !== 'tools/call') return false;
          const { id } = visit.body as { id: number };
          const failure = { id, error: { code: -32000, message: 'bad token zebra9horse9' } };
          if (byStream) say(failure);
          visit.reply(byStream ? 202 : 400, JSON.stringify({ jsonrpc: '2.0', ...failure }));
          return true;
        },
      }),
      { headers: { authorization: 'Bearer zebra9horse9' } },
    );
    const client = await connect({ protocol: '2024-11-05' });
    const error = (await client.call('t').catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining('bad token ***') });
    expect(error.message).not.toContain('zebra9horse9');
  });

  it('ends with its stream, and tells every request so', async () => {
    let cut = (): void => {};
    const script = events({
      post: visit => {
        if (methodOf(visit) !== 'tools/call') return false;
        visit.reply(202);
        cut();
        return true;
      },
    });
    const { connect } = await open((visit, count) => {
      if (visit.method === 'GET') cut = visit.cut;
      script(visit, count);
    });
    const client = await connect({ protocol: '2024-11-05' });
    await expect(client.call('t')).rejects.toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    await expect(client.call('t')).rejects.toMatchObject({ outcome: 'not-sent' });
  });

  it('that never names an endpoint is given up with the signal', async () => {
    const { connect, server } = await open(visit => {
      if (visit.method === 'GET') visit.stream().write(': waiting\n\n');
      else visit.reply(405);
    });
    const controller = new AbortController();
    const caught = expect(connect({ protocol: '2024-11-05', signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    const { over } = await server.visit(1);
    controller.abort(new Error('enough'));
    await caught;
    await over;
  });
});
