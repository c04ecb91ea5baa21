import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { request, serve, turn } from '../../test/fixtures/stdio-harness.ts';
import { serveStdioOn } from './stdio-server.ts';

it.each([undefined, {}])('serveStdio says what to give in place of %j', acceptor => {
  const listeners = process.stdin.eventNames();
  expect(() => serveStdioOn(acceptor as never)).toThrow(
    /^serveStdio: the first argument must be what to serve, such as new Server/,
  );
  expect(process.stdin.eventNames()).toEqual(listeners);
});

describe('lines that a server is sent', () => {
  const ping = request('after', 'ping');

  it.each<[string, string | Buffer]>([
    ['a syntax error', '{"jsonrpc":\n'],
    ['something after the object', '{} {}\n'],
    ['bare words', 'hello\n'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 10])],
    ['200,000 levels of nesting', `${'['.repeat(200_000)}\n`],
    [
      '200,000 levels in a request',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(200_000)}\n`,
    ],
    ['a line above the limit', `"${'x'.repeat(300_000)}"\n`],
    ['NUL bytes', '\0\0\0\n'],
    ['a NUL within a request', '{"jsonrpc":"2.0",\0"id":1,"method":"ping"}\n'],
  ])('answers %s with one parse error and goes on', async (_name, line) => {
    const { input, output, fake } = serve(
      {},
      { lineLimit: 250_000 + 1_000_000 * Number(_name.includes('levels')) },
    );
    input.write(line);
    input.write(ping);
    const answers = await output.until(2);
    expect(answers.map(answer => [answer.id, answer.error?.code])).toEqual([
      [null, -32700],
      ['after', undefined],
    ]);
    expect(fake.unreadable[0]?.length).toBeLessThan(100);
  });

  it('skips lines that hold nothing but white space', async () => {
    const { input, output } = serve();
    input.write(`\n   \n\t\r\n \r\n${ping}`);
    expect(await output.until(1)).toHaveLength(1);
  });

  it('takes CRLF, a byte order mark and characters cut anywhere, and answers with LF alone', async () => {
    const { input, output } = serve({ echo: ({ params }) => params });
    const bytes = Buffer.from(`\ufeff${request(1, 'echo', { text: 'é—😀' }).trimEnd()}\r\n`);
    for (const byte of bytes) input.write(Buffer.of(byte));
    expect(await output.until(1)).toEqual([{ jsonrpc: '2.0', id: 1, result: { text: 'é—😀' } }]);
    expect(output.text).not.toContain('\r');
  });

  it('serves a stream that gives text instead of bytes', async () => {
    const input = new PassThrough({ encoding: 'utf8' });
    const { output } = serve({ echo: ({ params }) => params }, { input });
    input.write(request(1, 'echo', { text: '日本' }));
    expect((await output.until(1))[0]?.result).toEqual({ text: '日本' });
  });

  it('takes a last line without a newline', async () => {
    const { input, output, service } = serve();
    input.end(ping.trimEnd());
    await service.closed;
    expect(output.answers.map(answer => answer.id)).toEqual(['after']);
  });

  it('tells the acceptor how large a message was', async () => {
    const sizes: (number | undefined)[] = [];
    const { input } = serve({
      accept: () => ({
        receive: (_value: unknown, _exchange: unknown, bytes?: number) => sizes.push(bytes),
        unreadable() {},
        running: 0,
        close: () => Promise.resolve(),
      }),
    } as never);
    input.write('{"é":1}\n');
    await turn();
    expect(sizes).toEqual([8]);
  });

  it('goes on when an acceptor throws', async () => {
    let received = 0;
    const { input, diagnostics } = serve({
      accept: () => ({
        receive() {
          received += 1;
          throw new Error('a bug');
        },
        unreadable() {},
        running: 0,
        close: () => Promise.resolve(),
      }),
    } as never);
    input.write('{}\n{}\n');
    await turn();
    expect(received).toBe(2);
    expect(diagnostics.map(({ message }) => message)).toEqual(
      Array(2).fill('a message could not be handled: a bug'),
    );
  });
});

describe('what a server writes', () => {
  it('answers 10,000 lines of one chunk in few writes, in order, and begins before it has read them all', async () => {
    const { input, output } = serve();
    input.write(Array.from({ length: 10_000 }, (_, id) => request(id, 'ping')).join(''));
    const answers = await output.until(10_000);
    expect(answers.map(answer => answer.id)).toEqual(Array.from({ length: 10_000 }, (_, id) => id));
    // 379 KB in pieces of 64.
    expect(output.writes).toBe(6);
  });

  it('joins what async methods answer within one turn', async () => {
    const { input, output } = serve({
      hops: async () => {
        for (let hop = 0; hop < 5; hop += 1) await Promise.resolve();
      },
      echo: ({ params }) => params,
    });
    input.write(request(1, 'echo') + request(2, 'echo') + request(3, 'hops'));
    await turn();
    await turn();
    expect(output.writes).toBe(1);
  });

  it('waits for a slow reader and loses neither lines nor their order', async () => {
    const { input, output } = serve({ text: ({ params }) => params['at'] });
    output.hold = true;
    for (let at = 0; at < 50; at += 1) {
      input.write(request(at, 'text', { at: `${at}`.padStart(20_000, '.') }));
      await turn();
    }
    expect(output.writes).toBe(1);
    output.hold = false;
    output.letGo();
    const answers = await output.until(50);
    expect(answers.map(answer => answer.id)).toEqual(Array.from({ length: 50 }, (_, at) => at));
    expect(output.writes).toBeLessThan(10);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['a cycle', cycle, /answer to request 7 cannot be written as JSON: .*circular/i],
    ['a BigInt', () => 1n, /BigInt/],
    [
      'a toJSON that throws',
      () => ({
        toJSON: () => {
          throw new Error('no form');
        },
      }),
      /no form/,
    ],
  ])('answers a result with %s as an internal error with the same id', async (_name, result, why) => {
    const { input, output, diagnostics } = serve({ odd: () => ({ value: result() }) });
    input.write(request(7, 'odd'));
    const [answer] = await output.until(1);
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32603 } });
    expect(answer?.error?.message).toMatch(why);
    expect(diagnostics).toMatchObject([{ kind: 'unprintable' }]);
  });

  it('keeps code and message of an error whose data cannot be printed', async () => {
    const { input, output } = serve({
      odd: ({ exchange }) => {
        exchange.send({ jsonrpc: '2.0', id: 1, error: { code: -31999, message: 'why', data: 1n } });
      },
    });
    input.write(request('other', 'odd'));
    expect((await output.until(2))[0]).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -31999, message: 'why' },
    });
  });

  it('answers a request of its own that cannot be printed, and drops such a notification', async () => {
    const { input, output, fake, diagnostics } = serve({
      ask: ({ exchange }) => {
        exchange.send({ jsonrpc: '2.0', id: 9, method: 'ask', params: { big: 1n } });
        exchange.send({ jsonrpc: '2.0', method: 'tell', params: { big: 1n } });
        return null;
      },
    });
    input.write(request(1, 'ask'));
    await output.until(1);
    expect(output.answers.map(answer => answer.id)).toEqual([1]);
    expect(fake.received[1]).toMatchObject({ id: 9, error: { code: -32603 } });
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['unprintable', 'unprintable']);
  });
});

function cycle(): object {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  return self;
}
