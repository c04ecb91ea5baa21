/** What OpenAI-compatible servers are known to refuse, and what is sent in its place. */
import { isObject } from '../../basics/json.ts';
import { type Concession, temperatureDropped } from '../provider/concessions.ts';
import type { Body } from '../provider/provider.ts';
import { callMembers, type Json, turnMembers } from './replay.ts';

export const concessions: readonly Concession[] = [
  {
    code: 'stream-usage-dropped',
    blames: /stream_options|include_usage/i,
    member: 'stream_options',
    unasked: true,
    note: 'the server refuses stream_options; token counts may be missing',
    change: ({ stream_options: _, ...rest }) => rest,
  },
  {
    code: 'max-completion-tokens',
    blames: /max_completion_tokens/i,
    member: 'max_tokens',
    note: 'the server wants max_completion_tokens in place of max_tokens',
    change: ({ max_tokens: most, ...rest }) => ({ ...rest, max_completion_tokens: most }),
  },
  {
    code: 'response-format-dropped',
    blames: /response_format|json_schema|guided_json|structured output/i,
    member: 'response_format',
    note: 'the server refuses the output schema; the answer is only checked here',
    change: ({ response_format: _, ...rest }) => rest,
  },
  temperatureDropped,
  {
    code: 'thoughts-dropped',
    blames:
      /(?:reasoning(?:_content|_details)?|extra_content|thought_signature|provider_specific_fields)\W.*(?:not (?:supported|permitted|allowed|valid)|unsupported|forbidden|unexpected|unknown|unrecognized)|(?:extra|forbidden|unknown|unexpected|unrecognized|additional|unsupported).*(?:reasoning|extra_content|thought_signature|provider_specific_fields)/i,
    member: 'messages',
    note: 'the server refuses the thoughts of earlier turns; the model cannot go on from them',
    change: body => withTurns(body, withoutThoughts),
  },
  {
    code: 'empty-thoughts-added',
    blames: /missing\W.*reasoning_content|reasoning_content.*\bmust be (?:passed|sent)/i,
    member: 'messages',
    note: 'the server wants the thoughts of every turn; those of other models are sent as empty',
    change: body =>
      withTurns(body, turn => ('reasoning_content' in turn ? turn : { ...turn, reasoning_content: '' })),
  },
];

function withTurns(body: Body, change: (turn: Json) => Json): Body {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  return {
    ...body,
    messages: messages.map((turn: unknown) =>
      isObject(turn) && turn['role'] === 'assistant' ? change(turn) : turn,
    ),
  };
}

function withoutThoughts(turn: Json): Json {
  const { tool_calls: calls, ...rest } = omit(turn, turnMembers);
  return Array.isArray(calls)
    ? { ...rest, tool_calls: calls.map(call => omit(call as Json, callMembers)) }
    : rest;
}

function omit(from: Json, members: readonly string[]): Json {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !members.includes(name)));
}
