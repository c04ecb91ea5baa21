import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import { Agent } from '../agent.ts';
import type { RunError } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import { OutputError } from './output.ts';

const output = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;

async function failure(run: Promise<unknown>): Promise<RunError> {
  return run.then(
    () => expect.fail('the run succeeded'),
    (error: RunError) => error,
  );
}

describe('a declared output', () => {
  it('is asked for, read from the final text, and judged', async () => {
    const model = scripted(['{"city":"Oslo"}']);
    const result = await new Agent({ model, output }).run('where?');
    expect(result.output).toEqual({ city: 'Oslo' });
    expect(model.requests[0]?.output).toEqual({ name: 'output', schema: output });
  });

  it('may stand in a code fence', async () => {
    const model = scripted(['```json\n{"city":"Oslo"}\n```']);
    expect((await new Agent({ model, output }).run('x')).output).toEqual({ city: 'Oslo' });
  });

  it('goes through the transforms of a schema library', async () => {
    const model = scripted(['{"at":"42"}']);
    const agent = new Agent({ model, output: z.object({ at: z.string().transform(Number) }) });
    expect((await agent.run('x')).output).toEqual({ at: 42 });
  });

  it('is corrected by the model when it does not fit; the transcript shows how', async () => {
    const model = scripted(['Oslo!', '{"town":"Oslo"}', '{"city":"Oslo"}']);
    const events: RunEvent[] = [];
    const { messages, output: value } = await new Agent({ model, output }).run('x', {
      onEvent: event => events.push(event),
    });
    expect(value).toEqual({ city: 'Oslo' });
    expect(messages.map(message => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(messages[2]?.content).toMatch(/^The answer is not valid JSON .* schema: \{"type":"object"/);
    expect(messages[4]?.content).toMatch(/^The answer does not fit the schema: .*city/);
    expect(events.filter(event => event.type === 'output-rejected')).toMatchObject([
      { turn: 1, attempt: 2 },
      { turn: 2, attempt: 3 },
    ]);
  });

  it('fails at stage decode after two corrections, with the last reason as its cause', async () => {
    const model = scripted(['a', 'b', 'c', '{"city":"x"}']);
    const error = await failure(new Agent({ model, output }).run('x'));
    expect(error).toMatchObject({ stage: 'decode', attempts: 3, usage: { requests: 3 } });
    expect(error.cause).toBeInstanceOf(OutputError);
    expect(error.cause).toMatchObject({ text: 'c' });
    expect(error.message).toContain('after 3 answers');
    expect(error.messages).toHaveLength(6);
  });

  it('fails at once when no correction is allowed', async () => {
    const error = await failure(new Agent({ model: scripted(['a']), output, outputRetries: 0 }).run('x'));
    expect(error.message).toMatch(/^no usable output: the answer is not valid JSON/);
  });

  it('shares its turns with the tools', async () => {
    const plain = tool({ name: 'plain', description: '', run: () => 'x' });
    const model = scripted(['a', { toolCalls: [{ name: 'plain' }] }, 'b', '{"city":"x"}']);
    const error = await failure(new Agent({ model, output, tools: [plain], maxTurns: 3 }).run('x'));
    expect(error).toMatchObject({ stage: 'loop', counts: { turns: 3 } });
  });

  it('fails at stage decode when the schema library itself throws', async () => {
    const broken = z.any().superRefine(() => {
      throw new Error('a bug in the check');
    });
    const error = await failure(new Agent({ model: scripted(['1']), output: broken }).run('x'));
    expect(error).toMatchObject({ stage: 'decode' });
    expect(error.message).toContain('a bug in the check');
  });
});
