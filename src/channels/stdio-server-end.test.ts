import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { request, Sink, serve, turn } from '../../test/fixtures/stdio-harness.ts';
import type { Exchange } from './channel.ts';

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

  it('gives up a reader that has left 512 Mi characters unread, and says so', async () => {
    const text = 'x'.repeat(32 * 1024 * 1024);
    let exchange: Exchange | undefined;
    const { input, output, service, clock, diagnostics, fake } = serve({
      keep: call => {
        exchange = call.exchange;
        return {};
      },
    });
    output.hold = true;
    input.write(request(1, 'keep'));
    await turn();
    for (let id = 2; id < 17; id += 1) exchange?.send({ jsonrpc: '2.0', id, result: text });
    expect(exchange?.backlog).toBeGreaterThan(15 * text.length);
    expect(diagnostics).toEqual([]);
    for (let id = 17; id < 19; id += 1) exchange?.send({ jsonrpc: '2.0', id, result: text });
    expect(diagnostics).toMatchObject([
      { kind: 'unread', message: expect.stringContaining('does not read') },
    ]);
    expect(fake.closings).toMatchObject([{ reason: { reason: 'unread' }, grace: 500 }]);
    expect(exchange?.backlog).toBe(Number.POSITIVE_INFINITY);
    clock.advance(500);
    await service.closed;
    expect(clock.pending).toBe(0);
  });

  it('knows what is not read yet, and tells when it is', async () => {
    let exchange: Exchange | undefined;
    const { input, output } = serve({
      keep: call => {
        exchange = call.exchange;
        return {};
      },
    });
    input.write(request(1, 'keep'));
    await output.until(1);
    expect(exchange?.backlog).toBe(0);
    output.hold = true;
    const told: string[] = [];
    exchange?.send({ jsonrpc: '2.0', id: 2, result: 'x'.repeat(1000) });
    const { backlog = 0 } = exchange ?? {};
    expect(backlog).toBeGreaterThan(1000);
    exchange?.onTaken?.(backlog, () => told.push('at once'));
    exchange?.onTaken?.(100, () => told.push('later'));
    await output.until(2);
    expect(told).toEqual(['at once']);
    output.letGo();
    await turn();
    expect([told, exchange?.backlog]).toEqual([['at once', 'later'], 0]);
  });

  it('has an endless backlog once nobody can read, and tells nobody that it is read', async () => {
    let exchange: Exchange | undefined;
    const { input, output, service, clock } = serve({
      keep: call => {
        exchange = call.exchange;
        return {};
      },
    });
    input.write(request(1, 'keep'));
    await output.until(1);
    output.hold = true;
    const told: string[] = [];
    exchange?.send({ jsonrpc: '2.0', id: 2, result: 'x'.repeat(1000) });
    exchange?.onTaken?.(100, () => told.push('before'));
    output.destroy();
    await once(output, 'close');
    exchange?.onTaken?.(100, () => told.push('after'));
    clock.advance(500);
    await service.closed;
    expect([told, exchange?.backlog]).toEqual([[], Number.POSITIVE_INFINITY]);
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

function untilAborted({ signal }: { readonly signal: AbortSignal }): Promise<string> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve((signal.reason as Error).message));
  });
}
