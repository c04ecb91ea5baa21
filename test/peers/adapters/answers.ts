/** Answers in the shapes of the providers: calls of the tools first, then the final answer. */
import type { Answer, Json } from './model-server.ts';
import { finalAnswer, plannedCalls } from './three-tools.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly args: Json;
}

/** The calls, under the names by which the tools were offered. */
function callsFor(names: readonly string[]): readonly Named[] {
  return plannedCalls.flatMap(({ like, args }, index) => {
    const name = names.find(candidate => like.test(candidate));
    return name === undefined ? [] : [{ id: `call_${index + 1}`, name, args }];
  });
}

function namesIn(list: unknown, pick: (entry: Json) => unknown): readonly string[] {
  return (list as readonly Json[]).map(entry => String(pick(entry)));
}

const chatFacts = { created: 1, model: 'model-1' };

/** One for each turn: some libraries keep one message for each. */
const idFor = (prefix: string, reason: string): string => `${prefix}-${reason}`;

function chatWhole(message: Json, reason: string): Answer {
  return {
    json: {
      ...chatFacts,
      id: idFor('chatcmpl', reason),
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    },
  };
}

function chatStream(deltas: readonly Json[], reason: string): Answer {
  const chunk = (delta: Json, finish: string | null): Json => ({
    ...chatFacts,
    id: idFor('chatcmpl', reason),
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = {
    prompt_tokens: 11,
    completion_tokens: 7,
    total_tokens: 18,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  };
  const last = { ...chunk({}, null), choices: [], usage };
  return { events: [...deltas.map(delta => chunk(delta, null)), chunk({}, reason), last, '[DONE]'] };
}

/** Chat completions, streamed when asked to be. */
export const chat = [
  (body: Json): Answer => {
    const calls = callsFor(namesIn(body['tools'], entry => (entry['function'] as Json)['name']));
    const whole = calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    if (body['stream'] !== true) return chatWhole({ content: null, tool_calls: whole }, 'tool_calls');
    const deltas = whole.flatMap(({ function: { name, arguments: raw }, ...call }, index) => [
      { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
      { tool_calls: [{ index, function: { arguments: raw } }] },
    ]);
    return chatStream([{ role: 'assistant', content: null }, ...deltas], 'tool_calls');
  },
  (body: Json): Answer =>
    body['stream'] === true
      ? chatStream([{ role: 'assistant', content: '' }, { content: finalAnswer }], 'stop')
      : chatWhole({ content: finalAnswer }, 'stop'),
];

function responseOf(output: readonly Json[], turn: number): Answer {
  return {
    json: {
      id: `resp_${turn}`,
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'model-1',
      output,
      usage: {
        input_tokens: 11,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 18,
      },
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      error: null,
      incomplete_details: null,
    },
  };
}

const finalMessage = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: finalAnswer, annotations: [] }],
};

/** Responses, whole. */
export const responses = [
  (body: Json): Answer =>
    responseOf(
      callsFor(namesIn(body['tools'], entry => entry['name'])).map(({ id, name, args }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(args),
        status: 'completed',
      })),
      1,
    ),
  (): Answer => responseOf([finalMessage], 2),
];

function messageOf(content: readonly Json[], reason: string): Answer {
  return {
    json: {
      id: idFor('msg', reason),
      type: 'message',
      role: 'assistant',
      model: 'model-1',
      content,
      stop_reason: reason,
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7 },
    },
  };
}

/** Messages, whole. */
export const messages = [
  (body: Json): Answer =>
    messageOf(
      callsFor(namesIn(body['tools'], entry => entry['name'])).map(({ id, name, args }) => ({
        type: 'tool_use',
        id,
        name,
        input: args,
      })),
      'tool_use',
    ),
  (): Answer => messageOf([{ type: 'text', text: finalAnswer }], 'end_turn'),
];

function candidateOf(parts: readonly Json[]): Answer {
  return {
    json: {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
      modelVersion: 'model-1',
    },
  };
}

/** generateContent, whole. */
export const contents = [
  (body: Json): Answer => {
    const [entry] = body['tools'] as readonly Json[];
    const names = namesIn(entry?.['functionDeclarations'], each => each['name']);
    return candidateOf(callsFor(names).map(({ id, name, args }) => ({ functionCall: { id, name, args } })));
  },
  (): Answer => candidateOf([{ text: finalAnswer }]),
];
