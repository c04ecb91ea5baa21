/** Language models of the AI SDK's real provider packages as models of our agent, against a server of our own. */
import { beforeAll, expect, it } from 'vitest';
import { buildPrograms, type Programs, type Report } from './adapters.ts';
import { describePeer } from './peers.ts';

type Json = Readonly<Record<string, unknown>>;

const finalAnswer = 'The sum is 42, the chart is drawn, and Z-9 is no order.';
const refusal = 'There is no order Z-9; ids look like A-17.';

describePeer('adapters', 'AI SDK models in our agent', () => {
  let programs: Programs;

  beforeAll(async () => {
    programs = await buildPrograms(['use-ai-sdk-models']);
  });

  const use = (program: string): Promise<Report> => programs.run('use-ai-sdk-models', program);

  const listIn = (value: unknown): readonly Json[] =>
    Array.isArray(value) ? (value as readonly Json[]) : [];

  it.each(['v4', 'v3', 'v2'])('answer with tools when they stream, specification %s', async version => {
    const { answer, asked, more } = await use(version);
    expect(answer).toBe(finalAnswer);
    expect(more?.['usage']).toEqual({
      inputTokens: 22,
      outputTokens: 14,
      requests: 2,
      cachedInputTokens: 8,
      reasoningTokens: 4,
    });
    const messages = listIn(asked[1]?.body['messages']);
    expect(messages.slice(0, 2)).toEqual([
      { role: 'system', content: 'Help.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go on.' },
          { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) } },
        ],
      },
    ]);
    expect(messages.slice(3).map(({ content }) => content)).toEqual([
      '{"sum":42}',
      'sales of the year\n[image, image/png, 70 bytes: not shown, artifact call_2#1]',
      expect.stringContaining(refusal),
    ]);
    // The model was shown a name that every provider takes; the transcript has the tool's own.
    expect(JSON.stringify(messages[2])).toMatch(/orders_find_/);
    expect(JSON.stringify(more?.['messages'])).toContain('"name":"orders.find"');
  });

  it.each(['wholeV4', 'wholeV3', 'wholeV2'])('show pictures of tool results, %s', async program => {
    const { answer, asked } = await use(program);
    expect(answer).toBe(finalAnswer);
    const outputs = listIn(asked[1]?.body['input']).filter(({ type }) => type === 'function_call_output');
    expect(outputs[1]?.['output']).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'input_image' })]),
    );
  });

  it('give signed reasoning back word for word', async () => {
    const { answer, asked, more } = await use('reasoning');
    expect(answer).toBe(finalAnswer);
    const turn = listIn(asked[1]?.body['messages']).find(({ role }) => role === 'assistant');
    expect(turn?.['content']).toEqual([
      { type: 'thinking', thinking: 'I should add.', signature: 'signed-1' },
      { type: 'text', text: 'Adding.' },
      { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 20, b: 22 } },
    ]);
    const kept = listIn(more?.['messages']).find(({ role }) => role === 'assistant');
    expect(kept).toMatchObject({ content: 'Adding.', reasoning: 'I should add.' });
  });

  it('are asked for JSON of a shape, for one tool, and within the limits that were set', async () => {
    const { asked, more } = await use('structured');
    expect(asked[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'sum' } },
      tool_choice: { type: 'function', function: { name: 'add' } },
      temperature: 0.5,
      max_tokens: 50,
    });
    expect(more?.['parts']).toContainEqual({ type: 'text', text: '{"sum":42}' });
  });

  it('are asked again after 429, as long as the provider says', async () => {
    const { asked, more } = await use('limited');
    expect(asked).toHaveLength(2);
    expect(more?.['parts']).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 15, outputTokens: 7, requests: 2, cachedInputTokens: 4 },
    });
  });

  it.each([
    ['refused', 1, { kind: 'auth', status: 401, retryable: false }],
    ['broken', 3, { kind: 'server', status: 500, retryable: true, usage: { requests: 3 } }],
    ['cut', 1, { kind: 'transport', retryable: true }],
    ['overloaded', 1, { kind: 'server', retryable: true }],
    ['unreachable', 0, { kind: 'transport', retryable: true, usage: { requests: 2 } }],
  ])('fail as our models do: %s', async (program, requests, failure) => {
    const { asked, more } = await use(program);
    expect(asked).toHaveLength(requests);
    expect(more?.['failure']).toMatchObject({ name: 'ModelError', ...failure });
    expect(JSON.stringify(more)).not.toContain('sk-abcdefgh');
  });
});
