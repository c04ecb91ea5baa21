import { eventStream } from '../fixtures/loopback-server.ts';
import { pictureData, providerSuite } from '../fixtures/provider-suite.ts';
import { openaiResponses } from './index.ts';

const usage = {
  input_tokens: 7,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 12,
};

const textItem = (text: string): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

const whole = (...output: readonly object[]): object => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'm-1',
  output,
  usage,
});

const created = { type: 'response.created', response: { ...whole(), status: 'in_progress', usage: null } };
const completed = (...output: readonly object[]): object => ({
  type: 'response.completed',
  response: whole(...output),
});
const opened = { ...textItem(''), content: [], status: 'in_progress' };
const delta = (text: string): object => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta: text,
});
const textEvents = [
  created,
  { type: 'response.in_progress', response: whole() },
  { type: 'response.output_item.added', output_index: 0, item: opened },
  {
    type: 'response.content_part.added',
    output_index: 0,
    content_index: 0,
    part: { type: 'output_text', text: '' },
  },
  delta('Hello '),
  delta('there'),
  { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hello there' },
  { type: 'response.output_item.done', output_index: 0, item: textItem('Hello there') },
];

const call = (place: number, name: string, args: string): object => ({
  type: 'function_call',
  id: `fc_${place}`,
  call_id: `call_${place}`,
  name,
  arguments: args,
  status: 'completed',
});
const callEvents = (place: number, name: string, args: string): object[] => [
  { type: 'response.output_item.added', output_index: place, item: call(place, name, '') },
  { type: 'response.function_call_arguments.delta', output_index: place, delta: args.slice(0, 3) },
  { type: 'response.function_call_arguments.delta', output_index: place, delta: args.slice(3) },
  { type: 'response.function_call_arguments.done', output_index: place, arguments: args },
  { type: 'response.output_item.done', output_index: place, item: call(place, name, args) },
];

const refusalItem = {
  ...textItem(''),
  content: [{ type: 'refusal', refusal: 'I cannot help with that.' }],
};

providerSuite({
  name: 'openaiResponses',
  make: openaiResponses,
  replies: {
    text: { json: whole(textItem('Hello there')) },
    streamedText: { events: eventStream([...textEvents, completed(textItem('Hello there'))]) },
    streamedCalls: ({ add, lookUp }) => ({
      events: eventStream([
        created,
        ...callEvents(0, add, '{"a":1}'),
        ...callEvents(1, lookUp, '{"q":"x"}'),
        completed(call(0, add, '{"a":1}'), call(1, lookUp, '{"q":"x"}')),
      ]),
    }),
    output: { json: whole(textItem('{"city":"Bern"}')) },
    cut: { events: eventStream(textEvents.slice(0, 5)), cut: true },
    malformed: { events: `${eventStream(textEvents.slice(0, 5))}data: {"type":\n\n` },
    refusal: {
      events: eventStream([
        created,
        { type: 'response.output_item.added', output_index: 0, item: opened },
        { type: 'response.refusal.delta', output_index: 0, delta: 'I cannot help with that.' },
        completed(refusalItem),
      ]),
    },
    failure: status => ({
      error: { message: `failure ${status}`, type: 'some_error', param: null, code: null },
    }),
  },
  imageIn: body => (body['input'] as { output?: unknown }[])[2]?.output,
  expectedImage: [
    { type: 'input_text', text: 'here' },
    {
      type: 'input_image',
      detail: 'auto',
      image_url: `data:image/png;base64,${pictureData}`,
    },
  ],
  refused: {
    request: { temperature: 0.5 },
    message: "Unsupported parameter: 'temperature' is not supported with this model.",
    code: 'temperature-dropped',
    isIn: body => 'temperature' in body,
  },
  outputIn: body => (body['text'] as { format?: { schema?: unknown } }).format?.schema,
  toolNamesIn: body => (body['tools'] as { name: string }[]).map(({ name }) => name),
});
