import { describe, expect, it } from 'vitest';
import { all, inWords, mixed, pdf, png, recording } from '../calls/fixtures/tools.ts';
import { toChatTools, toResponsesTools } from './index.ts';

const chatCall = (name: string, id = 'call_1') => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
});
const item = (name: string, id = 'call_1') => ({ type: 'function_call', call_id: id, name, arguments: '' });

describe('tools for chat completions', () => {
  it('are definitions, strict where the family and the schema allow it', async () => {
    const about = { name: 'mixed', description: 'Shows everything.', parameters: expect.anything() };
    expect((await toChatTools([mixed])).tools).toEqual([{ type: 'function', function: about }]);
    expect((await toChatTools([mixed], { family: 'openai-strict' })).tools).toEqual([
      { type: 'function', function: { ...about, strict: true } },
    ]);
  });

  it('answer the calls of a message with text, in order', async () => {
    const { run } = await toChatTools(all, { shows: () => true });
    expect(await run([chatCall('mixed'), chatCall('correctable', 'call_2')])).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: inWords },
      { role: 'tool', tool_call_id: 'call_2', content: 'Error: no such order' },
    ]);
    expect(await run(undefined)).toEqual([]);
    expect(await run(null)).toEqual([]);
  });

  it('answer a call without a type as one of a function, and other kinds with a refusal', async () => {
    const { run } = await toChatTools(all);
    const { type: _, ...untyped } = chatCall('mixed');
    const custom = { id: 'x', type: 'custom', custom: { name: 'mixed', input: 'y' } };
    expect(await run([untyped, custom])).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: inWords },
      {
        role: 'tool',
        tool_call_id: 'x',
        content: 'Error: Calls of type "custom" cannot be run here; call a function instead.',
      },
    ]);
  });

  it('give the messages of all calls with the failure of one', async () => {
    const { run } = await toChatTools(all);
    const error: unknown = await run([chatCall('mixed'), chatCall('broken', 'call_2')]).catch(each => each);
    expect(error).toMatchObject({
      name: 'CallsError',
      messages: [
        { role: 'tool', tool_call_id: 'call_1', content: inWords },
        { role: 'tool', tool_call_id: 'call_2', content: 'Error: Tool "broken" failed: out of order' },
      ],
    });
  });

  it('tell the model of malformed arguments', async () => {
    const { run } = await toChatTools(all);
    const call = { id: 'call_1', type: 'function', function: { name: 'mixed', arguments: '{"a":' } };
    expect(await run([call])).toMatchObject([{ content: expect.stringContaining('not valid JSON') }]);
  });

  it('throw what the model cannot mend, and hear of an abort', async () => {
    const { run } = await toChatTools(all);
    await expect(run([chatCall('broken')])).rejects.toThrow('out of order');
    const controller = new AbortController();
    const running = run([chatCall('waiting')], { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});

describe('tools for responses', () => {
  it('are definitions that always say whether they are strict', async () => {
    const { tools } = await toResponsesTools([mixed]);
    expect(tools).toMatchObject([{ type: 'function', name: 'mixed', strict: false }]);
  });

  it('answer the function calls of an output, with media as parts', async () => {
    const { run } = await toResponsesTools(all);
    expect(await run([{ type: 'reasoning' }, item('mixed'), item('refusing', 'call_2')])).toEqual([
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
          { type: 'input_file', filename: 'report.pdf', file_data: `data:application/pdf;base64,${pdf}` },
          { type: 'input_text', text: recording },
        ],
      },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'Error: no such order' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
        ],
      },
    ]);
    const words = await toResponsesTools(all, { shows: () => false });
    expect(await words.run([item('mixed')])).toMatchObject([{ output: inWords }]);
  });
});
