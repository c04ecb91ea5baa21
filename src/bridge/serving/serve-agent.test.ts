import { describe, expect, it, vi } from 'vitest';
import { Agent } from '../../agent/agent.ts';
import { connect } from '../../client/client.ts';
import { ModelError } from '../../models/model-error.ts';
import { meterModel } from '../../patterns/asking/meter.ts';
import { Budget } from '../../patterns/budget/budget.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { tool } from '../../tools/tool.ts';
import { serveAgent } from './serve-agent.ts';

async function callServed(served: AnyTool, args: Record<string, unknown>, options = {}) {
  const client = await connect(
    new Server({ name: 'agents', version: '1', tools: [served], onFault: () => {} }),
  );
  try {
    return await client.call(served.name, args, options);
  } finally {
    await client.close();
  }
}

const about = { name: 'helper', description: 'Helps', onError: () => {} };

describe('a served agent', () => {
  it('answers with the output of its run and what it used', async () => {
    const agent = new Agent({ model: scripted([{ text: 'forty-two' }]) });
    const result = await callServed(serveAgent(agent, about), { prompt: 'what is it?' });
    expect(result.content).toEqual([{ type: 'text', text: 'forty-two' }]);
    expect(result.isError).toBe(false);
    expect(result._meta).toMatchObject({ 'tenon/usage': { requests: 1 } });
  });

  it('gives data that fits its output schema', async () => {
    const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
    const agent = new Agent({ model: scripted([{ text: '{"n":42}' }]), output });
    const result = await callServed(serveAgent(agent, { ...about, output }), { prompt: 'what is it?' });
    expect(result.structuredContent).toEqual({ n: 42 });
    expect(result.content).toEqual([{ type: 'text', text: '{"n":42}' }]);
  });

  it('reports turns and tools as progress', async () => {
    const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
    const model = scripted([{ toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }, { text: 'done' }]);
    const steps: unknown[] = [];
    await callServed(
      serveAgent(new Agent({ model, tools: [look] }), about),
      { prompt: 'go' },
      {
        onProgress: ({ progress, message }: { progress: number; message?: string }) =>
          steps.push([progress, message]),
      },
    );
    expect(steps).toEqual([
      [1, 'turn 1'],
      [2, 'look done'],
      [3, 'turn 2'],
    ]);
  });

  it('gives each run the dependencies that belong to its caller', async () => {
    const look = tool({
      name: 'look',
      description: 'Looks',
      run: (_args, ctx: ToolContext<{ user: string }>) => `hello ${ctx.deps.user}`,
    });
    const model = scripted([{ toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }, { text: 'done' }]);
    const agent = new Agent({ model, tools: [look] });
    const served = serveAgent(agent, {
      ...about,
      deps: ctx => ({ user: ctx.client.info?.name ?? 'nobody' }),
    });
    await callServed(served, { prompt: 'go' });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('hello tenon');
  });

  it('says what went wrong and what it cost, without a word of the provider', async () => {
    const failing = scripted([new ModelError('bad key sk-secretsecret', { kind: 'auth', provider: 'x' })]);
    const result = await callServed(serveAgent(new Agent({ model: failing }), about), { prompt: 'go' });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('sk-secret');
    expect(result.structuredContent).toMatchObject({ kind: 'auth', cost: { calls: 1 } });
  });

  it('that owes data of some form tells a failure in a way that every client reads', async () => {
    const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
    const failing = scripted([new ModelError('no', { kind: 'auth', provider: 'x' })]);
    const agent = new Agent({ model: failing, output });
    const result = await callServed(serveAgent(agent, { ...about, output }), {
      prompt: 'go',
    });
    expect(result).toMatchObject({ isError: true, _meta: { 'tenon/error': { kind: 'auth' } } });
    expect(result.structuredContent).toBeUndefined();
  });

  it('names the used-up turns and keeps their cost', async () => {
    const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
    const again = { toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] };
    const agent = new Agent({ model: scripted([again, again]), tools: [look], maxTurns: 2 });
    const result = await callServed(serveAgent(agent, about), { prompt: 'go' });
    expect(result.structuredContent).toMatchObject({ kind: 'loop', cost: { calls: 2 } });
  });

  it('tells of a budget of the operator as such, and counts no request that it forbade', async () => {
    const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
    const again = scripted([{ toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }], { cycle: true });
    const { model } = meterModel(again, new Budget({ calls: 1 }), {});
    const agent = new Agent({ model, tools: [look] });
    const result = await callServed(serveAgent(agent, about), { prompt: 'go' });
    expect(again.requests).toHaveLength(1);
    expect(result.structuredContent).toMatchObject({ kind: 'budget', retryable: false, cost: { calls: 1 } });
    expect(result.content).toMatchObject([{ text: expect.stringContaining('calls: 1 of 1') }]);
  });

  it('tells of a limit of the agent itself as one of usage', async () => {
    const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
    const again = { toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] };
    const model = scripted([again], { cycle: true });
    const agent = new Agent({ model, tools: [look], limits: { requests: 1 } });
    const result = await callServed(serveAgent(agent, about), { prompt: 'go' });
    expect(result.structuredContent).toMatchObject({ kind: 'usage', retryable: true, cost: { calls: 1 } });
  });

  it('hides what nobody foresaw behind a reference that the operator is told', async () => {
    const broken = tool({
      name: 'look',
      description: 'Looks',
      run: () => {
        throw new Error('the database at 10.1.2.3 is down');
      },
    });
    const told: unknown[] = [];
    const model = scripted([{ toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }]);
    const served = serveAgent(new Agent({ model, tools: [broken] }), {
      ...about,
      onError: (reference, error) => told.push([reference, error]),
    });
    const result = await callServed(served, { prompt: 'go' });
    expect(JSON.stringify(result)).not.toContain('10.1.2.3');
    const { reference } = result.structuredContent as { reference: string };
    expect(told).toEqual([[reference, expect.anything()]]);
  });

  it('tells standard error when nobody else listens', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      const failing = scripted([new ModelError('no such key', { kind: 'auth', provider: 'x' })]);
      const { onError: _nobody, ...silent } = about;
      const result = await callServed(serveAgent(new Agent({ model: failing }), silent), { prompt: 'go' });
      const { reference } = result.structuredContent as { reference: string };
      expect(told.mock.calls).toEqual([[`${reference}: auth: no such key`]]);
    } finally {
      told.mockRestore();
    }
  });

  it('refuses a blank prompt before anything is spent', async () => {
    const model = scripted([]);
    const result = await callServed(serveAgent(new Agent({ model }), about), { prompt: '  ' });
    expect(result.isError).toBe(true);
    expect(model.requests).toEqual([]);
  });

  it('stops when the caller cancels', async () => {
    const controller = new AbortController();
    let stopped: Promise<unknown> | undefined;
    const look = tool({
      name: 'look',
      description: 'Looks',
      run: (_args, ctx) => {
        stopped = new Promise(resolve => ctx.signal.addEventListener('abort', resolve));
        controller.abort();
        return new Promise<string>(() => {});
      },
    });
    const model = scripted([{ toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }]);
    const faults: unknown[] = [];
    const onError = (_reference: string, error: unknown) => faults.push(error);
    const served = serveAgent(new Agent({ model, tools: [look] }), { ...about, onError });
    await expect(callServed(served, { prompt: 'go' }, { signal: controller.signal })).rejects.toThrow();
    await stopped;
    expect(model.requests).toHaveLength(1);
    // A call that is called off is nobody's fault.
    expect(faults).toEqual([]);
  });
});

it('serveAgent says what to give in place of what is no agent, and of missing options', () => {
  for (const agent of [undefined, {}]) {
    expect(() => serveAgent(agent as never, about)).toThrow(
      /^serveAgent: the first argument must be an agent/,
    );
  }
  const agent = new Agent({ model: scripted([]) });
  expect(() => serveAgent(agent, undefined as never)).toThrow(/^serveAgent: give name and description/);
});
