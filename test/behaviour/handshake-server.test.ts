import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/rpc/message.ts';
import { Server } from '../../src/server/server.ts';
import { tool } from '../../src/tools/tool.ts';

let runs = 0;
const server = new Server({
  name: 's',
  version: '1',
  tools: [
    tool({
      name: 'count',
      description: '',
      run: () => {
        runs += 1;
        return String(runs);
      },
    }),
    tool({ name: 'stuck', description: '', run: () => new Promise(() => {}) }),
  ],
});

/** A connection that nobody has introduced; `say` gives what the server sends in the same turn and the next. */
function connection() {
  const sent: Message[] = [];
  const exchange = { send: (message: unknown) => void sent.push(message as Message) };
  const inlet = server.accept(exchange);
  return async (message: unknown): Promise<Message[]> => {
    inlet.receive(message, exchange);
    await new Promise(setImmediate);
    return sent.splice(0);
  };
}

const request = (method: string, params?: unknown, id: unknown = 1) =>
  params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
const hello = (protocolVersion?: unknown, id: unknown = 1) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } }, id);

describe('before initialize', () => {
  it.each(['tools/list', 'tools/call', 'logging/setLevel', 'anything', ''])(
    '%s is refused, and the refusal says what to send first',
    async method => {
      expect(await connection()(request(method, { name: 'count' }))).toEqual([
        {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32600,
            message: `${method || 'a request without a method'} came before initialize; send initialize first, or the envelope of a stateless revision`,
          },
        },
      ]);
    },
  );

  it('ping is answered', async () => {
    expect(await connection()(request('ping'))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });
});

describe('initialize', () => {
  it.each<[unknown, string]>([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['', '2025-11-25'],
    [7, '2025-11-25'],
    [null, '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('that asks for the revision %j gets %s', async (asked, given) => {
    expect(await connection()(hello(asked))).toMatchObject([{ id: 1, result: { protocolVersion: given } }]);
  });

  it.each([[undefined], [{}], [{ capabilities: null, clientInfo: 7 }]])(
    'with the parameters %j is taken all the same',
    async params => {
      const say = connection();
      expect(await say(request('initialize', params))).toMatchObject([
        { result: { serverInfo: { name: 's' } } },
      ]);
      expect(await say(request('tools/list', {}, 2))).toMatchObject([{ id: 2, result: { tools: [{}, {}] } }]);
    },
  );

  it('with parameters that are a list is no message', async () => {
    expect(await connection()(request('initialize', []))).toMatchObject([{ id: 1, error: { code: -32600 } }]);
  });

  it('needs no notification behind it', async () => {
    const say = connection();
    await say(hello('2025-11-25'));
    expect(await say(request('tools/list', {}, 2))).toMatchObject([{ id: 2, result: { tools: [{}, {}] } }]);
  });

  it('again with the same words is answered the same; with others it is refused and changes nothing', async () => {
    const say = connection();
    const [first] = await say(hello('2025-06-18'));
    expect(await say(hello('2025-06-18'))).toEqual([first]);
    expect(await say(hello('2024-11-05', 2))).toMatchObject([{ id: 2, error: { code: -32600 } }]);
    expect(await say(hello('2025-06-18', 1))).toEqual([first]);
  });
});

describe('once introduced', () => {
  async function introduced() {
    const say = connection();
    await say(hello('2025-11-25', 0));
    return say;
  }

  it.each(['notifications/initialized', 'notifications/nonsense', 'tools/call', 'tools/list', 'initialize'])(
    'a notification %s is not answered, and nothing is run for it',
    async method => {
      const say = await introduced();
      const before = runs;
      expect(await say({ jsonrpc: '2.0', method, params: { name: 'count' } })).toEqual([]);
      expect(runs).toBe(before);
    },
  );

  it('a method that is not there is an error that names it', async () => {
    const say = await introduced();
    expect(await say(request('notifications/initialized'))).toMatchObject([{ error: { code: -32601 } }]);
    expect(await say(request('resources/list'))).toMatchObject([
      { id: 1, error: { code: -32601, message: 'this server has no method resources/list' } },
    ]);
  });

  it.each([[0], [''], ['1'], [-5], [Number.MAX_SAFE_INTEGER]])('the id %j comes back as it is', async id => {
    const [answer] = await (await introduced())(request('ping', {}, id));
    expect(answer).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it('ping and other calls are answered while a call runs', async () => {
    const say = await introduced();
    expect(await say(request('tools/call', { name: 'stuck' }, 1))).toEqual([]);
    expect(await say(request('ping', {}, 2))).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
    expect(await say(request('tools/call', { name: 'count' }, 3))).toMatchObject([{ id: 3, result: {} }]);
  });

  it('a request may carry null for its parameters', async () => {
    const say = await introduced();
    expect(await say(request('tools/list', null))).toMatchObject([{ id: 1, result: { tools: [{}, {}] } }]);
    expect(await say(request('tools/call', null))).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  it('requests of the other era are served beside it, each in its own way', async () => {
    const say = await introduced();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    expect(await say(request('tools/call', { name: 'count', _meta }))).toMatchObject([
      { result: { resultType: 'complete' } },
    ]);
    const [plain] = await say(request('tools/call', { name: 'count' }));
    expect((plain as { result?: object }).result).not.toHaveProperty('resultType');
  });
});
