import { describe, expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import type { ModelRequest } from '../model.ts';
import type { Body, BodyDefaults } from '../provider/provider.ts';
import { toBody as write } from './wire.ts';

const user = [{ role: 'user', content: 'x' }] as const;
const contents = [{ role: 'user', parts: [{ text: 'x' }] }];
const defaults = { model: 'gemini-3-flash', stream: false };
const parameters = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const tools = [
  { name: 'add', description: 'Adds.', parameters },
  { name: 'now', description: 'The time.', parameters: { type: 'object', properties: {} } },
];

function toBody(request: Partial<ModelRequest>, more: Partial<BodyDefaults> = {}): Body {
  return write(
    { messages: user, ...request },
    { ...defaults, ...more },
    projectTools(request.tools ?? [], 'gemini'),
  );
}

describe('a request body', () => {
  it('holds what was set and nothing else', () => {
    expect(toBody({})).toEqual({ contents });
    expect(toBody({}, { stream: true })).toEqual({ contents });
  });

  it('takes settings from the request, then from the options', () => {
    expect(toBody({ temperature: 0 }, { temperature: 1, maxTokens: 7 })['generationConfig']).toEqual({
      temperature: 0,
      maxOutputTokens: 7,
    });
  });

  it('takes further members last, and merges those of the generation', () => {
    const extra = { safetySettings: [], generationConfig: { temperature: 2, thinkingConfig: {} } };
    expect(toBody({ maxTokens: 5, temperature: 1 }, { extra })).toEqual({
      contents,
      safetySettings: [],
      generationConfig: { maxOutputTokens: 5, temperature: 2, thinkingConfig: {} },
    });
  });

  it('puts what the system says apart, wherever it stands, and leaves out what is blank', () => {
    const system = (content: string): ModelRequest['messages'][number] => ({ role: 'system', content });
    const messages = [system('One.'), ...user, system(' '), system('Two.')];
    expect(toBody({ messages })).toEqual({
      contents,
      systemInstruction: { parts: [{ text: 'One.\n\nTwo.' }] },
    });
  });

  it('declares tools, without parameters where there are none', () => {
    const [tool] = toBody({ tools })['tools'] as { functionDeclarations: Record<string, unknown>[] }[];
    expect(tool?.functionDeclarations).toMatchObject([
      { name: 'add', description: 'Adds.', parameters: { properties: { a: {} } } },
      { name: 'now', description: 'The time.' },
    ]);
    expect(tool?.functionDeclarations[1]).not.toHaveProperty('parameters');
  });

  it('has no tools, and no word about calling them, when there are none', () => {
    expect(toBody({ tools: [], toolChoice: 'required' })).toEqual({ contents });
  });

  it.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ name: 'add' }, { mode: 'ANY', allowedFunctionNames: ['add'] }],
  ] as const)('says with the choice %j how tools are called', (toolChoice, config) => {
    expect(toBody({ tools, toolChoice })['toolConfig']).toEqual({ functionCallingConfig: config });
  });

  it('asks for JSON by a schema, and for any JSON when the schema says nothing', () => {
    const config = (schema: Record<string, unknown>): unknown =>
      toBody({ output: { name: 'output', schema } })['generationConfig'];
    expect(config(parameters)).toMatchObject({
      responseMimeType: 'application/json',
      responseSchema: { required: ['a'] },
    });
    expect(config({ type: 'array', items: { type: 'string' } })).toMatchObject({
      responseSchema: { type: 'array', items: { type: 'string' } },
    });
    for (const nothing of [{ type: 'object' }, { type: 'none' }]) {
      expect(config(nothing)).toEqual({ responseMimeType: 'application/json' });
    }
  });
});

describe('a call that the model did not make', () => {
  const messages: ModelRequest['messages'] = [
    ...user,
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: 'a', name: 'add', arguments: '{"a":"1"}' },
        { id: 'b', name: 'add', arguments: '' },
      ],
    },
  ];
  const partsFor = (model: string): unknown => {
    const { contents: all } = toBody({ messages }, { model }) as { contents: { parts: unknown }[] };
    return all[1]?.parts;
  };
  const calls = [
    { functionCall: { id: 'a', name: 'add', args: { a: '1' } } },
    { functionCall: { id: 'b', name: 'add', args: {} } },
  ];

  it.each(['gemini-3-flash', 'gemini-3.8-pro-preview', 'models/gemini-4-pro', 'gemini-flash-latest'])(
    'is signed for %s, the first of several only',
    model => {
      const [first, second] = calls;
      expect(partsFor(model)).toEqual([
        { ...first, thoughtSignature: 'skip_thought_signature_validator' },
        second,
      ]);
    },
  );

  it.each(['gemini-2.5-pro', 'models/gemini-2.0-flash', 'gemini-1.5-flash-002', 'gemma-4-27b'])(
    'is sent as it is to %s',
    model => {
      expect(partsFor(model)).toEqual(calls);
    },
  );
});
