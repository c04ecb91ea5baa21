import { describe, expect, it } from 'vitest';
import { mcpKit, methodOf, stateless } from '../../../test/fixtures/http/mcp-script.ts';
import type { Visit } from '../../../test/fixtures/http/scripted-http.ts';

const open = mcpKit();
const mirrored = (name: string, property: object): object => ({
  name,
  inputSchema: { type: 'object', properties: { region: property } },
});
const region = { type: 'string', 'x-mcp-header': 'Region' };
const mismatch = (visit: Visit): void =>
  visit.reply(
    400,
    JSON.stringify({
      jsonrpc: '2.0',
      id: (visit.body as { id: number }).id,
      error: { code: -32020, message: 'Mcp-Param-Region is missing' },
    }),
    { 'content-type': 'application/json' },
  );

describe('over HTTP the stateless client', () => {
  it('names revision, method and object of every request in headers', async () => {
    const { connect, server } = await open(stateless());
    const client = await connect();
    await client.tools().all();
    await client.call('größe', {}, { headers: { 'Mcp-Method': 'mine', 'x-call': '1' } });
    expect(
      server.visits.map(({ headers }) => [
        headers['mcp-protocol-version'],
        headers['mcp-method'],
        headers['mcp-name'],
      ]),
    ).toEqual([
      ['2026-07-28', 'server/discover', undefined],
      ['2026-07-28', 'tools/list', undefined],
      ['2026-07-28', 'tools/call', `=?base64?${Buffer.from('größe').toString('base64')}?=`],
    ]);
    expect(server.visits[2]?.headers['x-call']).toBe('1');
    for (const { headers } of server.visits)
      expect(headers.accept).toBe('application/json, text/event-stream');
  });

  it('mirrors the arguments that a listed tool annotates, and no others', async () => {
    const { connect, server } = await open(stateless([mirrored('t', region)]));
    const client = await connect();
    await client.tools().all();
    for (const args of [{ region: 'eu', other: 1 }, { region: ' x ' }, { region: '' }, { region: null }, {}])
      await client.call('t', args);
    expect(server.visits.slice(2).map(({ headers }) => headers['mcp-param-region'])).toEqual([
      'eu',
      '=?base64?IHgg?=',
      '',
      undefined,
      undefined,
    ]);
  });

  it('drops tools whose annotations are not valid from the list, and reports each', async () => {
    const tools = [
      mirrored('good', region),
      mirrored('bad', { type: 'number', 'x-mcp-header': 'N' }),
      mirrored('worse', { type: 'string', 'x-mcp-header': 'a b' }),
    ];
    const { connect } = await open(stateless(tools));
    const client = await connect();
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['good']);
    const dropped = client.diagnostics
      .filter(({ kind }) => kind === 'tool-dropped')
      .map(({ message }) => message);
    expect(dropped).toEqual([expect.stringContaining('"bad"'), expect.stringContaining('"worse"')]);
  });

  it('lists the tools anew and calls once again when the server finds a header wrong', async () => {
    const plain = stateless([mirrored('t', region)]);
    const { connect, log, server } = await open((visit, count) => {
      if (methodOf(visit) === 'tools/call' && visit.headers['mcp-param-region'] === undefined)
        mismatch(visit);
      else plain(visit, count);
    });
    const client = await connect();
    expect((await client.call('t', { region: 'eu' })).content).toHaveLength(1);
    expect(log().slice(1)).toEqual(['POST tools/call', 'POST tools/list', 'POST tools/call']);
    server.script = (visit, count) => {
      if (methodOf(visit) === 'tools/call') mismatch(visit);
      else plain(visit, count);
    };
    await expect(client.call('t', { region: 'eu' })).rejects.toMatchObject({ code: -32020 });
    expect(log().slice(4)).toEqual(['POST tools/call', 'POST tools/list', 'POST tools/call']);
  });

  it('cancels by closing the reply stream, and sends nothing', async () => {
    const plain = stateless();
    const { connect, server, log } = await open((visit, count) => {
      if (methodOf(visit) === 'tools/call') visit.stream().write(': working\n\n');
      else plain(visit, count);
    });
    const client = await connect();
    const controller = new AbortController();
    const call = client.call('t', {}, { signal: controller.signal });
    const { over } = await server.visit(1);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await over;
    await client.tools().all();
    expect(log()).toEqual(['POST server/discover', 'POST tools/call', 'POST tools/list']);
  });

  it('does not fetch a broken stream again: the call fails at once, its outcome unknown', async () => {
    const plain = stateless();
    const { connect, log } = await open((visit, count) => {
      if (methodOf(visit) === 'tools/call') visit.stream().end('id: 1\ndata:\n\n');
      else plain(visit, count);
    });
    const client = await connect();
    await expect(client.call('t')).rejects.toMatchObject({
      name: 'ConnectionError',
      reason: 'stream-ended',
      outcome: 'unknown',
      phase: 'tools/call',
    });
    await client.close();
    expect(log()).toEqual(['POST server/discover', 'POST tools/call']);
  });
});
