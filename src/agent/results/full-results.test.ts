import { describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { image, text } from '../../tools/content.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { Agent } from '../agent.ts';
import { isRunError, type RunError } from '../errors.ts';
import type { RunEvent } from '../events.ts';

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

  it.each([
    [{ type: 'text' }, ''],
    [{ type: 'text', text: 5 }, '5'],
    [{ type: 'text', text: {} }, '{}'],
  ])('with the odd block %j neither ends the run nor is lost', async (odd, said) => {
    for (const more of [{ isError: false }, { structuredContent: { n: 1 } }]) {
      const { kept, end, read } = await runOnce(() => ({ content: [odd], ...more }));
      expect(kept?.content).toEqual([odd]);
      expect(end).toMatchObject({ result: [odd], isError: false });
      expect(read?.content).toBe('structuredContent' in more ? `${said}\n{"n":1}` : said);
    }
  });

  it.each([
    [true, true],
    ['true', true],
    ['True', true],
    [1, true],
    [false, false],
    ['false', false],
    [undefined, false],
  ])('whose isError is %j is a failure: %s', async (isError, isFailure) => {
    const { kept, end } = await runOnce(() => ({ content: [text('no such file')], isError }));
    expect(end).toMatchObject({ isError: isFailure });
    expect(kept).toHaveProperty('content', 'no such file');
    expect((kept as { isError?: boolean }).isError ?? false).toBe(isFailure);
  });

  it('that cannot be read when it is shown ends the run as a RunError, with what was said and spent', async () => {
    const fault = new Error('gone');
    const block = {
      type: 'text',
      annotations: {},
      get text(): string {
        throw fault;
      },
    };
    const far: AnyTool = tool({ name: 'far', description: '', run: (() => ({ content: [block] })) as never });
    const events: RunEvent[] = [];
    const agent = new Agent({
      model: scripted([{ toolCalls: [{ name: 'far' }] }, 'done']),
      tools: [far],
      onEvent: event => events.push(event),
    });
    const error: unknown = await agent.run('go').catch((thrown: unknown) => thrown);
    expect(isRunError(error)).toBe(true);
    expect(error).toMatchObject({ stage: 'loop', cause: fault, usage: { requests: 1 } });
    expect((error as RunError).message).toContain('gone');
    expect((error as RunError).messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', error });
  });
});
