import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PartCollector } from '../collect.ts';
import type { Part } from '../model.ts';
import { isModelError } from '../model-error.ts';
import { block, callBlock, end, start, textBlock, thoughtBlock, whole } from './fixtures/replies.ts';
import { EventReader } from './stream.ts';

/** What is put together from the parts; those of text and arguments may be cut anywhere. */
function put(parts: Iterable<Part>): unknown {
  const collector = new PartCollector();
  for (const part of parts) collector.add(part);
  return collector.response();
}

function* readAll(events: readonly unknown[]): Generator<Part> {
  const reader = new EventReader('p', 'call_0');
  for (const event of events) yield* reader.read(event);
  yield { type: 'usage', usage: { ...reader.usage, requests: 1 } };
  yield* reader.end();
}

function* readWhole(answer: unknown): Generator<Part> {
  const reader = new EventReader('p', 'call_0');
  yield* reader.readWhole(answer);
  yield { type: 'usage', usage: { ...reader.usage, requests: 1 } };
  yield* reader.end();
}

interface Told {
  readonly content: Message['content'][number];
  events(index: number): readonly RawMessageStreamEvent[];
}

const pieces = fc.array(fc.string(), { maxLength: 4 });
const told: fc.Arbitrary<Told> = fc.oneof(
  pieces.map(
    (parts): Told => ({
      content: { type: 'text', text: parts.join(''), citations: null },
      events: index => textBlock(index, ...parts),
    }),
  ),
  fc.tuple(fc.string(), fc.string()).map(
    ([thinking, signature]): Told => ({
      content: { type: 'thinking', thinking, signature },
      events: index => thoughtBlock(index, thinking, signature),
    }),
  ),
  fc.string().map(
    (data): Told => ({
      content: { type: 'redacted_thinking', data },
      events: index => block(index, { type: 'redacted_thinking', data }),
    }),
  ),
  fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(9)).map(([value, cut]): Told => {
    const input = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
    const text = JSON.stringify(input);
    return {
      content: { type: 'tool_use', id: 'toolu', name: 't', input, caller: { type: 'direct' } },
      events: index => callBlock(index, 'toolu', 't', text.slice(0, cut), text.slice(cut)),
    };
  }),
);

it('an answer in events says what it says whole, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(told, { maxLength: 5 }), blocks => {
      const events = [start, ...blocks.flatMap((one, index) => one.events(index)), ...end('end_turn')];
      const content = blocks.map(one => one.content);
      expect(put(readAll(events))).toEqual(put(readWhole(whole(content))));
    }),
  );
});

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, '', 'text', 'tool_use', 'thinking', 0, 1, {}),
);
const member = (...names: string[]): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constantFrom<unknown>(...names), odd);
const event = fc.record(
  {
    type: member(
      'message',
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ),
    index: fc.oneof(fc.nat(2), odd),
    message: odd,
    content: odd,
    usage: fc.oneof(odd, fc.record({ input_tokens: odd, output_tokens_details: odd }, { requiredKeys: [] })),
    content_block: fc.oneof(
      odd,
      fc.record(
        { type: member('text', 'thinking', 'tool_use'), id: odd, name: odd, text: odd, input: odd },
        { requiredKeys: [] },
      ),
    ),
    delta: fc.oneof(
      odd,
      fc.record(
        {
          type: member('text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'),
          text: odd,
          thinking: odd,
          signature: odd,
          partial_json: odd,
          stop_reason: odd,
          stop_details: odd,
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: ['type'] },
);

it('whatever comes is an answer or a failure that says why', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(event, odd), { maxLength: 8 }), events => {
      const started = new Set<number>();
      try {
        for (const part of readAll(events)) {
          if (part.type === 'tool-call-start') started.add(part.index);
          if (part.type === 'tool-call-delta') expect(started).toContain(part.index);
        }
      } catch (error) {
        if (!isModelError(error)) throw error;
        expect(error).toMatchObject({ kind: 'decode', provider: 'p', retryable: false });
      }
    }),
    { numRuns: 1000 },
  );
});
