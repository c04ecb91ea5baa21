import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { all, inWords, mixed, pdf, png, recording } from '../calls/fixtures/tools.ts';
import { toGeminiCallableTool, toGeminiTools } from './index.ts';

describe('tools for the Gemini SDK', () => {
  it('are one entry of declarations in the form of the API, and none where there are no tools', async () => {
    const rename = tool({
      name: 'rename',
      description: 'Renames.',
      input: { type: 'object', properties: { to: { type: ['string', 'null'] } } },
      run: () => 'done',
    });
    expect((await toGeminiTools([mixed, rename])).tools).toEqual([
      {
        functionDeclarations: [
          { name: 'mixed', description: 'Shows everything.' },
          {
            name: 'rename',
            description: 'Renames.',
            parameters: { type: 'object', properties: { to: { type: 'string', nullable: true } } },
          },
        ],
      },
    ]);
    expect((await toGeminiTools([])).tools).toEqual([]);
  });

  it('answer calls with words under `output` or `error`, and media beside them', async () => {
    const { run } = await toGeminiTools(all);
    expect(await run([{ id: 'call_1', name: 'mixed', args: {} }, { name: 'refusing' }])).toEqual([
      {
        functionResponse: {
          id: 'call_1',
          name: 'mixed',
          response: { output: `see\n${recording}` },
          parts: [
            { inlineData: { mimeType: 'image/png', data: png } },
            { inlineData: { mimeType: 'application/pdf', data: pdf } },
          ],
        },
      },
      {
        functionResponse: {
          name: 'refusing',
          response: { error: 'no such order' },
          parts: [{ inlineData: { mimeType: 'image/png', data: png } }],
        },
      },
    ]);
    const words = await toGeminiTools(all, { shows: () => false });
    expect(await words.run([{ id: 'call_1', name: 'mixed' }])).toEqual([
      { functionResponse: { id: 'call_1', name: 'mixed', response: { output: inWords } } },
    ]);
    expect(await run(undefined)).toEqual([]);
  });

  it('throw what the model cannot mend, and hear of an abort', async () => {
    const { run } = await toGeminiTools(all);
    await expect(run([{ name: 'broken' }])).rejects.toThrow('out of order');
    const controller = new AbortController();
    const running = run([{ name: 'waiting' }], { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('are a callable tool too, whose calls one signal aborts', async () => {
    const controller = new AbortController();
    const callable = await toGeminiCallableTool(all, { signal: controller.signal });
    expect((await callable.tool()).functionDeclarations).toHaveLength(all.length);
    expect(await callable.callTool([{ name: 'correctable' }])).toEqual([
      { functionResponse: { name: 'correctable', response: { error: 'no such order' } } },
    ]);
    const running = callable.callTool([{ name: 'waiting' }]);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect((await (await toGeminiCallableTool([])).tool()).functionDeclarations).toEqual([]);
  });
});
