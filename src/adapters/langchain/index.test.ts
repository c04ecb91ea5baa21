import { describe, expect, it } from 'vitest';
import { all, broken, inWords, mixed, pdf, png, recording, waiting } from '../calls/fixtures/tools.ts';
import type { LangChainConfig, LangChainFields } from './definitions.ts';
import { type LangChainOptions, type ToolMessageFields, toLangChainTools } from './index.ts';

/** In the place of `tool` of LangChain: what it is given. */
const tool = (
  run: (input: never, config: LangChainConfig) => Promise<unknown>,
  fields: LangChainFields,
): { run: (input: never, config: LangChainConfig) => Promise<unknown>; fields: LangChainFields } => ({
  run,
  fields,
});

class ToolMessage {
  readonly fields: ToolMessageFields;

  constructor(fields: ToolMessageFields) {
    this.fields = fields;
  }
}

const config = { toolCall: { id: 'call_1' } };

async function outputOf(
  name: string,
  options: Partial<LangChainOptions<ReturnType<typeof tool>>> = {},
  given: LangChainConfig = config,
): Promise<unknown> {
  const tools = await toLangChainTools(all, { tool, ...options });
  return tools.find(({ fields }) => fields.name === name)?.run({} as never, given);
}

describe('tools for LangChain', () => {
  it('are made by the function that is passed in', async () => {
    const [made] = await toLangChainTools([mixed], { tool });
    expect(made?.fields).toMatchObject({
      name: 'mixed',
      description: 'Shows everything.',
      schema: { type: 'object' },
      responseFormat: 'content_and_artifact',
    });
    await expect(toLangChainTools([mixed], {} as never)).rejects.toThrow(
      'option "tool" must be the function of @langchain/core/tools',
    );
    await expect(toLangChainTools([mixed], { tool, ToolMessage: {} as never })).rejects.toThrow(
      'ToolMessage must be the class of @langchain/core/messages',
    );
  });

  it('give words and the whole result, and media where they are wanted', async () => {
    const [content, artifact] = (await outputOf('mixed')) as [
      unknown,
      { content: unknown[]; isError: boolean },
    ];
    expect(content).toBe(inWords);
    expect(artifact.content).toHaveLength(4);
    expect(artifact.isError).toBe(false);
    const [blocks] = (await outputOf('mixed', { shows: type => !type.startsWith('audio/') })) as unknown[];
    expect(blocks).toEqual([
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      {
        type: 'file',
        mimeType: 'application/pdf',
        data: pdf,
        source_type: 'base64',
        mime_type: 'application/pdf',
        metadata: { filename: 'report.pdf' },
      },
      { type: 'text', text: recording },
    ]);
  });

  it('mark a failure in words, and by the status of a message where its class is given', async () => {
    expect(await outputOf('correctable')).toEqual([
      'Error: no such order',
      expect.objectContaining({ isError: true }),
    ]);
    const [message] = (await outputOf('correctable', { ToolMessage })) as [ToolMessage];
    expect(message.fields).toEqual({
      content: 'Error: no such order',
      tool_call_id: 'call_1',
      name: 'correctable',
      status: 'error',
      artifact: { content: [{ type: 'text', text: 'no such order' }], isError: true },
    });
    const [alone] = (await outputOf('correctable', { ToolMessage }, {})) as unknown[];
    expect(alone).toBe('Error: no such order');
  });

  it('throw what the model cannot mend, and hear of an abort', async () => {
    const [failing, lasting] = await toLangChainTools([broken, waiting], { tool });
    await expect(failing?.run({} as never, config)).rejects.toThrow('out of order');
    const controller = new AbortController();
    const running = lasting?.run({} as never, { ...config, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('run nothing that needs approval unless somebody decides', async () => {
    await expect(outputOf('guarded')).rejects.toThrow('needs approval');
    expect(await outputOf('guarded', { approve: () => true })).toMatchObject(['deleted', {}]);
  });
});
