import { describe, expect, it } from 'vitest';
import { type ModelResponse, PartCollector } from '../collect.ts';
import { ResponseReader } from './stream.ts';

const read = (...events: readonly unknown[]): ModelResponse => {
  const reader = new ResponseReader('p', 'call_9');
  const collector = new PartCollector();
  for (const event of events) for (const part of reader.read(event)) collector.add(part);
  for (const part of reader.end()) collector.add(part);
  return collector.response();
};

const reasoning = (encrypted?: string): object => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'thinking' }],
  ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
});
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 't',
  arguments: '{}',
  status: 'completed',
};
const completed = (output: readonly object[], more: object = {}): object => ({
  type: 'response.completed',
  response: { object: 'response', status: 'completed', output, ...more },
});

describe('events of a response', () => {
  it('keep reasoning that is sealed for the next request, in the order of the output', () => {
    const { replay, reasoning: said, toolCalls, finish } = read(completed([reasoning('sealed'), call]));
    const { status: _, ...kept } = call;
    expect(replay).toEqual({ provider: 'openai-responses', items: [reasoning('sealed'), kept] });
    expect(said).toBe('thinking');
    expect(toolCalls).toEqual([{ id: 'c1', name: 't', arguments: '{}' }]);
    expect(finish).toBe('tool-calls');
  });

  it('keep nothing when there is no sealed reasoning', () => {
    expect(read(completed([reasoning(), call]))).not.toHaveProperty('replay');
  });

  it('are not told twice when the end repeats them', () => {
    const { text, reasoning: said } = read(
      { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'thinking' },
      { type: 'response.output_text.delta', output_index: 1, delta: 'a' },
      { type: 'response.output_text.delta', output_index: 1, delta: 'b' },
      completed([
        reasoning(),
        { type: 'message', content: [{ type: 'output_text', text: 'ab', annotations: [] }] },
      ]),
    );
    expect(text).toBe('ab');
    expect(said).toBe('thinking');
  });

  it('may bring a call whole, without pieces', () => {
    const item = { ...call, arguments: '{"a":1}' };
    const done = { type: 'response.output_item.done', output_index: 3, item };
    expect(read(done, done, completed([])).toolCalls).toEqual([
      { id: 'c1', name: 't', arguments: '{"a":1}' },
    ]);
  });

  it('give a call without an id one that is new', () => {
    const { call_id: _, ...item } = call;
    expect(read(completed([item])).toolCalls).toMatchObject([{ id: 'call_9_0' }]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'refusal'],
    ['other', 'other'],
  ])('that stop for %s say so', (reason, finish) => {
    const response = { status: 'incomplete', output: [], incomplete_details: { reason } };
    expect(read({ type: 'response.incomplete', response }).finish).toBe(finish);
  });

  it('of kinds that nobody knows are skipped', () => {
    expect(read({ type: 'response.hologram.delta', delta: 'x' }, completed([])).text).toBe('');
  });

  it('count reasoning and cached tokens', () => {
    const usage = {
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
    };
    const reader = new ResponseReader('p', 'c');
    [...reader.read(completed([], { usage }))];
    expect(reader.usage).toEqual({
      inputTokens: 7,
      cachedInputTokens: 3,
      outputTokens: 5,
      reasoningTokens: 2,
    });
  });

  it('tell tokens that cannot be counted, and count the rest', () => {
    const reader = new ResponseReader('p', 'c');
    [...reader.read(completed([], { usage: { input_tokens: -1, output_tokens: 5 } }))];
    expect(reader).toMatchObject({
      uncounted: ['input_tokens is -1'],
      usage: { inputTokens: 0, outputTokens: 5 },
    });
  });

  it('are complete without the output at the end, which they brought before', () => {
    const delta = { type: 'response.output_text.delta', output_index: 0, delta: 'a' };
    const response = { status: 'completed', output: null };
    expect(read(delta, { type: 'response.completed', response })).toMatchObject({
      text: 'a',
      finish: 'stop',
    });
  });

  it.each(['cancelled', 'failed', 'queued', 'in_progress'])('that say %s are no answer', status => {
    const response = { object: 'response', status, output: [] };
    const why = { name: 'ModelError', message: expect.stringContaining(`the response is ${status}`) };
    expect(() => read(response)).toThrow(expect.objectContaining(why));
    expect(() => read({ type: 'response.cancelled', response })).toThrow(expect.objectContaining(why));
  });

  it('keep no reasoning that nothing follows', () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(read(completed([reasoning('sealed')], cut))).not.toHaveProperty('replay');
    const { status: _, ...kept } = call;
    expect(read(completed([reasoning('sealed'), call, reasoning('more')], cut)).replay?.items).toEqual([
      reasoning('sealed'),
      kept,
    ]);
  });

  it.each([
    ['no object', 1, /not a JSON object/],
    ['a response without output', { type: 'response.completed', response: {} }, /"output" is not a list/],
    ['a call without a name', completed([{ type: 'function_call', call_id: '1' }]), /no name/],
    ['arguments of no call', { type: 'response.function_call_arguments.delta', delta: 'x' }, /did not begin/],
  ])('that make no sense are refused: %s', (_what, event, message) => {
    expect(() => read(event)).toThrow(message);
  });
});
