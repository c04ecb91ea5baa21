import { describe, expect, it } from 'vitest';
import { Collector } from '../../test/fixtures/stdio/collector.ts';
import { server, start } from '../../test/fixtures/stdio/servers.ts';
import { children, watch } from '../../test/fixtures/stdio/watch.ts';
import { systemClock } from '../basics/clock.ts';
import { manualClock } from '../basics/manual-clock.ts';
import { stdio } from './stdio-client.ts';

const run = watch();

describe('messages', () => {
  it('go both ways, in order, on one line each', async () => {
    const { connection, collector } = await run(`
      let text = '';
      process.stdin.setEncoding('utf8').on('data', part => {
        text += part;
        if (text.split('\\n').length === 4) say('got', { lines: text.split('\\n') });
      });`);
    for (const id of [1, 2, 3])
      connection.send({ jsonrpc: '2.0', id, method: 'm', params: { text: 'é\n😀' } });
    const { lines } = await collector.said('got');
    expect((lines as string[]).slice(0, 3).map(line => JSON.parse(line))).toEqual(
      [1, 2, 3].map(id => ({ jsonrpc: '2.0', id, method: 'm', params: { text: 'é\n😀' } })),
    );
    expect((lines as string[])[3]).toBe('');
    expect(connection.replyStreams).toBe(false);
  });

  it('survive characters that are split between two reads', async () => {
    const { collector } = await run(`
      for (const byte of Buffer.from('{"jsonrpc":"2.0","method":"a","params":{"t":"é—😀"}}\\n')) {
        writeSync(1, Uint8Array.of(byte));
        await new Promise(setImmediate);
      }
      stay(); onEof(() => process.exit());`);
    expect(await collector.said('a')).toEqual({ t: 'é—😀' });
  });

  it('are read behind a byte order mark, with CRLF, between blank lines, and without a last newline', async () => {
    const { collector } = await run(
      `print('\\ufeff{"jsonrpc":"2.0","method":"a"}\\r\\n\\r\\n\\n{"jsonrpc":"2.0","method":"b"}\\r\\n{"jsonrpc":"2.0","method":"c"}')`,
    );
    await collector.end();
    expect(collector.messages.map(message => (message as { method: string }).method)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(collector.diagnostics).toEqual([]);
  });

  it('of 20 MB come whole', async () => {
    const { collector } = await run(`
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'big', params: { text: 'x'.repeat(20e6) } }) + '\\n');
      onEof(() => process.exit());`);
    const { text } = await collector.said('big');
    expect((text as string).length).toBe(20e6);
  });

  it('of an older kind, several in an array, come as that array', async () => {
    const { collector } = await run(
      `print('[{"jsonrpc":"2.0","method":"a"}]\\n'); onEof(() => process.exit());`,
    );
    expect(await collector.until(() => collector.messages[0])).toEqual([{ jsonrpc: '2.0', method: 'a' }]);
  });
});

describe('noise on stdout', () => {
  it('is skipped with a diagnostic that shows how it began, whether it is text, JSON or a log line', async () => {
    const noise = [
      'Server v1 starting…',
      '{"level":"info"}',
      '[1,2]',
      '42',
      '{"method":"GET","url":"/"}',
      `z${'y'.repeat(300)}`,
    ];
    const { collector } = await run(
      `print(${JSON.stringify(noise.join('\n'))} + '\\n'); say('ready'); onEof(() => process.exit());`,
    );
    await collector.said('ready');
    expect(collector.messages).toHaveLength(1);
    expect(collector.diagnostics.map(({ kind }) => kind)).toEqual(noise.map(() => 'stdout-noise'));
    expect(collector.diagnostics.map(({ data }) => data)).toEqual([
      ...noise.slice(0, 5),
      `z${'y'.repeat(199)}…`,
    ]);
  });

  it('that is not UTF-8 is skipped and the next message comes', async () => {
    const { collector } = await run(
      `writeSync(1, Uint8Array.of(0x7b, 0xff, 0xfe, 0x0a)); say('ready'); onEof(() => process.exit());`,
    );
    await collector.said('ready');
    expect(collector.diagnostics).toMatchObject([{ kind: 'not-utf8' }]);
  });

  it('without end ends the connection at the limit, and the child', async () => {
    const { collector, connection } = await run(
      `process.stdout.on('error', () => {}); const more = () => process.stdout.write('x'.repeat(1e6), more); more(); onEof(() => process.exit());`,
      { lineLimit: 3_000_000 },
    );
    const error = await collector.end();
    expect(error).toMatchObject({ phase: 'read', reason: 'line-too-long', outcome: 'unknown' });
    expect(error.message).toContain('3000000 bytes');
    await connection.close();
    expect(children()).toEqual([]);
    expect(collector.closings).toHaveLength(1);
  });
});

describe('giving up while it opens', () => {
  it('rejects with the reason of the signal and leaves no process', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const collector = new Collector();
    const opening = stdio(server('stay()')).open(collector, {
      clock: systemClock,
      signal: controller.signal,
    });
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(children()).toEqual([]);
    expect(collector.closings).toEqual([]);
  });

  it('beforehand starts nothing', async () => {
    const collector = new Collector();
    const opening = stdio({ command: 'no-such-command-here' }).open(collector, {
      clock: systemClock,
      signal: AbortSignal.abort('early'),
    });
    await expect(opening).rejects.toBe('early');
  });
});

describe('what cannot be written as JSON', () => {
  it('is answered to whoever waits, and the connection goes on', async () => {
    const { connection, collector } = await run(
      `process.stdin.on('data', data => say('got', { text: String(data) })); onEof(() => process.exit());`,
    );
    connection.send({ jsonrpc: '2.0', id: 7, method: 'm', params: { n: 1n } });
    connection.send({ jsonrpc: '2.0', method: 'note', params: { n: 1n } });
    connection.send({ jsonrpc: '2.0', id: 8, result: 1n });
    expect(await collector.until(() => collector.messages[0])).toMatchObject({
      id: 7,
      error: { code: -32603 },
    });
    expect(collector.diagnostics).toMatchObject([{ kind: 'unprintable-message' }]);
    expect(JSON.parse((await collector.said('got'))['text'] as string)).toMatchObject({
      id: 8,
      error: { code: -32603 },
    });
  });
});

describe('closing', () => {
  it('tells the receiver once and delivers nothing afterwards', async () => {
    const { connection, collector } = await run(
      `say('ready'); onEof(() => { say('late'); writeSync(2, 'late'); process.exit(); });`,
    );
    await collector.said('ready');
    const activities = collector.activities.length;
    const closing = connection.close();
    expect(connection.close()).toBe(closing);
    await closing;
    expect(collector.closings).toMatchObject([{ reason: 'closed', phase: 'close' }]);
    expect(collector.messages).toHaveLength(1);
    expect(collector.activities).toHaveLength(activities);
  });

  it('delivers what was sent just before', async () => {
    const heard: string[] = [];
    const { connection } = await run(`process.stdin.pipe(process.stderr)`, {
      stderr: text => heard.push(text),
    });
    connection.send({ jsonrpc: '2.0', method: 'goodbye' });
    await connection.close();
    expect(heard.join('')).toBe('{"jsonrpc":"2.0","method":"goodbye"}\n');
  });

  it('needs no timer when the server leaves at the end of its input', async () => {
    const clock = manualClock();
    const { connection } = await start(server(`onEof(() => process.exit())`), clock);
    await connection.close();
    expect(clock.pending).toBe(0);
  });
});

it('a label is the command line without its secrets', () => {
  const { label } = stdio({ command: 'npx', args: ['-y', 'a server', '--token', 'abc'], cwd: '/srv' });
  expect(label).toBe('npx -y "a server" --token *** (in /srv)');
});
