import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent } from '../agent/agent.ts';
import { serveAgent } from '../bridge/serving/serve-agent.ts';
import { toolset } from '../bridge/toolset/toolset.ts';
import { connect } from '../client/client.ts';
import { http } from '../entries/client.ts';
import { handler } from '../entries/server.ts';
import { EraMemory, revisions } from '../eras/index.ts';
import { ModelError } from '../models/model-error.ts';
import { resource } from '../server/resource.ts';
import { Server } from '../server/server.ts';
import { scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { parentOf, recordSpans } from './fixtures/recorded-spans.ts';
import { otel } from './otel.ts';

/** Spans as `parent > child` by name, in the order in which they ended. */
function tree(spans: readonly ReadableSpan[]): readonly string[] {
  const names = new Map(spans.map(span => [span.spanContext().spanId, span.name]));
  return spans.map(span => `${names.get(parentOf(span) ?? '') ?? ''} > ${span.name}`);
}

const echo = tool({
  name: 'echo',
  description: '',
  input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  run: ({ word }) => `echo of ${word}`,
});

const steps = [
  {
    toolCalls: [{ name: 'echo', id: 'c1', arguments: { word: 'pine' } }],
    usage: { inputTokens: 7, outputTokens: 3 },
  },
  { text: 'a quiet wood', usage: { inputTokens: 20, outputTokens: 4, cachedInputTokens: 5 } },
];

describe.each([
  ['with a context manager and propagators', {}],
  ['without them', { context: false, propagator: false }],
])('a run %s', (_what, setting) => {
  let recorded: ReturnType<typeof recordSpans>;
  beforeEach(() => {
    recorded = recordSpans(setting);
  });
  afterEach(() => recorded.stop());

  it.each(revisions.slice(-2))(
    'is one trace through the agent, the client and the server, in %s',
    async protocol => {
      const server = new Server({ name: 's', version: '1', tools: [echo], tracer: otel() });
      const options = { protocol, eraMemory: new EraMemory(), tracer: otel() };
      await using client = await connect(server, options);
      const tools = await toolset(client).tools();
      const model = scripted(steps, { name: 'openai:gpt-x' });
      await new Agent({ name: 'woods', model, tools, tracer: otel(), temperature: 0.5, maxTokens: 99 }).run(
        'hi',
      );
      expect(tree(recorded.spans().filter(span => span.name !== 'tools/list'))).toEqual([
        'invoke_agent woods > chat gpt-x',
        'tools/call echo > tools/call echo',
        'execute_tool echo > tools/call echo',
        'invoke_agent woods > execute_tool echo',
        'invoke_agent woods > chat gpt-x',
        ' > invoke_agent woods',
      ]);
      const [chat, served, called, executed, , run] = recorded
        .spans()
        .filter(span => span.name !== 'tools/list')
        .map(({ attributes }) => attributes);
      expect(chat).toEqual({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-x',
        'gen_ai.agent.name': 'woods',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 99,
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.response.finish_reasons': ['tool_call'],
      });
      const request = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'echo',
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': protocol,
        'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
      };
      expect(called).toEqual(request);
      expect(served).toEqual(request);
      expect(called?.['jsonrpc.request.id']).toBe(served?.['jsonrpc.request.id']);
      expect(executed).toEqual({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'echo',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.type': 'function',
      });
      expect(run).toEqual({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'woods',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-x',
        'gen_ai.usage.input_tokens': 27,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.usage.cache_read.input_tokens': 5,
      });
    },
  );

  it('sends the context on although the client has no tracer of its own', async () => {
    const server = new Server({ name: 's', version: '1', tools: [echo], tracer: otel() });
    await using client = await connect(server, { eraMemory: new EraMemory() });
    const tools = await toolset(client).tools();
    await new Agent({ model: scripted(steps), tools, tracer: otel() }).run('hi');
    expect(parentOf(recorded.named('tools/call echo'))).toBe(
      recorded.named('execute_tool echo').spanContext().spanId,
    );
  });

  it('of an agent that is served belongs to the call that asked for it', async () => {
    const agent = new Agent({ model: scripted(['hello']), tracer: otel() });
    const tools = [serveAgent(agent, { name: 'guide', description: '' })];
    const server = new Server({ name: 's', version: '1', tools, tracer: otel() });
    await using client = await connect(server, { eraMemory: new EraMemory() });
    await client.call('guide', { prompt: 'hi' });
    expect(parentOf(recorded.named('invoke_agent'))).toBe(
      recorded.named('tools/call guide').spanContext().spanId,
    );
  });
});

describe('a span', () => {
  let recorded: ReturnType<typeof recordSpans>;
  beforeEach(() => {
    recorded = recordSpans();
  });
  afterEach(() => recorded.stop());
  const written = (): string => JSON.stringify(recorded.spans().map(({ attributes }) => attributes));

  it('holds nothing of what was said unless content is wanted', async () => {
    const server = new Server({ name: 's', version: '1', tools: [echo], tracer: otel() });
    await using client = await connect(server, { eraMemory: new EraMemory(), tracer: otel() });
    const tools = await toolset(client).tools();
    await new Agent({ model: scripted(steps), tools, tracer: otel(), instructions: 'be brief' }).run(
      'whisper',
    );
    expect(written()).not.toMatch(/pine|quiet|whisper|brief/);
  });

  it('holds what was said when content is wanted', async () => {
    const tracer = otel({ content: true });
    const server = new Server({ name: 's', version: '1', tools: [echo], tracer });
    await using client = await connect(server, { eraMemory: new EraMemory(), tracer });
    const tools = await toolset(client).tools();
    await new Agent({ model: scripted(steps), tools, tracer, instructions: 'be brief' }).run('whisper');
    const read = (value: unknown): unknown => JSON.parse(String(value));
    const chats = recorded.spans().filter(({ name }) => name === 'chat scripted');
    expect(read(chats[1]?.attributes['gen_ai.system_instructions'])).toEqual([
      { type: 'text', content: 'be brief' },
    ]);
    expect(read(chats[1]?.attributes['gen_ai.input.messages'])).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'whisper' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'echo', arguments: { word: 'pine' } }],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'echo of pine' }] },
    ]);
    expect(read(chats[1]?.attributes['gen_ai.output.messages'])).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'a quiet wood' }], finish_reason: 'stop' },
    ]);
    expect(recorded.named('execute_tool echo').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"word":"pine"}',
      'gen_ai.tool.call.result': 'echo of pine',
    });
    for (const span of recorded.spans().filter(({ name }) => name === 'tools/call echo')) {
      expect(span.attributes['gen_ai.tool.call.arguments']).toBe('{"word":"pine"}');
      expect(span.attributes['gen_ai.tool.call.result']).toContain('echo of pine');
    }
  });

  it('of a tool says that it failed, at every end', async () => {
    const broken = tool({
      name: 'broken',
      description: '',
      run: () => {
        throw new ToolError('not today');
      },
    });
    const server = new Server({ name: 's', version: '1', tools: [broken], tracer: otel() });
    await using client = await connect(server, { eraMemory: new EraMemory(), tracer: otel() });
    const tools = await toolset(client).tools();
    const model = scripted([{ toolCalls: [{ name: 'broken' }] }, 'sorry']);
    await new Agent({ model, tools, tracer: otel() }).run('hi');
    const failed = recorded.spans().filter(({ attributes }) => attributes['error.type'] === 'tool_error');
    expect(failed.map(({ name }) => name)).toEqual([
      'tools/call broken',
      'tools/call broken',
      'execute_tool broken',
    ]);
    expect(recorded.named('invoke_agent').attributes['error.type']).toBeUndefined();
  });

  it('of a run that fails keeps what was used', async () => {
    const model = scripted([
      steps[0] as object,
      {
        usage: { inputTokens: 2 },
        error: new ModelError('busy', { kind: 'rate-limit', provider: 'p', status: 429 }),
      },
    ]);
    await expect(new Agent({ model, tools: [echo], tracer: otel() }).run('hi')).rejects.toThrow('busy');
    expect(recorded.named('invoke_agent').attributes).toMatchObject({
      'error.type': 'RunError',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
    });
    const chats = recorded.spans().filter(({ name }) => name === 'chat scripted');
    expect(chats[1]?.attributes).toMatchObject({ 'error.type': '429' });
  });

  it('names the session where there is one, the same at both ends', async () => {
    const answer = handler(new Server({ name: 's', version: '1', tools: [echo], tracer: otel() }));
    const channel = http('http://localhost:8080/mcp?key=private', {
      fetch: (url, init) => answer(new Request(url, init)),
    });
    const [protocol] = revisions.slice(-2);
    await using client = await connect(channel, { protocol, eraMemory: new EraMemory(), tracer: otel() });
    await client.call('echo', { word: 'x' });
    const sessions = recorded
      .spans()
      .filter(({ name }) => name === 'tools/call echo')
      .map(({ attributes }) => attributes['mcp.session.id']);
    expect(sessions).toEqual([expect.any(String), sessions[0]]);
    const sent = recorded
      .spans()
      .find(({ name, kind }) => name === 'tools/call echo' && kind === SpanKind.CLIENT);
    expect(sent?.attributes).toMatchObject({
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'server.address': 'localhost',
      'server.port': 8080,
    });
    expect(JSON.stringify(sent?.attributes)).not.toContain('private');
  });

  it('names the resource that is read', async () => {
    const resources = [resource({ uri: 'note://a', name: 'a', read: () => 'text' })];
    const server = new Server({ name: 's', version: '1', resources, tracer: otel() });
    await using client = await connect(server, { eraMemory: new EraMemory(), tracer: otel() });
    await client.read('note://a');
    for (const span of recorded.spans().filter(({ name }) => name === 'resources/read')) {
      expect(span.attributes).toMatchObject({ 'mcp.resource.uri': 'note://a' });
      expect(span.attributes).not.toHaveProperty('gen_ai.operation.name');
    }
  });
});
