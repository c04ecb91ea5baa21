import { describe, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import { Link } from '../eras/link.ts';
import { isProtocolError } from '../rpc/protocol-error.ts';
import type { Diagnostic, Receiver } from './channel.ts';
import { Inbound } from './stdio-inbound.ts';
import { standInFor } from './unread-answer.ts';

const deep = `${'['.repeat(600)}${']'.repeat(600)}`;

describe('a text that cannot be parsed', () => {
  it.each([
    [`{"jsonrpc":"2.0","id":7,"result":${deep}}`, 7],
    [`{"jsonrpc":"2.0","result":{"id":1,"method":"x","deep":${deep}},"id":7}`, 7],
    ['{"jsonrpc":"2.0","id":"7","result":{"x":NaN}}', '7'],
    ['{"id" : "a\\"b" , "error" : {broken}}', 'a"b'],
    [' {"result":{"text":"}{\\"id\\":3","x":undefined},"id":8}', 8],
    ['{"jsonrpc":"2.0","result":{"id":4,"x":NaN}}', null],
    ['{"jsonrpc":"2.0","id":{},"result":NaN}', null],
  ])('%.60s answers %j', (text, id) => {
    expect(standInFor(text, 'why')).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32603, message: 'the answer of the server cannot be read: why' },
    });
  });

  it.each([
    'Listening on {"id":1,"result":2}',
    '{"error":"disk full" at 12:00',
    '{"id":1,"level":NaN}',
    `{"jsonrpc":"2.0","id":1,"method":"x","params":${deep}}`,
    '{"jsonrpc":"2.0","params":{"id":1,"result":NaN}}',
    '[{"id":1,"result":NaN}]',
    '{"id":1,"result',
    '',
  ])('%.60s answers nothing', text => {
    expect(standInFor(text, 'why')).toBeUndefined();
  });
});

async function open() {
  const diagnostics: Diagnostic[] = [];
  let receiver: Receiver | undefined;
  const channel = {
    label: 'lines',
    open: async (given: Receiver) => {
      receiver = given;
      return { replyStreams: false, send: () => {}, abandon: () => {}, close: async () => {} };
    },
  };
  const clock = manualClock();
  const settings = { clock, diagnostic: (each: Diagnostic) => void diagnostics.push(each) };
  const link = await Link.open(channel, settings, new AbortController().signal);
  if (receiver === undefined) throw new Error('not opened');
  const inbound = new Inbound(receiver, 1_000_000, () => {});
  const ask = (): Promise<unknown> =>
    link
      .request(
        link.nextId(),
        {},
        { method: 'tools/list', limits: { idle: 1e6, total: 1e6 }, giveUp: () => {} },
      )
      .catch((thrown: unknown) => thrown);
  const print = (text: string | Uint8Array): void =>
    inbound.push(typeof text === 'string' ? new TextEncoder().encode(`${text}\n`) : text);
  return { ask, print, diagnostics, inbound, link, clock };
}

describe('a line that is an answer and cannot be read', () => {
  it('fails its request at once, with the reason, and no other', async () => {
    const { ask, print, diagnostics, link } = await open();
    const [first, second] = [ask(), ask()];
    print(`{"jsonrpc":"2.0","id":2,"result":${deep}}`);
    const error = await second;
    expect(isProtocolError(error) && error.message).toContain('nested more than 512 levels deep');
    expect(error).toMatchObject({ method: 'tools/list' });
    print('{"jsonrpc":"2.0","id":1,"result":"fine"}');
    expect(await first).toBe('fine');
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['unreadable-answer']);
    expect(link.inflight.size).toBe(0);
  });

  it('is told also where its bytes are not UTF-8', async () => {
    const { ask, print } = await open();
    const call = ask();
    const text = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{"text":"??"}}\n');
    print(text.map(byte => (byte === 0x3f ? 0xff : byte)));
    expect(await call).toMatchObject({ message: expect.stringContaining('not UTF-8') });
  });

  it('without an id it fails the only request in flight', async () => {
    const { ask, print, clock } = await open();
    const call = ask();
    print(`{"jsonrpc":"2.0","result":${deep}}`);
    clock.advance(250);
    expect(await call).toMatchObject({ message: expect.stringContaining('512 levels') });
  });

  it('that the end of the output cut off fails with the connection, as before', async () => {
    const { ask, print, inbound, link } = await open();
    void ask();
    print(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{"x":'));
    expect(inbound.end()).toBeGreaterThan(0);
    expect(link.inflight.size).toBe(1);
  });
});
