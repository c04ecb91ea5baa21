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
  waiting,
} from '../calls/fixtures/tools.ts';
import { toOpenAIAgentsTools } from './index.ts';

const details = { toolCall: { callId: 'call_1' } };

async function outputOf(name: string, shows?: () => boolean): Promise<unknown> {
  const tools = await toOpenAIAgentsTools(all, { shows });
  return tools.find(each => each.name === name)?.invoke({}, '{}', details);
}

describe('tools for the OpenAI Agents SDK', () => {
  it('are plain function tools, strict where the family and the schema allow it', async () => {
    const [tool] = await toOpenAIAgentsTools([mixed]);
    expect(tool).toMatchObject({
      type: 'function',
      name: 'mixed',
      description: 'Shows everything.',
      parameters: { type: 'object', properties: {} },
      strict: false,
    });
    expect(await tool?.isEnabled()).toBe(true);
    expect(await tool?.needsApproval({}, {})).toBe(false);
    const [strict] = await toOpenAIAgentsTools([mixed], { family: 'openai-strict' });
    expect(strict?.strict).toBe(true);
  });

  it('give text, or parts where there are media', async () => {
    expect(await outputOf('mixed')).toEqual([
      { type: 'text', text: 'see' },
      { type: 'image', image: `data:image/png;base64,${png}` },
      { type: 'file', file: { data: pdf, mediaType: 'application/pdf', filename: 'report.pdf' } },
      { type: 'text', text: recording },
    ]);
    expect(await outputOf('mixed', () => false)).toBe(inWords);
    expect(await outputOf('correctable')).toBe('Error: no such order');
    expect(await outputOf('refusing')).toMatchObject([{ text: 'Error: no such order' }, { type: 'image' }]);
  });

  it('throw what the model cannot mend, and hear of an abort', async () => {
    const [failing, lasting] = await toOpenAIAgentsTools([broken, waiting]);
    await expect(failing?.invoke({}, '', undefined)).rejects.toThrow('out of order');
    const controller = new AbortController();
    const running = lasting?.invoke({}, '{}', { ...details, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('let the SDK ask before a call, and run it only when it did', async () => {
    const [tool] = await toOpenAIAgentsTools([guarded]);
    await expect(tool?.invoke({}, '{}', details)).rejects.toThrow('needs approval');
    expect(await tool?.needsApproval({}, {}, 'call_1')).toBe(true);
    expect(await tool?.invoke({}, '{}', details)).toBe('deleted');
  });
});
