import { describe, expect, it } from 'vitest';
import { collect, type ModelResponse } from '../collect.ts';
import type { Part } from '../model.ts';
import { ChunkReader } from './stream.ts';

function read(...chunks: unknown[]): Promise<ModelResponse> {
  const reader = new ChunkReader('p', 'call_4');
  async function* parts(): AsyncGenerator<Part> {
    for (const chunk of chunks) yield* reader.read(chunk);
    yield { type: 'usage', usage: { ...reader.usage, requests: 1 } };
    yield* reader.end();
  }
  return collect(parts());
}

const delta = (value: object, rest: object = {}): object => ({
  choices: [{ index: 0, delta: value, ...rest }],
});
const call = (value: object): object => delta({ tool_calls: [value] });

describe('chunks become parts', () => {
  it('text and reasoning, piece by piece, and why it ended', async () => {
    const response = await read(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'h' }),
      delta({ reasoning: 'm' }),
      delta({ content: 'a' }),
      delta({ content: [{ type: 'text', text: 'b' }, { type: 'other' }] }),
      delta({ content: null }, { finish_reason: 'stop' }),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    );
    expect(response).toMatchObject({
      text: 'ab',
      reasoning: 'hm',
      finish: 'stop',
      usage: { inputTokens: 3, outputTokens: 2 },
    });
  });
  it('one thought though a server has two members for it', async () => {
    const thought = (first: string, second: string): object => ({
      reasoning_content: first,
      reasoning: second,
    });
    const response = await read(delta(thought('', 'h')), delta(thought('m', 'm')), delta({ content: 'a' }));
    expect(response.reasoning).toBe('hm');
  });
  it('a whole response is one chunk', async () => {
    const message = { role: 'assistant', content: 'hi', tool_calls: [] };
    const response = await read({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    expect(response).toMatchObject({ text: 'hi', usage: { inputTokens: 1, outputTokens: 2 } });
  });
  it('parallel calls whose fragments are interleaved', async () => {
    const { toolCalls } = await read(
      call({ index: 0, id: 'a', function: { name: 'x', arguments: '' } }),
      call({ index: 1, id: 'b', function: { name: 'y', arguments: '{"n"' } }),
      call({ index: 0, function: { arguments: '{}' } }),
      call({ index: 1, function: { arguments: ':1}' } }),
    );
    expect(toolCalls).toEqual([
      { id: 'a', name: 'x', arguments: '{}' },
      { id: 'b', name: 'y', arguments: '{"n":1}' },
    ]);
  });
  it('calls of servers that number all of them 0, or none', async () => {
    const numbered = await read(
      call({ index: 0, id: 'a', function: { name: 'x', arguments: '{"n":1}' } }),
      call({ index: 0, id: 'b', function: { name: 'x', arguments: '{"n":2}' } }),
    );
    expect(numbered.toolCalls.map(({ arguments: raw }) => raw)).toEqual(['{"n":1}', '{"n":2}']);
    const bare = await read(
      call({ id: 'a', function: { name: 'x', arguments: '{"n"' } }),
      call({ function: { arguments: ':1}' } }),
      call({ id: 'b', function: { name: 'x', arguments: '{}' } }),
    );
    expect(bare.toolCalls.map(({ arguments: raw }) => raw)).toEqual(['{"n":1}', '{}']);
  });
  it('a name that comes after its id, and arguments that come before it', async () => {
    const { toolCalls } = await read(
      call({ index: 0, id: 'a', function: { arguments: '{' } }),
      call({ index: 0, function: { name: 'x', arguments: '}' } }),
    );
    expect(toolCalls).toEqual([{ id: 'a', name: 'x', arguments: '{}' }]);
  });
  it('calls without an id get one that stays the same', async () => {
    const chunk = delta({ tool_calls: [{ function: { name: 'x' } }, { function: { name: 'y' } }] });
    const ids = async (): Promise<string[]> => (await read(chunk)).toolCalls.map(({ id }) => id);
    expect(await ids()).toEqual(['call_4_0', 'call_4_1']);
    expect(await ids()).toEqual(await ids());
  });
  it('arguments that are an object become text', async () => {
    const { toolCalls } = await read(
      call({ index: 0, id: 'a', function: { name: 'x', arguments: { n: 1 } } }),
    );
    expect(toolCalls[0]?.arguments).toBe('{"n":1}');
  });
  it('only the first choice counts', async () => {
    const chunk = {
      choices: [
        { index: 1, delta: { content: 'no' } },
        { index: 0, delta: { content: 'yes' } },
      ],
    };
    expect((await read(chunk)).text).toBe('yes');
  });
  it.each([
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['content_filter', 'refusal'],
    ['something new', 'other'],
  ])('the reason %s is %s', async (reason, finish) => {
    expect((await read(delta({}, { finish_reason: reason }))).finish).toBe(finish);
  });
  it('a refusal is text and the reason', async () => {
    const response = await read(delta({ refusal: 'I will not' }, { finish_reason: 'stop' }));
    expect(response).toMatchObject({ text: 'I will not', finish: 'refusal' });
  });
});

describe('usage', () => {
  it('that is absent counts nothing; the last that is there counts', async () => {
    expect((await read(delta({ content: 'a' }))).usage).toMatchObject({ inputTokens: 0, outputTokens: 0 });
    expect(
      (await read({ usage: { prompt_tokens: 9 } }, { usage: { prompt_tokens: 4 } }, { usage: null })).usage,
    ).toMatchObject({
      inputTokens: 4,
    });
  });
  const counted = (value: unknown): ChunkReader => {
    const reader = new ChunkReader('p', 'call_4');
    [...reader.read({ usage: { completion_tokens: value } })];
    return reader;
  };
  it.each([
    [7, 7],
    ['7', 7],
    [1.5, 2],
    [null, 0],
  ])('of %j counts as %d', (value, outputTokens) => {
    expect(counted(value)).toMatchObject({ uncounted: [], usage: { outputTokens } });
  });
  it.each([
    [-1, '-1'],
    [1e9 + 1, '1000000001'],
    [Number.NaN, 'NaN'],
    ['-7', 'string'],
    [true, 'boolean'],
    [{}, 'object'],
  ])('of %j counts nothing and is told', (value, shown) => {
    expect(counted(value)).toMatchObject({
      uncounted: [`completion_tokens is ${shown}`],
      usage: { outputTokens: 0 },
    });
  });
  it('that is none does not lose what else is there', async () => {
    const reader = new ChunkReader('p', 'call_4');
    const details = { prompt_tokens: 3, prompt_tokens_details: [] };
    expect([...reader.read({ ...delta({ content: 'a' }), usage: details })]).toHaveLength(1);
    expect(reader).toMatchObject({
      usage: { inputTokens: 3 },
      uncounted: ['prompt_tokens_details is a list'],
    });
    expect((await read(delta({ content: 'a' }), { usage: [] })).text).toBe('a');
  });
});

describe('what makes no sense is refused', () => {
  it.each([
    ['a chunk', 'x', /not a JSON object/],
    ['choices', { choices: {} }, /"choices"/],
    ['a choice', { choices: ['x'] }, /a choice/],
    ['content', delta({ content: 7 }), /"content"/],
    ['calls', delta({ tool_calls: {} }), /"tool_calls"/],
    ['a call', delta({ tool_calls: ['x'] }), /a tool call/],
    ['a call without a name', call({ index: 0, id: 'a', function: { arguments: '{}' } }), /no name/],
  ])('%s', async (_, chunk, message) => {
    await expect(read(chunk)).rejects.toMatchObject({
      name: 'ModelError',
      kind: 'decode',
      message: expect.stringMatching(message),
    });
  });
});
