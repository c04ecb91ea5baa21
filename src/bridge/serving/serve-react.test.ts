import { describe, expect, it } from 'vitest';
import { connect } from '../../client/client.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import { type AnyTool, type Tool, tool } from '../../tools/tool.ts';
import { say, usage } from './fixtures/patterns.ts';
import { servePatterns } from './serve-patterns.ts';

describe('served react_loop with a tool that needs approval', () => {
  const runs: string[] = [];
  const write: AnyTool = tool({
    name: 'write',
    description: 'Writes',
    needsApproval: true,
    run: () => {
      runs.push('write');
      return 'done';
    },
  });

  it('asks the caller and goes on, once for each model call and each tool', async () => {
    runs.length = 0;
    const steps = [
      { toolCalls: [{ name: 'write' }], usage },
      { toolCalls: [{ name: 'write' }], usage },
      say('ok'),
    ];
    const model = scripted(steps);
    const tools = servePatterns({ model, patterns: ['react_loop'], tools: [write] });
    const asked: string[] = [];
    const client = await connect(new Server({ name: 'p', version: '1', tools }), {
      onElicit: ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { approve: true } };
      },
    });
    const progress: number[] = [];
    const result = await client.call(
      'react_loop',
      { prompt: 'go' },
      { onProgress: report => progress.push(report.progress) },
    );
    expect(result.structuredContent).toMatchObject({
      answer: 'ok',
      rounds: 3,
      toolCalls: 2,
      usage: { inputTokens: 30, outputTokens: 6, calls: 3 },
    });
    expect(asked).toEqual([
      '"react_loop" wants to run the tool "write" with these arguments: {}',
      '"react_loop" wants to run the tool "write" with these arguments: {}',
    ]);
    expect(runs).toHaveLength(2);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    await client.close();
  });

  it('tells the model that a tool is gone which was taken away while its call was asked about', async () => {
    runs.length = 0;
    let list: readonly AnyTool[] = [write];
    const model = scripted([{ toolCalls: [{ name: 'write' }], usage }, say('ok')]);
    const tools = servePatterns({ model, patterns: ['react_loop'], tools: { tools: async () => list } });
    const client = await connect(new Server({ name: 'p', version: '1', tools }), {
      onElicit: () => {
        list = [];
        return { action: 'accept', content: { approve: true } };
      },
    });
    const result = await client.call('react_loop', { prompt: 'go' });
    expect(result.structuredContent).toMatchObject({
      answer: 'ok',
      refusedCalls: [{ tool: 'write', reason: expect.stringContaining('There is no tool named "write"') }],
    });
    expect(runs).toEqual([]);
    await client.close();
  });

  it('reads the tools of a source anew at each call', async () => {
    const lists: (readonly AnyTool[])[] = [[write], []];
    const model = scripted([say('one'), say('two')]);
    const source = { tools: async () => lists.shift() ?? [] };
    const [served] = servePatterns({ model, patterns: ['react_loop'], tools: source });
    const client = await connect(new Server({ name: 'p', version: '1', tools: [served as Tool] }));
    await client.call('react_loop', { prompt: 'go' });
    await client.call('react_loop', { prompt: 'go' });
    expect(model.requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([['write'], []]);
    await client.close();
  });
});
