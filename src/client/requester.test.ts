import { describe, expect, it } from 'vitest';
import type { TraceContext, Tracer } from '../basics/trace.ts';
import type { Acceptor } from '../channels/channel.ts';
import { memoryChannel } from '../channels/memory.ts';
import { EraMemory, revisions } from '../eras/index.ts';
import { Server } from '../server/server.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import { connect } from './client.ts';

interface Recorded {
  readonly end: string;
  readonly name: string;
  readonly attributes: unknown;
  readonly parent: TraceContext | undefined;
  ended?: unknown;
}

/** A tracer whose spans are numbered, so that a parent can be told. */
function tracerFor(end: string, spans: Recorded[]): Tracer {
  return {
    span(name, attributes, parent) {
      const span: Recorded = { end, name, attributes, parent };
      spans.push(span);
      return Object.assign(
        {
          end(error?: unknown): void {
            span.ended = error ?? 'well';
          },
        },
        { number: spans.length },
      );
    },
    inject: span => ({ traceparent: parentOf((span as unknown as { number: number }).number) }),
  };
}

const parentOf = (number: number): string => `00-${'0'.repeat(32)}-${String(number).padStart(16, '0')}-01`;

describe.each(revisions.slice(-2))('with a tracer on both ends, in %s', protocol => {
  const form = { message: '?', requestedSchema: { type: 'object' } } as const;
  const tools: readonly AnyTool[] = [
    tool({ name: 'echo', description: '', run: () => 'x' }),
    tool({
      name: 'ask',
      description: '',
      run: async (_args, { elicit }) => (await elicit('k', form)).action,
    }),
  ];

  it('each call is a span on the server under that of its client, which ends as the call ends', async () => {
    const spans: Recorded[] = [];
    const server = new Server({ name: 's', version: '1', tools, tracer: tracerFor('server', spans) });
    const options = { protocol, eraMemory: new EraMemory(), tracer: tracerFor('client', spans) };
    await using client = await connect(server, options);
    await client.call('echo');
    expect(spans).toMatchObject([
      { end: 'client', name: 'tools/call echo', parent: undefined, ended: 'well' },
      { end: 'server', name: 'tools/call echo', parent: { traceparent: parentOf(1) }, ended: 'well' },
    ]);
    expect(spans[1]?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'echo',
    });
    await expect(client.call('none')).rejects.toThrow();
    expect(spans.slice(2).map(({ ended }) => (ended as Error).name)).toEqual([
      'ProtocolError',
      'ProtocolError',
    ]);
  });

  it('a question on its way is no failure', async () => {
    const spans: Recorded[] = [];
    const server = new Server({ name: 's', version: '1', tools, tracer: tracerFor('server', spans) });
    const onElicit = () => ({ action: 'decline' }) as const;
    await using client = await connect(server, { protocol, eraMemory: new EraMemory(), onElicit });
    await client.call('ask');
    expect(new Set(spans.map(({ ended }) => ended))).toEqual(new Set(['well']));
  });
});

it('nothing of a trace is sent without a tracer', async () => {
  const said: string[] = [];
  const server = new Server({ name: 's', version: '1' });
  const watched: Acceptor = {
    accept(standing, options) {
      const inlet = server.accept(standing, options);
      const receive = inlet.receive.bind(inlet);
      inlet.receive = (value, exchange, bytes) => {
        said.push(JSON.stringify(value));
        receive(value, exchange, bytes);
      };
      return inlet;
    },
  };
  await using client = await connect(memoryChannel(watched), { eraMemory: new EraMemory() });
  await client.tools().all();
  expect(said.length).toBeGreaterThan(1);
  expect(said.filter(each => /traceparent|tracestate|baggage/.test(each))).toEqual([]);
});
