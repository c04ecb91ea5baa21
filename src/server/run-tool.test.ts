import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { one, serve } from '../../test/fixtures/serve-tools.ts';
import { type Served, served, textOf } from '../../test/fixtures/served.ts';
import { manualClock } from '../basics/manual-clock.ts';
import type { Call } from '../protocol/call.ts';
import { ProtocolError } from '../rpc/protocol-error.ts';
import { text } from '../tools/content.ts';
import type { AnyTool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { registerTool } from './register-tool.ts';
import { runTool } from './run-tool.ts';

describe('what a tool gives back', () => {
  it.each<[string, unknown, object]>([
    ['text', 'plain', { content: [text('plain')] }],
    ['nothing', undefined, { content: [] }],
    ['a block', text('one'), { content: [text('one')] }],
    ['data', { a: 1 }, { content: [text('{"a":1}')], structuredContent: { a: 1 } }],
    ['a failure', { content: [text('no')], isError: true }, { content: [text('no')], isError: true }],
  ])('as %s becomes a result', async (_what, returned, expected) => {
    const { client } = serve([one(() => returned)]);
    expect((await client.call('it')).result).toEqual(expected);
    const later = serve([one(async () => returned)]);
    expect((await later.client.call('it')).result).toEqual(expected);
  });

  it('that does not fit its own schema is a failure that the caller sees and the log explains', async () => {
    const output = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const { client, faults } = serve([one(() => ({ sum: 'three' }), { output })]);
    const answer = await client.call('it');
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer)).toBe('The tool it failed: its result does not fit its own output schema.');
    expect(faults[0]?.message).toContain('"sum"');
  });

  it('as a failure is not compared with the schema of success', async () => {
    const output = { type: 'object', required: ['sum'] };
    const { client } = serve([one(() => ({ content: [text('no')], isError: true }), { output })]);
    expect(textOf(await client.call('it'))).toBe('no');
  });

  it('that JSON cannot carry is a failure of the tool', async () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const { client, faults } = serve([one(() => loop)]);
    expect(textOf(await client.call('it'))).toContain('cannot be written as JSON');
    expect(faults).toHaveLength(1);
  });
});

describe('what a tool throws', () => {
  const thrown = (error: unknown): AnyTool =>
    one(() => {
      throw error;
    });

  it('as a ToolError is a failure with its message and data, and no fault', async () => {
    const { client, faults } = serve([thrown(new ToolError('too big', { data: { limit: 3 } }))]);
    const answer = await client.call('it');
    expect(answer.result).toEqual({
      content: [text('too big')],
      structuredContent: { limit: 3 },
      isError: true,
    });
    expect(faults).toEqual([]);
  });

  it.each([['text'], [7], [null], [[1]]])(
    'as a ToolError keeps to its message with the data %j',
    async data => {
      const { client } = serve([thrown(new ToolError('too big', { data }))]);
      expect((await client.call('it')).result).toEqual({ content: [text('too big')], isError: true });
    },
  );

  it.each<[string, AnyTool['run']]>([
    [
      'thrown',
      () => {
        throw new ToolError('too big', { data: { limit: 3 } });
      },
    ],
    [
      'returned',
      () => ({
        content: [text('too big')],
        structuredContent: { limit: 3 },
        isError: true,
        _meta: { own: 1 },
      }),
    ],
  ])(
    'with data that does not fit the schema of success keeps it in _meta, where nobody judges it (%s)',
    async (how, run) => {
      const output = { type: 'object', required: ['sum'] };
      const { client, faults } = serve([one(run, { output })]);
      expect((await client.call('it')).result).toEqual({
        content: [text('too big')],
        isError: true,
        _meta: { ...(how === 'returned' ? { own: 1 } : {}), 'tenon/error': { limit: 3 } },
      });
      expect(faults).toEqual([]);
    },
  );

  it('with data that fits the schema of success keeps it as structured content', async () => {
    const output = { type: 'object', properties: { limit: { type: 'number' } } };
    const { client } = serve([
      one(
        () => {
          throw new ToolError('too big', { data: { limit: 3 } });
        },
        { output },
      ),
    ]);
    expect((await client.call('it')).result).toEqual({
      content: [text('too big')],
      structuredContent: { limit: 3 },
      isError: true,
    });
  });

  it('as a ProtocolError is the answer, code and data with it', async () => {
    const { client } = serve([thrown(new ProtocolError(-31000, 'paused', { data: { until: 5 } }))]);
    expect((await client.call('it')).error).toEqual({ code: -31000, message: 'paused', data: { until: 5 } });
  });

  it('as anything else shows one redacted line, and the whole of it is reported', async () => {
    const error = new Error('the password=hunter2222 was wrong\nat line 7');
    const { client, faults } = serve([thrown(error)]);
    const answer = await client.call('it');
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toBe('The tool it failed: the password=*** was wrong');
    expect(faults).toEqual([{ message: 'the tool it failed', cause: error }]);
  });

  it.each([['text'], [undefined], [{ odd: true }]])('as %j is a failure like any other', async odd => {
    const { client, faults } = serve([thrown(odd)]);
    const answer = await client.call('it');
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).not.toContain('undefined');
    expect(faults).toEqual([{ message: 'the tool it failed', cause: odd }]);
  });

  it('hides behind a reference with maskErrors, and the report quotes it', async () => {
    const error = new Error('a private detail');
    const { client, faults } = serve([thrown(error)], { maskErrors: true });
    const shown = textOf(await client.call('it'));
    const [, reference = 'none'] = /^The tool it failed\. Reference: ([0-9a-f-]{36})$/.exec(shown) ?? [];
    expect(faults).toEqual([{ message: `the tool it failed, reference ${reference}`, cause: error }]);
  });

  it.each([
    ['for the reason of its signal', (reason: unknown) => reason],
    ['with an AbortError of the platform', () => new DOMException('The operation was aborted', 'AbortError')],
  ])('after it was cancelled %s is no fault', async (_sentence, thrown) => {
    let began = (): void => {};
    const started = new Promise<void>(resolve => {
      began = resolve;
    });
    const { client, faults } = serve([
      one((_args, { signal }) => {
        began();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(thrown(signal.reason)));
        });
      }),
    ]);
    void client.call('it');
    await started;
    client.notify('notifications/cancelled', { requestId: client.lastId() });
    await new Promise(setImmediate);
    expect(faults).toEqual([]);
    expect(client.sent.filter(message => 'id' in message && message.id === client.lastId())).toEqual([]);
  });
});

describe('a tool with a limit of time', () => {
  const stuck = (signals: AbortSignal[]): AnyTool =>
    one(
      (_args, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      { timeout: 500 },
    );
  const timed = (tools: readonly AnyTool[]) => {
    const clock = manualClock();
    const { server } = serve(tools, { clock });
    return { clock, client: served(server, 'handshake', { clock }) };
  };
  const turn = () => new Promise(setImmediate);

  it('is given up when it runs out, and its signal aborts', async () => {
    const signals: AbortSignal[] = [];
    const { clock, client } = timed([stuck(signals)]);
    const call = client.call('it');
    await turn();
    clock.advance(499);
    expect(signals[0]?.aborted).toBe(false);
    clock.advance(1);
    const answer = await call;
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toBe('tool "it" did not finish within 500 ms');
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError', limit: 'tool', ms: 500 });
    expect(clock.pending).toBe(0);
  });

  it('lets go of the signal of its call', async () => {
    const { signal } = new AbortController();
    const call = { signal, client: { info: undefined, capabilities: {}, revision: undefined } } as Call;
    const [, registered] = registerTool(
      one(() => 'quick', { timeout: 500 }),
      0,
    );
    const runner = { clock: manualClock(), maskErrors: false, report: () => {} };
    expect(await runTool(registered, {}, call, runner)).toEqual({ content: [text('quick')] });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('holds no timer once it has answered, and hears of a cancellation as well', async () => {
    const signals: AbortSignal[] = [];
    const quick = { ...one(() => 'quick', { timeout: 500 }), name: 'quick' };
    const { clock, client } = timed([stuck(signals), quick]);
    expect(textOf(await client.call('quick'))).toBe('quick');
    expect(clock.pending).toBe(0);
    void client.call('it');
    await turn();
    client.notify('notifications/cancelled', { requestId: client.lastId() });
    await turn();
    expect(signals[0]?.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

describe('a tool that does not look at its signal', () => {
  it('has none made for it', async () => {
    const Original = globalThis.AbortController;
    let made = 0;
    const plain: Served = serve([one(() => 'done')]).client;
    const looking: Served = serve([one((_args, { signal }) => String(signal.aborted))]).client;
    globalThis.AbortController = class extends Original {
      constructor() {
        super();
        made += 1;
      }
    };
    try {
      expect(textOf(await plain.call('it'))).toBe('done');
      expect(made).toBe(0);
      expect(textOf(await looking.call('it'))).toBe('false');
      expect(made).toBe(1);
    } finally {
      globalThis.AbortController = Original;
    }
  });
});
