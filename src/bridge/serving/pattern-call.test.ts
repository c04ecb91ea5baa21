import { describe, expect, it } from 'vitest';
import { connect } from '../../client/client.ts';
import { Server } from '../../server/server.ts';
import { type ScriptedStep, scripted } from '../../testing/scripted.ts';
import { callPattern, every, say } from './fixtures/patterns.ts';
import { servePatterns } from './serve-patterns.ts';

describe('any served pattern', () => {
  const first: Readonly<Record<string, Record<string, unknown>>> = {
    consensus: { prompt: 'p' },
    react_loop: { prompt: 'p' },
    refine: { prompt: 'p' },
    structured: { prompt: 'p', schema: 'invoice' },
    map_reduce: { items: ['a', 'b'], map: '{item}', reduce: '{results}' },
  };

  it.each(Object.keys(first))('makes no further model call once %s was cancelled', async name => {
    const controller = new AbortController();
    const never = new Promise<never>(() => {});
    const steps = Array.from(
      { length: 9 },
      (): ScriptedStep => () => {
        controller.abort(new Error('left'));
        return never;
      },
    );
    const model = scripted(steps);
    const tools = servePatterns({ model, patterns: every, onError: () => {} });
    const client = await connect(new Server({ name: 'p', version: '1', tools, onFault: () => {} }));
    await expect(client.call(name, first[name] ?? {}, { signal: controller.signal })).rejects.toThrow();
    const asked = model.requests.length;
    await new Promise(resolve => setImmediate(resolve));
    expect(model.requests).toHaveLength(asked);
    expect(asked).toBeLessThanOrEqual(5);
    await client.close();
  });

  it.each(Object.keys(first))('keeps %s within what one call may spend', async name => {
    const steps = Array.from(
      { length: 20 },
      (): ScriptedStep => ({
        ...say('4'),
        ...(name === 'react_loop' ? { toolCalls: [{ name: 'echo', arguments: { text: 'x' } }] } : {}),
      }),
    );
    const { result, model } = await callPattern(name, first[name] ?? {}, steps, { callBudget: { calls: 1 } });
    expect(model.requests).toHaveLength(1);
    expect(result.structuredContent).toMatchObject({ kind: 'budget', cost: { calls: 1 } });
  });
});
