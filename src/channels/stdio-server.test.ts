import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type FakeMethods, fakeAcceptor } from '../../test/fixtures/fake-acceptor.ts';
import { type ManualClock, manualClock } from '../basics/manual-clock.ts';
import type { Acceptor, Diagnostic } from './channel.ts';
import { type StdioServerOptions, serveStdioOn } from './stdio-server.ts';

type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string }; method?: string };

/** Collects what is written; `writes` counts the writes, `hold` keeps them unconfirmed as a slow reader does. */
class Sink extends Writable {
  writes = 0;
  text = '';
  hold = false;
  #held: (() => void)[] = [];
  #watchers: (() => void)[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes += 1;
    this.text += chunk.toString();
    for (const watch of this.#watchers.splice(0)) watch();
    if (this.hold) this.#held.push(done);
    else done();
  }

  letGo(): void {
    for (const done of this.#held.splice(0)) done();
  }

  get answers(): Answer[] {
    return this.text
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Answer);
  }

  async until(count: number): Promise<Answer[]> {
    while (this.answers.length < count) await new Promise<void>(resolve => this.#watchers.push(resolve));
    return this.answers;
  }
}

function serve(methods: FakeMethods | Acceptor = {}, options: StdioServerOptions = {}) {
  const acceptor = typeof methods['accept'] === 'function' ? (methods as Acceptor) : undefined;
  const fake = fakeAcceptor({
    ping: () => ({}),
    ...(acceptor === undefined ? (methods as FakeMethods) : {}),
  });
  const input = new PassThrough();
  const output = new Sink();
  const clock: ManualClock = manualClock();
  const diagnostics: Diagnostic[] = [];
  const service = serveStdioOn(acceptor ?? fake, {
    input,
    output,
    clock,
    onDiagnostic: diagnostic => diagnostics.push(diagnostic),
    ...options,
  });
  return { fake, input, output, clock, diagnostics, service };
}

const request = (id: number | string, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

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
  it('answers 10,000 lines of one chunk in one write, in order', async () => {
    const { input, output } = serve();
    input.write(Array.from({ length: 10_000 }, (_, id) => request(id, 'ping')).join(''));
    const answers = await output.until(10_000);
    expect(answers.map(answer => answer.id)).toEqual(Array.from({ length: 10_000 }, (_, id) => id));
    expect(output.writes).toBe(1);
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
        exchange.send({ jsonrpc: '2.0', id: 1, error: { code: -32042, message: 'why', data: 1n } });
      },
    });
    input.write(request('other', 'odd'));
    expect((await output.until(2))[0]).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32042, message: 'why' },
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

describe('the end of a connection', () => {
  it('closes at once and writes nothing when the input ends before anything', async () => {
    const { input, output, service, fake } = serve();
    input.end();
    await service.closed;
    expect(output.text).toBe('');
    expect(fake.closings).toMatchObject([{ grace: 2000, reason: { reason: 'closed' } }]);
  });

  it('closes when the input was over before it was given', async () => {
    const input = new PassThrough();
    input.destroy();
    await once(input, 'close');
    await serve({}, { input }).service.closed;
  });

  it('writes the answer of a call that finishes within the drain', async () => {
    let finish = (_: string): void => {};
    const { input, output, service, fake } = serve({
      slow: () =>
        new Promise(resolve => {
          finish = resolve;
        }),
    });
    input.end(request(1, 'slow'));
    await once(input, 'end');
    expect(fake.closings).toHaveLength(1);
    finish('in time');
    await service.closed;
    expect(output.answers).toEqual([{ jsonrpc: '2.0', id: 1, result: 'in time' }]);
  });

  it('aborts a call that does not, and writes what it answers then', async () => {
    const { input, output, service, clock } = serve({ wait: untilAborted });
    input.end(request(1, 'wait'));
    await once(input, 'end');
    clock.advance(1999);
    await turn();
    expect(output.text).toBe('');
    clock.advance(1);
    await service.closed;
    expect(output.answers[0]?.result).toBe('the client closed its end of the connection');
  });

  it('gives up a call that does not heed its signal', async () => {
    const { input, output, service, clock } = serve({ never: () => new Promise(() => {}) }, { drain: 100 });
    input.end(request(1, 'never'));
    await once(input, 'end');
    clock.advance(1000);
    await service.closed;
    expect(output.text).toBe('');
    expect(clock.pending).toBe(0);
  });

  it('does not wait for ever for a reader that does not read', async () => {
    const { input, output, service, clock } = serve();
    output.hold = true;
    input.end(request(1, 'ping'));
    await once(input, 'end');
    await turn();
    await turn();
    clock.advance(2000);
    await service.closed;
    expect(output.writes).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('ends shortly after the output broke, without throwing, and aborts what runs', async () => {
    const { input, output, service, clock, fake } = serve({ wait: untilAborted });
    input.write(request(1, 'wait'));
    await turn();
    output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await new Promise(resolve => output.once('close', resolve));
    await turn();
    expect(fake.closings).toMatchObject([{ grace: 500, reason: { reason: 'broken-pipe' } }]);
    clock.advance(500);
    await service.closed;
  });

  it('cuts the drain when the output breaks while calls finish', async () => {
    const { input, output, service, clock, fake } = serve({ wait: untilAborted });
    input.end(request(1, 'wait'));
    await once(input, 'end');
    output.destroy();
    await once(output, 'close');
    await turn();
    expect(fake.closings.map(({ grace }) => grace)).toEqual([2000, 500]);
    clock.advance(500);
    await service.closed;
  });

  it('does nothing with what is sent after the end', async () => {
    let late = (): void => {};
    const { input, output, service, diagnostics } = serve({
      keep: ({ exchange }) => {
        late = () => exchange.send({ jsonrpc: '2.0', id: 2, result: 1n });
      },
    });
    input.end(request(1, 'keep'));
    await service.closed;
    late();
    await turn();
    expect(output.answers).toHaveLength(1);
    expect(diagnostics).toEqual([]);
  });

  it('ends when it is closed, with its input still open, as often as that is asked', async () => {
    const { input, output, service } = serve();
    await Promise.all([service.close(), service.close()]);
    await service.close();
    input.write(request(1, 'ping'));
    await turn();
    expect(output.text).toBe('');
    expect(input.isPaused()).toBe(true);
  });

  it('ends when reading fails', async () => {
    const { input, service, fake } = serve();
    input.destroy(new Error('read EIO'));
    await service.closed;
    expect(fake.closings[0]?.reason).toMatchObject({ message: 'reading from the client failed: read EIO' });
  });

  it.each([true, false])(
    'leaves no listener on its streams or the process (closed by us: %s)',
    async byUs => {
      const input = new PassThrough();
      const output = new Sink();
      const count = (): number[] =>
        [input, output].flatMap(stream => stream.eventNames().map(name => stream.listenerCount(name)));
      const before = [count(), process.listenerCount('SIGTERM'), process.listenerCount('SIGINT')];
      const { service } = serve({}, { input, output, signals: true });
      expect(process.listenerCount('SIGTERM')).toBe((before[1] as number) + 1);
      input.write(request(1, 'ping'));
      await output.until(1);
      if (byUs) await service.close();
      else {
        input.end();
        await service.closed;
      }
      expect([count(), process.listenerCount('SIGTERM'), process.listenerCount('SIGINT')]).toEqual(before);
    },
  );

  it('leaves nothing behind when the acceptor refuses', () => {
    const output = new Sink();
    const accept = (): never => {
      throw new Error('no');
    };
    expect(() => serve({ accept } as never, { output, guardStdout: true })).toThrow('no');
    expect(output.listenerCount('close')).toBe(0);
    expect(Object.hasOwn(process.stdout, 'write') && process.stdout.write.name === 'divert').toBe(false);
  });
});

function cycle(): object {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  return self;
}

function untilAborted({ signal }: { readonly signal: AbortSignal }): Promise<string> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve((signal.reason as Error).message));
  });
}
