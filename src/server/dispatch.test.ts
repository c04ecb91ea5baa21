import { describe, expect, it } from 'vitest';
import { revisions } from '../eras/index.ts';
import type { Message } from '../rpc/message.ts';
import { tool } from '../tools/tool.ts';
import { dispatch } from './dispatch.ts';
import { Server } from './server.ts';

let aborted = 0;
let runs = 0;
const server = new Server({
  name: 's',
  version: '1',
  tools: [
    tool({
      name: 'hello',
      description: '',
      run(_args, { client, principal, progress, log }) {
        runs += 1;
        progress(1);
        log('warning', 'careful');
        return `hello ${client.info?.name}, ${principal}`;
      },
    }),
    tool({
      name: 'wait',
      description: '',
      run: (_args, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted += 1;
            reject(signal.reason);
          });
        }),
    }),
  ],
});

const envelope = {
  'io.modelcontextprotocol/protocolVersion': revisions.at(-1),
  'io.modelcontextprotocol/clientInfo': { name: 'ann', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const request = (method: string, params?: object, id: string | number = 7) =>
  ({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }) as const;
const call = (name: string, _meta?: object) => request('tools/call', { name, ...(_meta ? { _meta } : {}) });

describe('dispatch', () => {
  it('answers a request without an envelope as if its client had introduced itself', async () => {
    expect(await dispatch(server, call('hello'))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { content: [{ type: 'text', text: 'hello dispatch, undefined' }] },
    });
  });

  it('answers a request with an envelope by what that says', async () => {
    expect(await dispatch(server, call('hello', envelope), { principal: 'mail:ann' })).toMatchObject({
      id: 7,
      result: { content: [{ text: 'hello ann, mail:ann' }] },
    });
  });

  it('introduces the client as it is told to', async () => {
    const initialize = { clientInfo: { name: 'bob', version: '1' } };
    expect(await dispatch(server, call('hello'), { initialize, principal: 'p' })).toMatchObject({
      result: { content: [{ text: 'hello bob, p' }] },
    });
  });

  it.each<[string, unknown, object]>([
    ['an initialize', request('initialize', {}), { id: 7, result: { serverInfo: { name: 's' } } }],
    ['a ping', request('ping'), { id: 7, result: {} }],
    ['an id that is 0', request('ping', {}, 0), { id: 0, result: {} }],
    ['an id that is empty', request('ping', {}, ''), { id: '', result: {} }],
    ['a method that is not there', request('nope'), { id: 7, error: { code: -32601 } }],
    ['a tool that is not there', call('nope'), { id: 7, error: { code: -32602 } }],
    ['no object', 'text', { id: null, error: { code: -32600 } }],
    ['null', null, { id: null, error: { code: -32600 } }],
    ['a batch', [request('ping')], { id: null, error: { code: -32600 } }],
    ['a message without a version', { id: 7, method: 'ping' }, { id: 7, error: { code: -32600 } }],
  ])('answers %s', async (_what, message, expected) => {
    expect(await dispatch(server, message)).toMatchObject(expected);
  });

  it.each<[string, unknown]>([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a call without an id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'hello' } }],
    ['a stray response', { jsonrpc: '2.0', id: 3, result: {} }],
    ['a stray error', { jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }],
  ])('has nothing to answer to %s, and runs nothing', async (_what, message) => {
    const before = runs;
    expect(await dispatch(server, message)).toBeUndefined();
    expect(runs).toBe(before);
  });

  it('shows what is said on the way to the answer', async () => {
    const said: Message[] = [];
    const message = request('tools/call', { name: 'hello', _meta: { progressToken: 'p' } });
    await dispatch(server, message, { onMessage: each => said.push(each) });
    expect(said).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'warning', data: 'careful' } },
    ]);
  });

  it.each<[string, object | undefined]>([
    ['with an envelope', envelope],
    ['without one', undefined],
  ])('has no answer to a request %s that is cancelled, and its tool is told', async (_what, meta) => {
    const controller = new AbortController();
    const before = aborted;
    const answer = dispatch(server, call('wait', meta), { signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort();
    expect(await answer).toBeUndefined();
    expect(aborted).toBe(before + 1);
  });

  it('does not begin what is cancelled already', async () => {
    const before = runs;
    expect(await dispatch(server, call('hello'), { signal: AbortSignal.abort() })).toBeUndefined();
    expect(runs).toBe(before);
  });

  it('keeps messages apart that are under way at once, also with the same id', async () => {
    const names = ['a', 'b', 'c'];
    const answers = names.map(name =>
      dispatch(server, call('hello'), { initialize: { clientInfo: { name, version: '1' } } }),
    );
    expect(await Promise.all(answers)).toMatchObject(
      names.map(name => ({ id: 7, result: { content: [{ text: `hello ${name}, undefined` }] } })),
    );
  });
});
