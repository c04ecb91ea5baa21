import { describe, expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import { audio, embed, image, link, text } from '../../tools/content.ts';
import type { ModelRequest } from '../model.ts';
import type { Body, BodyDefaults } from '../provider/provider.ts';
import { toBody as write } from './wire.ts';

const toBody = (request: ModelRequest, defaults: BodyDefaults): Body =>
  write(request, defaults, projectTools(request.tools ?? [], 'openai'));

const defaults = { model: 'm', stream: false };

describe('a request body', () => {
  it('holds what was set and nothing else', () => {
    expect(toBody({ messages: [{ role: 'user', content: 'x' }] }, defaults)).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
    });
  });
  it('asks for a stream with usage', () => {
    expect(toBody({ messages: [] }, { ...defaults, stream: true })).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });
  it('takes settings from the request, then from the options, and further members last', () => {
    const more = { ...defaults, temperature: 1, maxTokens: 7, extra: { seed: 3 } };
    expect(toBody({ messages: [], temperature: 0 }, more)).toMatchObject({
      temperature: 0,
      max_tokens: 7,
      seed: 3,
    });
  });
  it('shows tools, and sends answers and calls back', () => {
    const parameters = { type: 'object' };
    const body = toBody(
      {
        tools: [{ name: 't', description: 'd', parameters }],
        messages: [
          { role: 'system', content: 's' },
          { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 't', arguments: '{"a":1}' }] },
          { role: 'tool', toolCallId: '1', toolName: 't', content: 'r' },
          { role: 'assistant', content: 'done' },
        ],
      },
      defaults,
    );
    expect(body['tools']).toEqual([
      {
        type: 'function',
        function: { name: 't', description: 'd', parameters: { ...parameters, properties: {} } },
      },
    ]);
    expect(body['messages']).toEqual([
      { role: 'system', content: 's' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 't', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'r' },
      { role: 'assistant', content: 'done' },
    ]);
  });
  it.each([
    ['', '{}'],
    ['{"a"', '{"malformed":"{\\"a\\""}'],
    ['[1]', '{"malformed":"[1]"}'],
  ])('sends the arguments %j back as an object that any server can parse', (raw, sent) => {
    const toolCalls = [{ id: '1', name: 't', arguments: raw }];
    const body = toBody({ messages: [{ role: 'assistant', content: 'c', toolCalls }] }, defaults);
    expect(JSON.stringify(body)).toContain(JSON.stringify(sent));
  });
  it('shows pictures to the model, and a line for what it cannot read', () => {
    const content = [
      text('look'),
      image('iVBORw0KGgo=', 'image/png'),
      audio('AA==', 'audio/wav'),
      audio('AA==', 'audio/ogg'),
      link('file:///a', 'a'),
      embed({ uri: 'file:///b', text: 'inside' }),
      embed({ uri: 'file:///c', blob: 'AA==' }),
    ];
    const { messages } = toBody({ messages: [{ role: 'user', content }] }, defaults) as {
      messages: unknown[];
    };
    expect(messages[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        { type: 'text', text: '[audio, audio/ogg, 1 bytes: not shown]' },
        { type: 'text', text: '[resource file:///a: a]' },
        { type: 'text', text: '[resource file:///b]\ninside' },
        { type: 'text', text: '[resource file:///c, unknown type, 1 bytes: not shown]' },
      ],
    });
  });
  it('has plain text where there are no pictures, and in tool results', () => {
    const body = toBody(
      {
        messages: [
          { role: 'user', content: [text('a'), text('b')] },
          { role: 'tool', toolCallId: '1', toolName: 't', content: [text('a'), image('AA==', 'image/png')] },
        ],
      },
      defaults,
    );
    expect(body['messages']).toMatchObject([
      { content: 'a\nb' },
      { content: 'a\n[image, image/png, 1 bytes: not shown, artifact 1#1]' },
    ]);
  });
  it('asks for a schema strictly where strict mode can hold it, loosely where not, and not at all where neither can', () => {
    const format = (schema: Record<string, unknown>): unknown =>
      toBody({ messages: [], output: { name: 'output', schema } }, defaults)['response_format'];
    const closed = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(format(closed)).toEqual({
      type: 'json_schema',
      json_schema: { name: 'output', schema: closed, strict: true },
    });
    expect(format({ ...closed, required: [] })).toMatchObject({
      json_schema: { strict: true, schema: { properties: { a: { type: ['string', 'null'] } } } },
    });
    expect(format({ ...closed, properties: { a: {} } })).toMatchObject({ json_schema: { strict: false } });
    expect(format({ type: 'array', items: { type: 'object' } })).toBeUndefined();
  });
});
