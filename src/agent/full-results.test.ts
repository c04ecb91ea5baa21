import { describe, expect, it } from 'vitest';
import { scripted } from '../testing/scripted.ts';
import { image, text } from '../tools/content.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { Agent } from './agent.ts';
import type { RunEvent } from './events.ts';

async function runOnce(run: () => unknown) {
  const far: AnyTool = tool({ name: 'far', description: '', run: run as () => string });
  const model = scripted([{ toolCalls: [{ name: 'far' }] }, 'done']);
  const ends: RunEvent[] = [];
  const agent = new Agent({
    model,
    tools: [far],
    onEvent: event => event.type === 'tool-end' && ends.push(event),
  });
  const { messages } = await agent.run('go');
  return { kept: messages[2], end: ends[0], read: model.requests[1]?.messages[2] };
}

describe('the whole result of a tool', () => {
  it('stays on the transcript and the event; the model is shown its part, said once', async () => {
    const content = [
      image('AA==', 'image/png', { annotations: { audience: ['user'] } }),
      text('two rows', { annotations: { priority: 0.2 } }),
    ];
    const { kept, end, read } = await runOnce(() => ({ content, structuredContent: { rows: [1, 2] } }));
    expect(kept).toEqual({
      role: 'tool',
      toolCallId: 'call_1',
      toolName: 'far',
      content,
      structuredContent: { rows: [1, 2] },
    });
    expect(end).toMatchObject({ result: content, structuredContent: { rows: [1, 2] }, isError: false });
    expect(read).toEqual({
      role: 'tool',
      toolCallId: 'call_1',
      toolName: 'far',
      content: 'two rows\n{"rows":[1,2]}',
    });
  });

  it('has the data of a failure that a tool throws, and the model reads it', async () => {
    const { kept, read } = await runOnce(() => {
      throw new ToolError('no such row', { data: { nearest: 7 } });
    });
    expect(kept).toMatchObject({ content: 'no such row', structuredContent: { nearest: 7 }, isError: true });
    expect(read).toMatchObject({ content: 'no such row\n{"nearest":7}', isError: true });
  });

  it.each([
    ['that JSON cannot carry', 1n],
    ['that is no object', 'words'],
  ])('leaves out data of a failure %s', async (_, data) => {
    const { kept } = await runOnce(() => {
      throw new ToolError('no', { data });
    });
    expect(kept).not.toHaveProperty('structuredContent');
  });

  it('that JSON cannot carry is a failure of the tool, never of the transcript', async () => {
    const far = tool({
      name: 'far',
      description: '',
      run: () => ({ content: [text('a')], structuredContent: 1n }),
    });
    const model = scripted([{ toolCalls: [{ name: 'far' }] }, 'done']);
    const run = new Agent({ model, tools: [far] }).run('go');
    await expect(run).rejects.toMatchObject({
      stage: 'tool',
      message: expect.stringContaining('cannot be written as JSON'),
    });
  });

  it('with a block of a kind that nobody knows is kept as it is, and named to the model', async () => {
    const odd = { type: 'hologram', rays: 3 };
    const { kept, read } = await runOnce(() => ({ content: [odd], isError: false }));
    expect(kept?.content).toEqual([odd]);
    expect(read?.content).toBe('[content of the kind "hologram": not shown, artifact call_1#0]');
  });
});
