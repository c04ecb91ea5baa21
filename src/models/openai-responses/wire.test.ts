import { describe, expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import { audio, embed, image, link, text } from '../../tools/content.ts';
import type { AssistantMessage, ModelRequest } from '../model.ts';
import type { BodyDefaults } from '../provider/provider.ts';
import { type ResponsesBody, toBody as write } from './wire.ts';

const defaults = { model: 'm', stream: false };
const toBody = (request: ModelRequest, given: BodyDefaults = defaults): ResponsesBody =>
  write(request, given, projectTools(request.tools ?? [], 'openai'));
const parameters = { type: 'object', properties: {} };

describe('a request body of the responses endpoint', () => {
  it('holds what was set and nothing else, and lets nothing be stored', () => {
    expect(toBody({ messages: [{ role: 'user', content: 'x' }] })).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'x' }],
      store: false,
      include: ['reasoning.encrypted_content'],
    });
  });

  it('takes settings from the request, then from the options, and further members last', () => {
    const given = { ...defaults, stream: true, temperature: 1, maxTokens: 5, extra: { store: true } };
    expect(toBody({ messages: [], temperature: 0, maxTokens: 3 }, given)).toMatchObject({
      temperature: 0,
      max_output_tokens: 3,
      stream: true,
      store: true,
    });
    expect(toBody({ messages: [] }, given)).toMatchObject({ temperature: 1, max_output_tokens: 5 });
  });

  it('shows tools with strictness said, and the choice of one under its own name there', () => {
    const body = toBody({
      messages: [],
      tools: [{ name: 'a', description: 'A.', parameters }],
      toolChoice: { name: 'a' },
    });
    expect(body.tools).toMatchObject([{ type: 'function', name: 'a', description: 'A.', strict: false }]);
    expect(body.tool_choice).toEqual({ type: 'function', name: 'a' });
    expect(toBody({ messages: [], toolChoice: 'required' })).not.toHaveProperty('tool_choice');
  });

  it('sends a turn as its text and its calls, and results with what went wrong', () => {
    const toolCalls = [
      { id: '1', name: 't', arguments: '{"a":1}' },
      { id: '2', name: 't', arguments: 'oops' },
    ];
    const { input } = toBody({
      messages: [
        { role: 'system', content: 's' },
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', toolCallId: '1', toolName: 't', content: 'fine' },
        { role: 'tool', toolCallId: '2', toolName: 't', content: 'no such thing', isError: true },
        { role: 'assistant', content: 'done' },
      ],
    });
    expect(input).toEqual([
      { role: 'system', content: 's' },
      { type: 'function_call', call_id: '1', name: 't', arguments: '{"a":1}' },
      { type: 'function_call', call_id: '2', name: 't', arguments: '{"malformed":"oops"}' },
      { type: 'function_call_output', call_id: '1', output: 'fine' },
      { type: 'function_call_output', call_id: '2', output: 'Error: no such thing' },
      { role: 'assistant', content: 'done' },
    ]);
  });

  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
  const item = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 't', arguments: '{"a":1}' };
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'c' }] };
  const said = { role: 'assistant', content: 'c' };
  const turn = (items: unknown, provider = 'openai-responses'): AssistantMessage => ({
    role: 'assistant',
    content: 'c',
    replay: { provider, items: items as unknown[] },
  });
  const call = { id: 'c1', name: 't', arguments: '{ "a": 1 }' };

  it('gives its own turns back word for word, and builds those of other providers', () => {
    const { input } = toBody({
      messages: [
        turn([thought, message]),
        { ...turn([thought, message, item]), toolCalls: [call] },
        turn([thought, message], 'anthropic'),
      ],
    });
    expect(input).toEqual([thought, message, thought, message, item, said]);
  });

  it.each<[string, AssistantMessage]>([
    ['says something else', { ...turn([thought, message]), content: 'd' }],
    [
      'calls with other arguments',
      { ...turn([thought, message, item]), toolCalls: [{ ...call, arguments: '{"a":"***"}' }] },
    ],
    ['no longer calls', turn([thought, message, item])],
    ['calls another tool', { ...turn([thought, item]), content: '', toolCalls: [{ ...call, name: 'u' }] }],
    ['has a replay that is no list', turn('oops')],
    ['has a replay that is no list of items', turn(['oops'])],
    ['has nothing but a thought', { ...turn([thought]), content: '' }],
  ])('builds a turn anew that %s', (_, given) => {
    const { replay: __, ...bare } = given;
    expect(toBody({ messages: [given] }).input).toEqual(toBody({ messages: [bare] }).input);
    expect(JSON.stringify(toBody({ messages: [given] }))).not.toContain('rs_1');
  });

  it('takes a thought that nothing follows out of a turn', () => {
    expect(toBody({ messages: [turn([thought, message, thought])] }).input).toEqual([thought, message]);
  });

  it('shortens ids of calls that the endpoint does not take, each to one of its own', () => {
    const ids = ['toolu_a', 'toolu_b'].map(id => id.padEnd(70, '0') + id);
    const { input } = toBody({
      messages: [
        { role: 'assistant', content: '', toolCalls: ids.map(id => ({ id, name: 't', arguments: '{}' })) },
        ...ids.map(id => ({ role: 'tool', toolCallId: id, toolName: 't', content: id }) as const),
      ],
    });
    const sent = (input as { call_id: string }[]).map(({ call_id: id }) => id);
    expect(sent.every(id => id.length === 64)).toBe(true);
    expect(sent.slice(0, 2)).toEqual(sent.slice(2));
    expect(sent[0]).not.toBe(sent[1]);
  });

  it('shows pictures and documents in prompts and results, and a line for everything else', () => {
    const picture = 'iVBORw0KGgo=';
    const pdf = 'JVBERi0xLjQ=';
    const content = [
      text('look'),
      image(picture, 'image/png'),
      image('AA==', 'image/tiff'),
      audio('AA==', 'audio/wav'),
      embed({ uri: 'file:///docs/a%20b.pdf?x', blob: pdf, mimeType: 'application/pdf' }),
      embed({ uri: 'file:///b', text: 'inside' }),
      link('file:///a', 'a'),
    ];
    const { input } = toBody({
      messages: [{ role: 'tool', toolCallId: 'c1', toolName: 't', content, isError: true }],
    });
    expect(input).toEqual([
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'The tool failed.' },
          { type: 'input_text', text: 'look' },
          { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${picture}` },
          { type: 'input_text', text: '[image, image/tiff, 1 bytes: not shown, artifact c1#2]' },
          { type: 'input_text', text: '[audio, audio/wav, 1 bytes: not shown, artifact c1#3]' },
          { type: 'input_file', filename: 'a_20b.pdf', file_data: `data:application/pdf;base64,${pdf}` },
          { type: 'input_text', text: '[resource file:///b]\ninside' },
          { type: 'input_text', text: '[resource file:///a: a]' },
        ],
      },
    ]);
  });

  it('asks for the output by name and schema', () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
    expect(toBody({ messages: [], output: { name: 'o', schema } }).text).toEqual({
      format: { type: 'json_schema', name: 'o', schema, strict: true },
    });
  });
});
