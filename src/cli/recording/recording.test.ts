import { describe, expect, it } from 'vitest';
import { Agent } from '../../agent/agent.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { toolset } from '../../bridge/toolset/toolset.ts';
import { connect } from '../../client/client.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import { image, text } from '../../tools/content.ts';
import { tool } from '../../tools/tool.ts';
import { toTimeline } from '../commands/trace/timeline.ts';
import { toTracePage } from '../commands/trace/trace-page.ts';
import { toTraceText } from '../commands/trace/trace-text.ts';
import { readRecording } from './line.ts';
import { Recorder } from './recorder.ts';
import { tidyValue } from './tidy-value.ts';

const key = 'sk-abcdefghijklmnop';

const look = tool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object', properties: { at: { type: 'string' } } },
  run: ({ at }) => [text(`I see <b>${at ?? 'nothing'}</b> and ${key}`), image('AAAA', 'image/png')],
});

async function recordRun(): Promise<string> {
  const lines: string[] = [];
  const clock = manualClock();
  const write = (line: string): void => {
    lines.push(line);
    clock.advance(5);
  };
  const recorder = new Recorder({ write, clock, command: 'tenon run', started: '2026-01-01T00:00:00Z' });
  const server: Server = new Server({ name: 's', version: '1', tools: [look] });
  const client = await connect(recorder.channel('s', server));
  const model = scripted([
    {
      toolCalls: [{ name: 'look', arguments: { at: 'the sea' } }],
      usage: { inputTokens: 7, outputTokens: 2 },
    },
    { text: 'Blue.', usage: { inputTokens: 9, outputTokens: 1 } },
  ]);
  const agent = new Agent({ model, tools: await toolset(client).tools(), onEvent: recorder.event });
  await agent.run('What do you see?');
  await client.close();
  return lines.join('');
}

describe('a recording', () => {
  it('holds every event of the run and every message of its servers, in order', async () => {
    const { start, lines, unread } = readRecording(await recordRun());
    expect(start).toMatchObject({ command: 'tenon run', version: 1 });
    expect(unread).toEqual([]);
    expect(lines.map(line => (line.type === 'event' ? line.event['type'] : line.direction))).toEqual(
      expect.arrayContaining([
        'sent',
        'received',
        'run-start',
        'model-end',
        'tool-start',
        'tool-end',
        'run-end',
      ]),
    );
    const calls = lines.flatMap(line =>
      line.type === 'message' ? [line.message as { method?: string }] : [],
    );
    expect(calls.map(({ method }) => method)).toContain('tools/call');
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort((a, b) => a - b));
  });

  it('holds no key and no picture', async () => {
    const recorded = await recordRun();
    expect(recorded).not.toContain(key);
    expect(recorded).not.toContain('AAAA');
    expect(recorded).toContain('[base64, 3 bytes]');
  });

  it('holds no key that a model writes in pieces', async () => {
    const recorded: string[] = [];
    const write = (line: string): unknown => recorded.push(line);
    const recorder = new Recorder({ write, clock: manualClock(), command: 'c', started: 't' });
    for (const text of ['The key is sk-abcd', 'efghijkl', 'mnop, keep it.']) {
      recorder.event({ type: 'text-delta', turn: 1, text });
    }
    recorder.end();
    expect(recorded.join('')).toContain('The key is ***, keep it.');
  });

  it('that was cut off is read as far as it goes', async () => {
    const recorded = await recordRun();
    const cut = recorded.slice(0, -30);
    const { lines, unread } = readRecording(cut);
    expect(unread).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(5);
  });

  it.each([
    ['', /no recording/],
    ['{"type":"event"}', /no recording/],
    ['{"type":"recording","version":2}', /version 2/],
    ['{"type":"recording","version":{"toString":1}}', /version \{"toString":1\}/],
  ])('%j is none', (recorded, message) => {
    expect(() => readRecording(recorded)).toThrow(message);
  });

  it.each([
    ['"soon"', 'no number'],
    ['1e999', 'more than any number'],
    ['1e308', 'longer than anything lasts'],
    ['-1', 'before the start'],
  ])('has no line at %s, which is %s', at => {
    const line = `{"type":"event","at":${at},"event":{"type":"run-start"}}`;
    const { lines, unread } = readRecording(`{"type":"recording","version":1}\n${line}`);
    expect([lines, unread]).toEqual([[], [2]]);
  });

  it('has what becomes of connections, and tells the connections of one server apart', async () => {
    const recorded: string[] = [];
    const recorder = new Recorder({
      ...{ write: (line: string) => recorded.push(line), clock: manualClock(), command: 'c', started: 't' },
    });
    const server: Server = new Server({ name: 's', version: '1', tools: [look] });
    const channel = recorder.channel('s', server);
    for (const client of [await connect(channel), await connect(channel)]) {
      await client.tools().all();
      await client.close();
    }
    const none = { label: 'none', open: () => Promise.reject(new Error(`no door, ${key}`)) };
    await expect(connect(recorder.channel('none', none))).rejects.toThrow('no door');
    const { lines } = readRecording(recorded.join(''));
    const servers = lines.flatMap(line => (line.type === 'message' ? [line.server] : []));
    expect([...new Set(servers)]).toEqual(['s', 's #2']);
    const ends = lines.flatMap(line => (line.type === 'event' ? [line.event] : []));
    expect(ends).toMatchObject([
      { type: 'connection', server: 's', state: 'closed', error: { reason: 'closed' } },
      { type: 'connection', server: 's #2', state: 'closed' },
      { type: 'connection', server: 'none', state: 'failed', error: { message: 'no door, ***' } },
    ]);
  });

  it('goes on without lines once they cannot be written, and says so once', () => {
    const faults: unknown[] = [];
    const write = (): void => {
      throw new Error('disk full');
    };
    const options = { write, clock: manualClock(), command: 'c', started: 't' };
    const recorder = new Recorder({ ...options, onFault: error => faults.push(error) });
    recorder.event({ type: 'run-start' });
    recorder.event({ type: 'run-start' });
    expect(faults).toHaveLength(1);
  });
});

describe('what is recorded', () => {
  it('is bounded and JSON, whatever it was', () => {
    const circle: Record<string, unknown> = { authorization: 'Bearer abc', big: 'x'.repeat(100_000), n: 5n };
    circle['self'] = circle;
    circle['failure'] = new Error('no', { cause: new TypeError('why') });
    circle['list'] = Array.from({ length: 2000 }, () => 1);
    const tidied = tidyValue(circle, ['hunter22']) as Record<string, unknown>;
    expect(tidied).toMatchObject({
      authorization: '***',
      n: '5',
      self: '[left out]',
      failure: { name: 'Error', message: 'no', cause: { name: 'TypeError', message: 'why' } },
    });
    expect(String(tidied['big']).length).toBeLessThan(9000);
    expect(tidied['list']).toHaveLength(1001);
    expect(tidyValue('the word is hunter22', ['hunter22'])).toBe('the word is ***');
  });

  it.each([
    ...['token', 'secret', 'auth_token', 'secret_key', 'private_key', 'passphrase', 'bearer', 'x-auth'],
    'password',
  ])('has no text and no number under %s', name => {
    const masked = { [name]: '***' };
    expect(tidyValue([{ [name]: 'abc' }, { [name]: 1234 }])).toEqual([masked, masked]);
    expect(tidyValue({ arguments: JSON.stringify({ [name]: 'abc' }) })).toEqual({
      arguments: JSON.stringify(masked),
    });
  });

  it('has nothing of what stands inside of credentials, but whether', () => {
    const credentials = { user: 'me', pin: 1234, keys: ['a', { b: 'c' }], on: true, none: null };
    expect(tidyValue({ credentials })).toEqual({
      credentials: { user: '***', pin: '***', keys: ['***', { b: '***' }], on: true, none: null },
    });
  });

  it('has no secret of a URL, of an argument list, or of a name', () => {
    expect(tidyValue({ url: 'https://h/a?sig=abc&key=d&x=1' })).toEqual({
      url: 'https://h/a?sig=***&key=***&x=1',
    });
    expect(tidyValue({ args: ['--token', 'X', '-v', '--api-key', '--port', '80'] })).toEqual({
      args: ['--token', '***', '-v', '--api-key', '--port', '80'],
    });
    expect(tidyValue({ [key]: 1, n: 123_456 }, ['123456'])).toEqual({ '***': 1, n: '***' });
  });

  it('keeps counts, marks and schemas readable', () => {
    const plain = {
      ...{ maxTokens: 100, tokens: 12, tokenizer: 'bpe', cancellationToken: 'c-1', key: 'name', pass: 3 },
      ...{ usage: { inputTokens: 3, outputTokens: { total: 4 } }, _meta: { progressToken: 'p-1' } },
      ...{ tokenCount: 5, apiKeys: 2, max_tokens: '64', auth: true },
      inputSchema: { properties: { password: { type: 'string', description: 'Of the account.' } } },
    };
    expect(tidyValue(plain)).toEqual(plain);
    const text = '{ "tokens": 12,  "x": "y" }';
    expect(tidyValue(text)).toBe(text);
  });
});

describe('a trace', () => {
  it('has a step for each model call, tool call and message, with what they took', async () => {
    const timeline = toTimeline(readRecording(await recordRun()));
    expect(timeline.totals).toMatchObject({ modelCalls: 2, toolCalls: 1, inputTokens: 16, outputTokens: 3 });
    const kinds = timeline.steps.map(({ kind }) => kind);
    expect(kinds.filter(kind => kind === 'model')).toHaveLength(2);
    expect(kinds.filter(kind => kind === 'tool')).toHaveLength(1);
    const run = timeline.steps.find(({ kind }) => kind === 'run');
    expect(run?.to).toBeGreaterThan(run?.from ?? Number.NaN);
    for (const { to } of timeline.steps) expect(to).not.toBeUndefined();
  });

  it('as text has a line for each step, no wider than asked', async () => {
    const trace = toTraceText(toTimeline(readRecording(await recordRun())), { width: 60 });
    expect(trace).toContain('model calls 2, tool calls 1, tokens in 16, tokens out 3');
    expect(trace).toMatch(/ms +tool look {2}at=the sea → I see <b>th…/);
    for (const line of trace.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('as a page holds everything as text, loads nothing, and runs nothing', async () => {
    const page = toTracePage(toTimeline(readRecording(await recordRun())));
    expect(page).toContain('I see &lt;b&gt;the sea&lt;/b&gt;');
    expect(page).not.toMatch(/<script|<b>the sea|https?:|src=|href="(?!#step-\d+")|url\(|@import/);
    expect(page).toContain("default-src 'none'");
  });

  it('of steps that never ended says so', () => {
    const recorded = [
      { type: 'recording', version: 1, command: 'c', started: 't' },
      { type: 'event', at: 3, event: { type: 'model-start', turn: 1, model: 'm' } },
    ];
    const timeline = toTimeline(readRecording(recorded.map(line => JSON.stringify(line)).join('\n')));
    expect(toTraceText(timeline)).toMatch(
      /never ended; the recording stops after 3 ms\n.*\n {2}at 3 ms, model m/,
    );
    expect(toTracePage(timeline)).toContain('Never ended; the recording stops after 3 ms');
  });
});
