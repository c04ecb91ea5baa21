import { describe, expect, it } from 'vitest';
import { collect, type ModelResponse } from '../collect.ts';
import type { Part } from '../model.ts';
import {
  block,
  callBlock,
  end,
  start,
  text,
  textBlock,
  thoughtBlock,
  usage,
  whole,
} from './fixtures/replies.ts';
import { EventReader } from './stream.ts';

function* parts(reader: EventReader, events: readonly unknown[]): Generator<Part> {
  for (const event of events) yield* reader.read(event);
  yield { type: 'usage', usage: { ...reader.usage, requests: 1 } };
  yield* reader.end();
}

async function* later(given: Iterable<Part>): AsyncGenerator<Part> {
  yield* given;
}

const read = (...events: unknown[]): Promise<ModelResponse> =>
  collect(later(parts(new EventReader('p', 'call_4'), events)));

function* wholeParts(answer: unknown): Generator<Part> {
  const reader = new EventReader('p', 'call_4');
  yield* reader.readWhole(answer);
  yield { type: 'usage', usage: { ...reader.usage, requests: 1 } };
  yield* reader.end();
}

const readWhole = (answer: unknown): Promise<ModelResponse> => collect(later(wholeParts(answer)));

describe('events become parts', () => {
  it('text, piece by piece, and why it ended', async () => {
    const events = [start, { type: 'ping' }, ...textBlock(0, 'a', 'b'), ...end('end_turn')];
    const reader = new EventReader('p', 'call_4');
    expect([...parts(reader, events)]).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      {
        type: 'usage',
        usage: { inputTokens: 7, outputTokens: 5, cachedInputTokens: 3, reasoningTokens: 2, requests: 1 },
      },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(reader).toMatchObject({ answered: true, finished: true, done: true });
  });

  it('is finished with the reason to stop, and done with the last event', () => {
    const reader = new EventReader('p', 'call_4');
    const [delta, stop] = end('end_turn');
    for (const event of [start, ...textBlock(0, 'a')]) [...reader.read(event)];
    expect(reader).toMatchObject({ finished: false, done: false });
    [...reader.read(delta)];
    expect(reader).toMatchObject({ finished: true, done: false });
    [...reader.read(stop)];
    expect(reader.done).toBe(true);
  });

  it('calls side by side, whose pieces may come in turn', async () => {
    const [first, ...rest] = callBlock(1, 'toolu_1', 'x', '{"n"', ':1}');
    const [second, ...more] = callBlock(2, 'toolu_2', 'y', '{}');
    const mixed = [first, second, ...rest.flatMap((event, at) => [event, more[at]])];
    const events = mixed.filter(event => event !== undefined);
    const response = await read(start, ...textBlock(0, 'I look.'), ...events, ...end('tool_use'));
    expect(response).toMatchObject({
      text: 'I look.',
      finish: 'tool-calls',
      toolCalls: [
        { id: 'toolu_1', name: 'x', arguments: '{"n":1}' },
        { id: 'toolu_2', name: 'y', arguments: '{}' },
      ],
    });
    expect(response).not.toHaveProperty('replay');
  });

  it('a call without pieces has the input that it began with, and an id of its own where it has none', async () => {
    const { toolCalls } = await read(
      start,
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', name: 'x', input: { a: 1 } },
      },
      { type: 'content_block_stop', index: 0 },
      ...callBlock(1, '', 'y'),
      ...end('tool_use'),
    );
    expect(toolCalls).toEqual([
      { id: 'call_4_0', name: 'x', arguments: '{"a":1}' },
      { id: 'call_4_1', name: 'y', arguments: '{}' },
    ]);
  });

  it('arguments that were cut off stay as they are', async () => {
    const response = await read(start, ...callBlock(0, 'toolu_1', 'x', '{"a'), ...end('max_tokens'));
    expect(response).toMatchObject({ finish: 'length', toolCalls: [{ arguments: '{"a' }] });
  });

  it('thoughts are reasoning, and the turn is replayed whole', async () => {
    const response = await read(
      start,
      ...thoughtBlock(0, 'hm', 'c2ln'),
      ...block(1, { type: 'redacted_thinking', data: 'c2VhbA==' }),
      ...textBlock(2, 'so'),
      ...callBlock(3, 'toolu_1', 'x', '{"a":1}'),
      ...end('tool_use'),
    );
    expect(response).toMatchObject({ reasoning: 'hm', text: 'so' });
    expect(response.replay).toEqual({
      provider: 'anthropic',
      items: [
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'c2VhbA==' },
        { type: 'text', text: 'so', citations: null },
        { type: 'tool_use', id: 'toolu_1', name: 'x', input: { a: 1 }, caller: { type: 'direct' } },
      ],
    });
  });

  it('a thought that was hidden is replayed for its signature, one without is not', async () => {
    const hidden = await read(
      start,
      ...thoughtBlock(0, '', 'c2ln'),
      ...textBlock(1, 'a'),
      ...end('end_turn'),
    );
    expect(hidden.replay?.items[0]).toEqual({ type: 'thinking', thinking: '', signature: 'c2ln' });
    const unsigned = await read(
      start,
      ...thoughtBlock(0, 'hm', ''),
      ...textBlock(1, 'a'),
      ...end('end_turn'),
    );
    expect(unsigned).toMatchObject({ reasoning: 'hm' });
    expect(unsigned).not.toHaveProperty('replay');
  });

  it('what the provider did on its side is replayed, and nothing else comes of it', async () => {
    const search = {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'web_search',
      input: {},
      caller: { type: 'direct' },
    } as const;
    const response = await read(
      start,
      ...block(0, search, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
      ...block(1, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [],
        caller: { type: 'direct' },
      }),
      ...textBlock(2, 'found'),
      ...end('pause_turn'),
    );
    expect(response).toMatchObject({ text: 'found', toolCalls: [], finish: 'other' });
    expect(response.replay?.items).toMatchObject([
      { type: 'server_tool_use', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1' },
      { type: 'text', text: 'found' },
    ]);
  });

  it('events, blocks and deltas of kinds that are not known are passed over', async () => {
    const citation = { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'x' } };
    const { text: said, finish } = await read(
      start,
      { type: 'later_event' },
      ...textBlock(0, 'a'),
      { type: 'content_block_delta', index: 0, delta: citation },
      { type: 'content_block_start', index: 1, content_block: { type: 'later_block' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'later_delta', more: 1 } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_stop', index: 9 },
      ...end('end_turn'),
    );
    expect({ said, finish }).toEqual({ said: 'a', finish: 'stop' });
  });

  it('pieces whose block was not begun or not closed are not lost', async () => {
    const { text: said, replay } = await read(
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'a' } },
      ...end('end_turn'),
    );
    expect(said).toBe('a');
    expect(replay?.items).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { type: 'text', text: 'a' },
    ]);
  });

  it('counts grow, and a count that is not told again stays', async () => {
    const told = (more: object): object => ({ type: 'message_delta', delta: {}, usage: more });
    const { usage: total } = await read(
      start,
      told({ output_tokens: 3 }),
      told({ input_tokens: 10, output_tokens: 9 }),
      ...end('end_turn').slice(1),
    );
    expect(total).toEqual({ inputTokens: 14, outputTokens: 9, cachedInputTokens: 3, requests: 1 });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refusal'],
    ['pause_turn', 'other'],
    ['constructor', 'other'],
  ])('the reason %s is %s', async (reason, finish) => {
    expect((await read(start, ...end(reason as 'end_turn'))).finish).toBe(finish);
  });
});

describe('a whole answer', () => {
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 'c2ln' } as const,
    text('a'),
    { type: 'tool_use', id: 'toolu_1', name: 'x', input: { n: 1 }, caller: { type: 'direct' } } as const,
  ];
  it('says what its events would have said', async () => {
    const streamed = await read(
      start,
      ...thoughtBlock(0, 'hm', 'c2ln'),
      ...textBlock(1, 'a'),
      ...callBlock(2, 'toolu_1', 'x', '{"n":1}'),
      ...end('tool_use'),
    );
    expect(await readWhole(whole(content, 'tool_use'))).toEqual(streamed);
  });
  it('is taken as one event too', async () => {
    expect(await read(whole(content, 'tool_use'))).toEqual(await readWhole(whole(content, 'tool_use')));
  });
  it.each([
    ['x', ['usage is string'], 0],
    [{ ...usage, input_tokens: -1 }, ['input_tokens is -1'], 5],
  ])('with usage that is none, %j, counts the rest and says so', (odd, uncounted, outputTokens) => {
    const reader = new EventReader('p', 'call_1');
    [...reader.readWhole({ ...whole([text('a')]), usage: odd })];
    expect(reader).toMatchObject({ uncounted, usage: { outputTokens } });
  });

  it('without usage counts nothing', async () => {
    const { usage: _, ...bare } = whole([text('a')]);
    expect((await readWhole(bare)).usage).toEqual({ inputTokens: 0, outputTokens: 0, requests: 1 });
  });
});

describe('an answer that makes no sense is a decode failure that says why', () => {
  it.each([
    [7, /an event is not a JSON object/],
    [{ type: 'content_block_start', index: 0 }, /content_block is not a JSON object/],
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use' } },
      /a tool call has no name/,
    ],
    [{ type: 'content_block_delta', index: 0, delta: 'x' }, /delta is not a JSON object/],
    [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 3 } },
      /"text" of a delta is not text/,
    ],
    [
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{' } },
      /no name/,
    ],
    [{ type: 'message_delta', delta: null }, /delta is not a JSON object/],
    [{ type: 'message', content: 'x' }, /"content" is not a list of blocks/],
  ])('%j', async (event, why) => {
    await expect(read(event)).rejects.toMatchObject({ kind: 'decode', message: expect.stringMatching(why) });
  });
});
