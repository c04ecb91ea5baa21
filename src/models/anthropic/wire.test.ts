import { describe, expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import type { ModelMessage, ModelRequest } from '../model.ts';
import type { Body, BodyDefaults } from '../provider/provider.ts';
import type { MessagesBody } from './request.ts';
import { type MessagesSettings, toNotes, toBody as write } from './wire.ts';

const defaults: BodyDefaults = { model: 'm', stream: false };
const toBody = (
  request: ModelRequest,
  settings: MessagesSettings = {},
  more: Partial<BodyDefaults> = {},
): MessagesBody =>
  write(request, { ...defaults, ...more }, projectTools(request.tools ?? [], 'anthropic'), settings);

const ask: ModelMessage = { role: 'user', content: 'x' };
const request: ModelRequest = { messages: [ask] };
const parameters = { type: 'object', properties: { q: { type: 'string' } } };
const tools = [
  { name: 'look.up', description: 'Looks up.', parameters },
  { name: 't', description: 'd', parameters: { type: 'object' } },
];
const withTools: ModelRequest = { messages: [ask], tools };
const called: ModelMessage[] = [
  ask,
  { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 't', arguments: '{}' }] },
  { role: 'tool', toolCallId: '1', toolName: 't', content: 'r' },
];
const mark = { cache_control: { type: 'ephemeral' } };

describe('a request body', () => {
  it('holds what was set, how many tokens there may be, and nothing else', () => {
    expect(toBody(request)).toEqual({
      model: 'm',
      max_tokens: 16_384,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    });
  });
  it('takes settings from the request, then from the options', () => {
    const more = { temperature: 1, maxTokens: 7, stream: true };
    expect(toBody({ ...request, temperature: 0 }, {}, more)).toMatchObject({
      temperature: 0,
      max_tokens: 7,
      stream: true,
    });
    expect(toBody({ ...request, maxTokens: 9 }, {}, more)).toMatchObject({ temperature: 1, max_tokens: 9 });
  });
  it('has what the system says above the conversation, wherever it was said', () => {
    const messages: ModelMessage[] = [
      { role: 'system', content: 'a' },
      ask,
      { role: 'system', content: ' ' },
      { role: 'system', content: 'b' },
    ];
    expect(toBody({ messages })).toMatchObject({ system: 'a\n\nb', messages: [{ role: 'user' }] });
  });
});

describe('tools', () => {
  it('are shown under names that the API takes, as are calls of them', () => {
    const { tools: shown = [], messages } = toBody({
      ...withTools,
      messages: [
        ask,
        { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'look.up', arguments: '{"q":"x"}' }] },
      ],
    });
    const [first] = shown;
    expect(first?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(first).toMatchObject({ description: 'Looks up.', input_schema: parameters });
    expect(messages[1]?.content).toEqual([
      { type: 'tool_use', id: '1', name: first?.name, input: { q: 'x' } },
    ]);
  });
  it.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ name: 't' }, { type: 'tool', name: 't' }],
  ] as const)('the choice %j is %j', (toolChoice, sent) => {
    expect(toBody({ ...withTools, toolChoice }).tool_choice).toEqual(sent);
    expect(toBody({ ...request, toolChoice })).not.toHaveProperty('tool_choice');
  });
  it('without a description have none', () => {
    const [shown] = toBody({ ...request, tools: [{ name: 't', description: '', parameters }] }).tools ?? [];
    expect(shown).not.toHaveProperty('description');
  });
  it('that were called once are declared, and may not be called, when none are offered any more', () => {
    expect(toBody({ messages: called })).toMatchObject({
      tools: [{ name: 't', description: 'No longer available.', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    });
  });
});

describe('thinking', () => {
  it.each<[MessagesSettings['thinking'], object | undefined]>([
    [undefined, undefined],
    ['off', { type: 'disabled' }],
    ['adaptive', { type: 'adaptive' }],
    [2048, { type: 'enabled', budget_tokens: 2048 }],
  ])('%s is %j', (thinking, sent) => {
    expect(toBody(request, { thinking }).thinking).toEqual(sent);
  });
  it.each<[MessagesSettings['thinking'], number, boolean]>([
    ['adaptive', 0.2, false],
    [2048, 0.2, false],
    ['adaptive', 1, true],
    ['off', 0.2, true],
    [undefined, 0.2, true],
  ])('%s with the temperature %d: it is sent: %s', (thinking, temperature, isSent) => {
    const body = toBody(request, { thinking }, { temperature });
    expect('temperature' in body).toBe(isSent);
    const notes = toNotes({ ...request, temperature }, defaults, body as unknown as Body);
    expect(notes.map(({ code }) => code)).toEqual(isSent ? [] : ['temperature-dropped']);
  });
  it('that is left out leaves the temperature in', () => {
    const body = toBody({ ...withTools, toolChoice: 'required', temperature: 0.2 }, { thinking: 'adaptive' });
    expect(body).toMatchObject({ temperature: 0.2 });
    expect(body).not.toHaveProperty('thinking');
  });
  it('comes on top of the tokens that are usual', () => {
    expect(toBody(request, { thinking: 2048 }).max_tokens).toBe(18_432);
  });
  it('is left out of a request that leaves no room for it', () => {
    expect(toBody({ ...request, maxTokens: 2048 }, { thinking: 2048 })).not.toHaveProperty('thinking');
    expect(toBody({ ...request, maxTokens: 2049 }, { thinking: 2048 })).toHaveProperty('thinking');
  });
  it.each(['adaptive', 2048] as const)('%s is left out where a call is forced', thinking => {
    for (const toolChoice of ['required', { name: 't' }] as const) {
      expect(toBody({ ...withTools, toolChoice }, { thinking })).not.toHaveProperty('thinking');
    }
    expect(toBody({ ...withTools, toolChoice: 'none' }, { thinking })).toHaveProperty('thinking');
  });
  it('with a budget is left out where the model goes on from a turn of its own without a thought', () => {
    const begun: ModelMessage[] = [ask, { role: 'assistant', content: 'so' }];
    expect(toBody({ messages: begun }, { thinking: 2048 })).not.toHaveProperty('thinking');
    expect(toBody({ messages: [...begun, ask] }, { thinking: 2048 })).toHaveProperty('thinking');
    expect(toBody({ messages: called, tools }, { thinking: 2048 })).not.toHaveProperty('thinking');
    expect(toBody({ messages: called, tools }, { thinking: 'adaptive' })).toHaveProperty('thinking');
    const thought = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
    const items = [thought, { type: 'tool_use', id: '1', name: 't', input: {} }];
    const [first, turn, result] = called as [ModelMessage, ModelMessage, ModelMessage];
    const replayed = { ...turn, replay: { provider: 'anthropic', items } } as ModelMessage;
    const messages = [first, replayed, result];
    expect(toBody({ messages, tools }, { thinking: 2048 })).toHaveProperty('thinking');
  });
});

describe('structured output', () => {
  const asked = (schema: Record<string, unknown>): unknown =>
    toBody({ ...request, output: { name: 'o', schema } }).output_config;
  it('is asked for with a schema that the API can hold its model to', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] };
    expect(asked(schema)).toMatchObject({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { n: { type: 'integer' } },
          required: ['n'],
          additionalProperties: false,
        },
      },
    });
    expect(JSON.stringify(asked(schema))).not.toMatch(/"minimum":/);
  });
  it('is not asked for where it cannot', () => {
    expect(asked({ type: 'object', additionalProperties: { type: 'string' } })).toBeUndefined();
  });
});

describe('the cache', () => {
  const marks = (body: MessagesBody): number => JSON.stringify(body).split('cache_control').length - 1;
  it('is marked after what the system says and at the end of the conversation', () => {
    const messages: ModelMessage[] = [{ role: 'system', content: 's' }, ask, ask];
    const body = toBody({ messages, tools }, { cache: true });
    expect(body).toMatchObject({
      system: [{ type: 'text', text: 's', ...mark }],
      messages: [{ content: [{ text: 'x' }, { text: 'x', ...mark }] }],
    });
    expect(marks(body)).toBe(2);
  });
  it('is marked after the tools where there is no system', () => {
    const body = toBody({ messages: called, tools }, { cache: true });
    expect(body.tools?.at(-1)).toMatchObject(mark);
    expect(body.messages.at(-1)?.content.at(-1)).toMatchObject({ type: 'tool_result', ...mark });
    expect(marks(body)).toBe(2);
  });
  it('leaves a turn of the model as it was', () => {
    const body = toBody({ messages: [ask, { role: 'assistant', content: 'so' }] }, { cache: true });
    expect(marks(body)).toBe(0);
  });
  it('is not marked unless asked for', () => {
    expect(marks(toBody({ messages: called, tools }))).toBe(0);
  });
});
