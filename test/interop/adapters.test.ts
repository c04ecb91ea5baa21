/** The same three tools of a server used through each library's real package, to a final answer. */
import { beforeAll, expect, it } from 'vitest';
import { buildPrograms, checkTypes, type Programs, type Report } from './adapters.ts';
import { describePeer } from './peers.ts';

const finalAnswer = 'The sum is 42, the chart is drawn, and Z-9 is no order.';
const base64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const dataUrl = `data:image/png;base64,${base64}`;
const hidden = 'sales of the year\n[image, image/png, 70 bytes: not shown, artifact call_2#1]';
const refusal = 'There is no order Z-9; ids look like A-17.';

type Json = Readonly<Record<string, unknown>>;

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/** The entries of a list in the second request that answer the calls. */
function results({ asked }: Report, list: string, isResult: (entry: Json) => boolean): readonly Json[] {
  return listIn(asked[1]?.body[list]).filter(isResult);
}

const chatResults = (report: Report): readonly unknown[] =>
  results(report, 'messages', ({ role }) => role === 'tool').map(({ content }) => content);

const responseResults = (report: Report): readonly unknown[] =>
  results(report, 'input', ({ type }) => type === 'function_call_output').map(({ output }) => output);

/** A picture as part of an output, whatever stands beside it. */
const shownIn = (outputs: readonly unknown[]): unknown => outputs[1];
const picture = expect.arrayContaining([
  expect.objectContaining({ type: 'input_text', text: 'sales of the year' }),
  expect.objectContaining({ type: 'input_image', image_url: dataUrl }),
]);

describePeer('adapters', 'our tools in the real packages', () => {
  let programs: Programs;

  beforeAll(async () => {
    programs = await buildPrograms([
      'use-ai-sdk',
      'use-ai-sdk-models',
      'use-openai-agents',
      'use-langchain',
      'use-anthropic',
      'use-openai',
      'use-gemini',
    ]);
  });

  async function use(file: string, program: string): Promise<Report> {
    const report = await programs.run(file, program);
    expect(report.answer).toBe(finalAnswer);
    expect(report.asked).toHaveLength(2);
    return report;
  }

  it('fit the types of every library', () => {
    expect(checkTypes()).toBe('');
  });

  it.each(['v7', 'v6', 'v5'])('answer through the AI SDK, %s', async version => {
    const outputs = responseResults(await use('use-ai-sdk', version));
    expect(outputs[0]).toBe('{"sum":42}');
    expect(shownIn(outputs)).toEqual(picture);
    expect(outputs[2]).toContain(`Error: ${refusal}`);
  });

  it('answer through the AI SDK when it streams, and give the program whole results', async () => {
    const outputs = chatResults(await use('use-ai-sdk', 'v7Stream'));
    expect(outputs).toEqual(['{"sum":42}', hidden, expect.stringContaining(refusal)]);
    const { more } = await use('use-ai-sdk', 'v7');
    expect(more?.['results']).toEqual([
      { content: [{ type: 'text', text: '{"sum":42}' }], structuredContent: { sum: 42 }, isError: false },
      {
        content: [
          { type: 'text', text: 'sales of the year' },
          { type: 'image', data: base64, mimeType: 'image/png' },
        ],
        isError: false,
      },
      { content: [{ type: 'text', text: refusal }], isError: true },
    ]);
  });

  it('answer through the OpenAI Agents SDK, by responses and by chat completions', async () => {
    const outputs = responseResults(await use('use-openai-agents', 'responses'));
    expect(outputs).toEqual(['{"sum":42}', picture, `Error: ${refusal}`]);
    expect(chatResults(await use('use-openai-agents', 'chat'))).toEqual([
      '{"sum":42}',
      hidden,
      `Error: ${refusal}`,
    ]);
  });

  it('answer through an agent of LangChain, with artifacts and statuses', async () => {
    const report = await use('use-langchain', 'agent');
    expect(chatResults(report)).toEqual(['{"sum":42}', hidden, `Error: ${refusal}`]);
    expect(report.more?.['results']).toMatchObject([
      { status: 'success', artifact: { structuredContent: { sum: 42 } } },
      { status: 'success', artifact: { content: [{}, { type: 'image', data: base64 }] } },
      { status: 'error', artifact: { isError: true } },
    ]);
  });

  it('answer through a model of LangChain that they are bound to, with pictures', async () => {
    const outputs = responseResults(await use('use-langchain', 'bound'));
    expect(outputs).toEqual(['{"sum":42}', picture, `Error: ${refusal}`]);
  });

  it.each(['raw', 'runner', 'runnerAlone'])('answer through the Anthropic SDK, %s', async program => {
    const report = await use('use-anthropic', program);
    const [message] = results(
      report,
      'messages',
      ({ role, content }) => role === 'user' && Array.isArray(content),
    );
    const blocks = listIn(message?.['content']).filter(({ type }) => type === 'tool_result');
    expect(blocks).toEqual([
      { type: 'tool_result', tool_use_id: 'call_1', content: '{"sum":42}' },
      {
        type: 'tool_result',
        tool_use_id: 'call_2',
        content: [
          { type: 'text', text: 'sales of the year' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
        ],
      },
      {
        type: 'tool_result',
        tool_use_id: 'call_3',
        content: program === 'runnerAlone' ? `Error: ${refusal}` : refusal,
        is_error: true,
      },
    ]);
  });

  it('answer through the OpenAI SDK, by chat completions and by responses', async () => {
    expect(chatResults(await use('use-openai', 'chat'))).toEqual(['{"sum":42}', hidden, `Error: ${refusal}`]);
    const outputs = responseResults(await use('use-openai', 'responses'));
    expect(outputs).toEqual(['{"sum":42}', picture, `Error: ${refusal}`]);
  });

  it.each(['raw', 'callable'])('answer through the Gemini SDK, %s', async program => {
    const report = await use('use-gemini', program);
    const turn = results(report, 'contents', ({ role }) => role === 'user').at(-1);
    const responses = listIn(turn?.['parts']).map(part => part['functionResponse'] as Json);
    expect(responses.map(({ id, response }) => [id, response])).toEqual([
      ['call_1', { output: '{"sum":42}' }],
      ['call_2', { output: 'sales of the year' }],
      ['call_3', { error: refusal }],
    ]);
    expect(responses[1]?.['parts']).toEqual([{ inlineData: { mimeType: 'image/png', data: base64 } }]);
  });

  it.each([
    ['use-ai-sdk', 'approval'],
    ['use-ai-sdk', 'approvalV6'],
    ['use-openai-agents', 'approval'],
  ])('run what needs approval only after the library has asked: %s, %s', async (file, program) => {
    const { more } = await use(file, program);
    expect(more).toEqual({ runsBefore: 0, runs: 1 });
  });

  it('tell the model of a failure that it cannot mend where the library does so, and end the run where it does that', async () => {
    for (const file of ['use-ai-sdk', 'use-langchain']) {
      const [output] = chatResults(await use(file, 'broken'));
      expect(output).toContain('failed: out of order');
    }
    const { asked, more } = await programs.run('use-openai-agents', 'broken');
    expect(asked).toHaveLength(1);
    expect(more?.['failure']).toContain('Tool "pay" failed: out of order');
  });

  it.each(['use-ai-sdk', 'use-openai-agents', 'use-langchain', 'use-anthropic'])(
    'hear of an abort of the library: %s',
    async file => {
      const { more } = await programs.run(file, 'abort');
      expect(more).toEqual({ toolAborted: true, failed: true });
    },
  );
});
