/** A turn of the messages API as it is streamed: signed thinking, then calls; and a turn of text. */
import type { Answer, Json } from './model-server.ts';
import { finalAnswer } from './three-tools.ts';

const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 11, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 1 },
  },
};

function end(reason: string): readonly Json[] {
  const delta = { stop_reason: reason, stop_sequence: null };
  return [{ type: 'message_delta', delta, usage: { output_tokens: 7 } }, { type: 'message_stop' }];
}

function block(index: number, content_block: Json, deltas: readonly Json[]): readonly Json[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

export const thinkingAndCall = (): Answer => ({
  events: [
    start,
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'I should ' },
      { type: 'thinking_delta', thinking: 'add.' },
      { type: 'signature_delta', signature: 'signed-1' },
    ]),
    ...block(1, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Adding.' }]),
    ...block(2, { type: 'tool_use', id: 'call_1', name: 'add', input: {} }, [
      { type: 'input_json_delta', partial_json: '{"a": 20,' },
      { type: 'input_json_delta', partial_json: ' "b": 22}' },
    ]),
    ...end('tool_use'),
  ],
});

export const finalText = (): Answer => ({
  events: [
    start,
    ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: finalAnswer }]),
    ...end('end_turn'),
  ],
});

/** Ends in the middle of a text. */
export const cutInTheMiddle = (): Answer => ({
  events: [
    start,
    ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'The sum' }]).slice(0, 2),
  ],
});

/** An error where the next piece should be. */
export const overloadedInTheMiddle = (): Answer => ({
  events: [
    ...(cutInTheMiddle().events ?? []),
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ],
});
