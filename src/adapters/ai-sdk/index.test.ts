import { describe, expect, it } from 'vitest';
import {
  all,
  broken,
  guarded,
  inWords,
  mixed,
  pdf,
  png,
  recording,
  refusing,
  waiting,
} from '../calls/fixtures/tools.ts';
import { toAiSdkTools } from './index.ts';
import type { SdkVersion } from './results.ts';

const mark = Symbol.for('vercel.ai.schema');
const options = { toolCallId: 'call_1' };

async function outputOf(name: string, version: SdkVersion, shows?: () => boolean): Promise<unknown> {
  const tools = await toAiSdkTools(all, { version, shows });
  const result = await tools[name]?.execute({}, options);
  return tools[name]?.toModelOutput(version === 5 ? result : { output: result, toolCallId: 'call_1' });
}

describe('tools for the AI SDK', () => {
  it('are named by their keys, and have schemas that the SDK knows by their mark', async () => {
    const tools = await toAiSdkTools([mixed]);
    expect(Object.keys(tools)).toEqual(['mixed']);
    const schema = tools['mixed']?.inputSchema as unknown as Record<PropertyKey, unknown>;
    expect(schema[mark]).toBe(true);
    expect('validate' in schema && 'jsonSchema' in schema).toBe(true);
    expect(schema['jsonSchema']).toMatchObject({ type: 'object' });
    const lazy = (await toAiSdkTools([mixed], { version: 5 }))['mixed']
      ?.inputSchema as unknown as () => object;
    expect((lazy() as Record<PropertyKey, unknown>)[mark]).toBe(true);
  });

  it('tell strict mode where the family has it', async () => {
    const strict = await toAiSdkTools([mixed], { family: 'openai-strict' });
    expect(strict['mixed']?.strict).toBe(true);
    expect((await toAiSdkTools([mixed]))['mixed']).not.toHaveProperty('strict');
  });

  it.each([
    [
      5,
      { type: 'media', data: png, mediaType: 'image/png' },
      { type: 'media', data: pdf, mediaType: 'application/pdf' },
    ],
    [
      6,
      { type: 'image-data', data: png, mediaType: 'image/png' },
      { type: 'file-data', data: pdf, mediaType: 'application/pdf', filename: 'report.pdf' },
    ],
    [
      7,
      { type: 'file', data: { type: 'data', data: png }, mediaType: 'image/png', filename: 'image-2' },
      {
        type: 'file',
        data: { type: 'data', data: pdf },
        mediaType: 'application/pdf',
        filename: 'report.pdf',
      },
    ],
  ] as const)('say media in the words of version %i', async (version, picture, document) => {
    expect(await outputOf('mixed', version)).toEqual({
      type: 'content',
      value: [{ type: 'text', text: 'see' }, picture, document, { type: 'text', text: recording }],
    });
    expect(await outputOf('mixed', version, () => false)).toEqual({ type: 'text', value: inWords });
  });

  it('say that a call failed, in words and with media', async () => {
    expect(await outputOf('correctable', 7)).toEqual({ type: 'error-text', value: 'Error: no such order' });
    expect(await outputOf('refusing', 6)).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: 'Error: no such order' },
        { type: 'image-data', data: png, mediaType: 'image/png' },
      ],
    });
  });

  it('render results that were stored, and what is none', async () => {
    const tools = await toAiSdkTools([refusing]);
    const stored: unknown = JSON.parse(JSON.stringify(await tools['refusing']?.execute({}, options)));
    expect(tools['refusing']?.toModelOutput({ output: stored, toolCallId: 'x' })).toMatchObject({
      type: 'content',
    });
    for (const [given, value] of [
      ['plain', 'plain'],
      [{ output: 7, toolCallId: 'x' }, '7'],
      [{ output: undefined }, 'The tool gave nothing to show.'],
    ] as const) {
      expect(tools['refusing']?.toModelOutput(given)).toEqual({ type: 'text', value });
    }
  });

  it('throw what the model cannot mend, and hear of an abort', async () => {
    const tools = await toAiSdkTools([broken, waiting]);
    await expect(tools['broken']?.execute({}, options)).rejects.toThrow('Tool "broken" failed: out of order');
    const controller = new AbortController();
    const running = tools['waiting']?.execute({}, { ...options, abortSignal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('let the SDK ask before a call, and run it only when it did', async () => {
    const { guarded: tool } = await toAiSdkTools([guarded]);
    await expect(tool?.execute({}, options)).rejects.toThrow('needs approval');
    expect(await tool?.needsApproval?.({}, options)).toBe(true);
    expect(await tool?.execute({}, options)).toMatchObject({ isError: false });
    const { guarded: own } = await toAiSdkTools([guarded], { approve: () => true });
    expect(own).not.toHaveProperty('needsApproval');
    expect(await own?.execute({}, options)).toMatchObject({ isError: false });
    const { guarded: old } = await toAiSdkTools([guarded], { version: 5 });
    expect(old).not.toHaveProperty('needsApproval');
    await expect(old?.execute({}, options)).rejects.toThrow('needs approval');
  });

  it('are refused for a version that is not known', async () => {
    await expect(toAiSdkTools([], { version: 4 as 5 })).rejects.toThrow('version must be 5, 6 or 7, got 4');
  });
});
