import { describe, expect, it } from 'vitest';
import { isToolError } from '../../tools/tool-error.ts';
import { all, inWords, mixed, pdf, png, recording } from '../calls/fixtures/tools.ts';
import { toAnthropicRunnables, toAnthropicTools } from './index.ts';

const use = (name: string, id = 'call_1') => ({ type: 'tool_use', id, name, input: {} });

const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
const blocks = [
  { type: 'text', text: 'see' },
  picture,
  {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: pdf },
    title: 'report.pdf',
  },
  { type: 'text', text: recording },
];

class SdkToolError extends Error {
  readonly content: unknown;

  constructor(content: unknown) {
    super('failed');
    this.content = content;
  }
}

describe('raw tools for the Anthropic SDK', () => {
  it('are definitions', async () => {
    const { tools } = await toAnthropicTools([mixed]);
    expect(tools).toEqual([
      {
        name: 'mixed',
        description: 'Shows everything.',
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
      },
    ]);
  });

  it('answer the calls of a message, in order, with their failures marked', async () => {
    const { run } = await toAnthropicTools(all);
    const content = [
      { type: 'text', text: 'now' },
      use('mixed'),
      use('refusing', 'call_2'),
      use('nothing', 'call_3'),
    ];
    expect(await run(content)).toEqual([
      { type: 'tool_result', tool_use_id: 'call_1', content: blocks },
      {
        type: 'tool_result',
        tool_use_id: 'call_2',
        content: [{ type: 'text', text: 'no such order' }, picture],
        is_error: true,
      },
      {
        type: 'tool_result',
        tool_use_id: 'call_3',
        content: expect.stringContaining('There is no tool named "nothing"'),
        is_error: true,
      },
    ]);
    expect(await run([])).toEqual([]);
  });

  it('throw what the model cannot mend, and hear of an abort', async () => {
    const { run } = await toAnthropicTools(all);
    await expect(run([use('broken'), use('mixed')])).rejects.toThrow('out of order');
    const controller = new AbortController();
    const running = run([use('waiting')], { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(run([use('guarded')])).rejects.toThrow('needs approval');
  });
});

describe('tools for the runner of the Anthropic SDK', () => {
  const runnable = async (name: string, options: Parameters<typeof toAnthropicRunnables>[1] = {}) => {
    const found = (await toAnthropicRunnables(all, options)).find(each => each.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  const context = { toolUse: { id: 'call_1' }, signal: null };

  it('are what betaTool makes', async () => {
    const made = await runnable('mixed');
    expect(made).toMatchObject({ type: 'custom', name: 'mixed', input_schema: { type: 'object' } });
    expect(made.parse({ a: 1 })).toEqual({ a: 1 });
    expect(await made.run({}, context)).toEqual(blocks);
    expect(await (await runnable('mixed', { shows: () => false })).run({}, context)).toBe(inWords);
  });

  it('throw a failure, with all it holds where the class of the SDK is given', async () => {
    const thrown: unknown = await (await runnable('refusing'))
      .run({}, context)
      .catch((error: unknown) => error);
    expect(isToolError(thrown)).toBe(true);
    expect(thrown).toMatchObject({
      message: 'no such order\n[image, image/png, 8 bytes: not shown, artifact call_1#1]',
    });
    const full: unknown = await (await runnable('refusing', { ToolError: SdkToolError }))
      .run({}, context)
      .catch((error: unknown) => error);
    expect(full).toBeInstanceOf(SdkToolError);
    expect((full as SdkToolError).content).toEqual([{ type: 'text', text: 'no such order' }, picture]);
  });

  it('throw what the model cannot mend, and hear of an abort', async () => {
    await expect((await runnable('broken')).run({})).rejects.toThrow('out of order');
    const controller = new AbortController();
    const running = (await runnable('waiting')).run({}, { ...context, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});
