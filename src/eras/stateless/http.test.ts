import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../../test/fixtures/http/era-talk.ts';
import type { Call } from '../../protocol/call.ts';
import { MissingCapability } from '../../protocol/errors.ts';
import { ProtocolError } from '../../rpc/protocol-error.ts';

guardRejections();

const schema = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
};

function talk(handlers: Handlers = {}): HttpTalk & { router: ReturnType<typeof testRouter> } {
  const plain: Handlers = { 'tools/call': () => ({ value: { content: [] } }), ...handlers };
  const router = testRouter(plain);
  const served = new HttpTalk({ ...router, inputSchema: name => (name === 'move' ? schema : undefined) });
  return Object.assign(served, { router });
}

const meta = 'io.modelcontextprotocol/protocolVersion';
const caps = 'io.modelcontextprotocol/clientCapabilities';
const envelope = { [meta]: '2026-07-28', [caps]: {} };

describe('a request of the stateless era', () => {
  it('is answered whole, with its id, and leaves no session', async () => {
    const reply = await talk().stateless('tools/call', { name: 'a' }, {}, 'seven').done;
    expect(reply.streamed).toBe(false);
    expect(reply.status).toBe(200);
    expect(reply.headers).toEqual({});
    expect(reply.body).toMatchObject({ id: 'seven', result: { resultType: 'complete', content: [] } });
  });

  it.each<[string, number, number, Parameters<HttpTalk['stateless']>]>([
    ['no envelope', 400, -32602, ['tools/list', { _meta: {} }]],
    ['no revision in the envelope', 400, -32602, ['tools/list', { _meta: { [caps]: {} } }]],
    ['no capabilities in the envelope', 400, -32602, ['tools/list', { _meta: { [meta]: '2026-07-28' } }]],
    ['no version header', 400, -32020, ['tools/list', {}, { headers: { 'mcp-protocol-version': '' } }]],
    [
      'a version header that differs',
      400,
      -32020,
      ['tools/list', { _meta: { ...envelope, [meta]: 'v999.0.0' } }],
    ],
    [
      'a revision that is not served',
      400,
      -32022,
      [
        'tools/list',
        { _meta: { ...envelope, [meta]: 'v999.0.0' } },
        { headers: { 'mcp-protocol-version': 'v999.0.0', 'mcp-method': 'wrong too' } },
      ],
    ],
    ['no Mcp-Method', 400, -32020, ['tools/list', {}, { headers: { 'mcp-method': '' } }]],
    ['another Mcp-Method', 400, -32020, ['tools/list', {}, { headers: { 'mcp-method': 'tools/call' } }]],
    [
      'a Mcp-Method in capitals',
      400,
      -32020,
      ['tools/list', {}, { headers: { 'mcp-method': 'TOOLS/LIST' } }],
    ],
    ['no Mcp-Name', 400, -32020, ['tools/call', { name: 'a' }, { headers: { 'mcp-name': '' } }]],
    ['another Mcp-Name', 400, -32020, ['tools/call', { name: 'a' }, { headers: { 'mcp-name': 'A' } }]],
    ['a Mcp-Name of no use', 400, -32020, ['prompts/get', {}, { headers: { 'mcp-name': 'a' } }]],
    [
      'another uri in Mcp-Name',
      400,
      -32020,
      ['resources/read', { uri: 'a:b' }, { headers: { 'mcp-name': 'x' } }],
    ],
    ['an unknown method', 404, -32601, ['no/such']],
    ['initialize in an envelope', 404, -32601, ['initialize']],
    ['ping in an envelope', 404, -32601, ['ping']],
    ['logging/setLevel in an envelope', 404, -32601, ['logging/setLevel', { level: 'info' }]],
    ['resources/subscribe in an envelope', 404, -32601, ['resources/subscribe', { uri: 'a:b' }]],
    [
      'a parameter without its header',
      400,
      -32020,
      ['tools/call', { name: 'move', arguments: { region: 'x' } }],
    ],
    [
      'a parameter whose header differs',
      400,
      -32020,
      ['tools/call', { name: 'move', arguments: { region: 'x' } }, { headers: { 'mcp-param-region': 'y' } }],
    ],
    [
      'a parameter whose header is bad base64',
      400,
      -32020,
      [
        'tools/call',
        { name: 'move', arguments: { region: 'Hello' } },
        { headers: { 'mcp-param-region': '=?base64?SGVsbG8?=' } },
      ],
    ],
  ])('with %s is refused', async (_what, status, code, given) => {
    const [method, params, asked] = given;
    const reply = await talk().stateless(method, params, asked, 'its-id').done;
    expect({ status: reply.status, code: reply.body?.error?.code, id: reply.body?.id }).toEqual({
      status,
      code,
      id: 'its-id',
    });
  });

  it('names the revisions that are served when it asks for another', async () => {
    const asked = { headers: { 'mcp-protocol-version': 'v999.0.0' } };
    const reply = await talk().stateless('tools/list', { _meta: { ...envelope, [meta]: 'v999.0.0' } }, asked)
      .done;
    expect(reply.body?.error?.data).toEqual({ supported: ['2026-07-28'], requested: 'v999.0.0' });
  });

  it('may have spaces round a header, and encoded ones', async () => {
    const spaced = { headers: { 'mcp-name': '  a ', 'mcp-method': ' tools/call ' } };
    expect((await talk().stateless('tools/call', { name: 'a' }, spaced).done).status).toBe(200);
    const params = { name: 'move', arguments: { region: 'Hello' } };
    const coded = { headers: { 'mcp-param-region': '=?base64?SGVsbG8=?=' } };
    expect((await talk().stateless('tools/call', params, coded).done).status).toBe(200);
  });

  it.each<[string, unknown, number, number]>([
    ['a capability that the client lacks', new MissingCapability('no', { sampling: {} }), 400, -32021],
    ['an ordinary protocol error', new ProtocolError(-32602, 'unknown tool'), 200, -32602],
    ['a bug', new Error('oops'), 200, -32603],
  ])('that fails by %s has a status', async (_what, thrown, status, code) => {
    const handlers: Handlers = {
      'tools/call': () => {
        throw thrown;
      },
    };
    const reply = await talk(handlers).stateless('tools/call', { name: 'a' }).done;
    expect({ status: reply.status, code: reply.body?.error?.code }).toEqual({ status, code });
  });

  it.each<[string, unknown, number]>([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], 400],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 400],
    ['an id that is none', { jsonrpc: '2.0', id: {}, method: 'tools/list' }, 400],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, 202],
  ])('under its version header %s has a status', async (_what, body, status) => {
    const reply = await talk().send(body, { headers: { 'mcp-protocol-version': '2026-07-28' } }).done;
    expect(reply.status).toBe(status);
  });

  it.each(['GET', 'DELETE'] as const)('%s is not part of it', async method => {
    const reply = await talk().send(undefined, { method, headers: { 'mcp-protocol-version': '2026-07-28' } })
      .done;
    expect([reply.status, reply.headers]).toEqual([405, { Allow: 'POST' }]);
  });

  it('takes a newer revision than any it knows for one of its own kind', async () => {
    const headers = { 'mcp-protocol-version': '2031-01-01' };
    const reply = await talk().send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, { headers })
      .done;
    expect([reply.status, reply.body?.error?.code]).toEqual([400, -32602]);
  });
});

describe('the reply to a request of the stateless era', () => {
  const reporting: Handlers = {
    'tools/call': async call => {
      call.progress(1);
      await Promise.resolve();
      return { value: { content: [] } };
    },
  };
  const withToken = { name: 'a', _meta: { ...envelope, progressToken: 't' } };

  it('is a stream once something is said before the answer', async () => {
    const reply = await talk(reporting).stateless('tools/call', withToken).done;
    expect(reply.streamed).toBe(true);
    expect(reply.messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
  });

  it('leaves out what a client that takes no stream cannot hear', async () => {
    const accepts = { json: true, stream: false };
    const reply = await talk(reporting).stateless('tools/call', withToken, { accepts }).done;
    expect([reply.streamed, reply.body?.result?.content]).toEqual([false, []]);
  });

  it('is a stream for a client that takes nothing else, and an error keeps its status', async () => {
    const accepts = { json: false, stream: true };
    const reply = await talk().stateless('tools/call', { name: 'a' }, { accepts }).done;
    expect(reply.messages.map(({ id }) => id)).toEqual([1]);
    expect((await talk().stateless('no/such', {}, { accepts }).done).status).toBe(404);
  });

  it('begins by itself when the answer takes long', async () => {
    let finish = (): void => {};
    const slow: Handlers = {
      'tools/call': () => new Promise(resolve => (finish = () => resolve({ value: { content: [] } }))),
    };
    const served = talk(slow);
    const reply = served.stateless('tools/call', { name: 'a' });
    served.clock.advance(14_999);
    expect(reply.streamed).toBe(false);
    served.clock.advance(15_001);
    expect([reply.streamed, reply.complete]).toEqual([true, false]);
    finish();
    expect((await reply.done).messages).toHaveLength(1);
    served.clock.advance(60_000);
    expect(served.clock.pending).toBe(0);
  });

  it('aborts its handler when the client leaves, and says nothing more', async () => {
    const calls: Call[] = [];
    const endless: Handlers = {
      'tools/call': call => {
        calls.push(call);
        return new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => reject(call.signal.reason));
        });
      },
    };
    const served = talk(endless);
    const reply = served.stateless('tools/call', { name: 'a' });
    reply.leave();
    expect(calls[0]?.signal.aborted).toBe(true);
    await served.acceptor.close('over');
    expect([reply.events, reply.body]).toEqual([[], undefined]);
    expect(served.router.reports).toEqual([]);
  });

  it('with ids that others use too goes to who asked', async () => {
    const echo: Handlers = {
      'tools/call': async call => {
        await Promise.resolve();
        return { value: { said: call.params['arguments'] } };
      },
    };
    const served = talk(echo);
    const replies = ['x', 'y', 'z'].map(text =>
      served.stateless('tools/call', { name: 'a', arguments: { text } }, {}, 1),
    );
    const got = await Promise.all(replies.map(reply => reply.done));
    expect(got.map(({ body }) => body?.result?.said?.text)).toEqual(['x', 'y', 'z']);
  });
});

describe('a subscription over HTTP', () => {
  const listen = { notifications: { toolsListChanged: true } };

  it('is acknowledged first, tagged, and ended with a result when the server closes', async () => {
    const served = talk();
    const reply = served.stateless('subscriptions/listen', listen, {}, 'sub');
    served.router.change({ kind: 'tools' });
    served.router.change({ kind: 'prompts' });
    await served.acceptor.close('over');
    await reply.done;
    const tag = { 'io.modelcontextprotocol/subscriptionId': 'sub' };
    expect(reply.messages.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      undefined,
    ]);
    expect(reply.messages.map(message => (message.params ?? message.result)?._meta)).toEqual([
      tag,
      tag,
      expect.objectContaining(tag),
    ]);
    expect(served.router.listeners).toBe(0);
  });

  it('is forgotten when the client leaves', () => {
    const served = talk();
    const reply = served.stateless('subscriptions/listen', listen);
    expect(served.router.listeners).toBe(1);
    reply.leave();
    expect(served.router.listeners).toBe(0);
  });

  it('is refused to a client that takes no stream', async () => {
    const accepts = { json: true, stream: false };
    const reply = await talk().stateless('subscriptions/listen', listen, { accepts }).done;
    expect([reply.status, reply.body?.error?.message]).toEqual([406, expect.stringContaining('Accept')]);
  });

  it('counts for nothing once the server is closed', async () => {
    const served = talk();
    await served.acceptor.close('over');
    const reply = await served.stateless('tools/call', { name: 'a' }).done;
    expect(reply.status).toBe(503);
  });
});
