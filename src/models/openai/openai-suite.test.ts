import { eventStream } from '../fixtures/loopback-server.ts';
import { providerSuite } from '../fixtures/provider-suite.ts';
import { openai } from './index.ts';

const usage = {
  prompt_tokens: 7,
  completion_tokens: 5,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 0 },
};

const whole = (message: object, finish = 'stop'): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage,
});
const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const closing = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage };
const opening = chunk({ role: 'assistant', content: '' });

providerSuite({
  name: 'openai',
  make: openai,
  replies: {
    text: { json: whole({ content: 'Hello there' }) },
    streamedText: {
      events: eventStream([
        opening,
        chunk({ content: 'Hello ' }),
        chunk({ content: 'there' }),
        chunk({}, 'stop'),
        closing,
        '[DONE]',
      ]),
    },
    streamedCalls: ({ add, lookUp }) => ({
      events: eventStream([
        opening,
        chunk({
          tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: { name: add, arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
        chunk({
          tool_calls: [
            { index: 1, id: 'call_1', type: 'function', function: { name: lookUp, arguments: '{"q":"x"}' } },
          ],
        }),
        chunk({}, 'tool_calls'),
        closing,
        '[DONE]',
      ]),
    }),
    output: { json: whole({ content: '{"city":"Bern"}' }) },
    cut: { events: eventStream([opening, chunk({ content: 'Hello ' })]), cut: true },
    malformed: { events: `${eventStream([opening, chunk({ content: 'Hello ' })])}data: {"choices":\n\n` },
    refusal: {
      events: eventStream([
        opening,
        chunk({ refusal: 'I cannot help with that.' }),
        chunk({}, 'stop'),
        '[DONE]',
      ]),
    },
    failure: status => ({
      error: { message: `failure ${status}`, type: 'some_error', param: null, code: null },
    }),
  },
  imageIn: body => (body['messages'] as { content?: unknown }[])[2]?.content,
  expectedImage: 'here\n[image, image/png, 20 bytes: not shown, artifact call_1#1]',
  refused: {
    request: { temperature: 0.5 },
    message: "Unsupported value: 'temperature' does not support 0.5 with this model.",
    code: 'temperature-dropped',
    isIn: body => 'temperature' in body,
  },
  outputIn: body => (body['response_format'] as { json_schema?: { schema?: unknown } }).json_schema?.schema,
  toolNamesIn: body =>
    (body['tools'] as { function: { name: string } }[]).map(({ function: { name } }) => name),
});
