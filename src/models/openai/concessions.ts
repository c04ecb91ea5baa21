/** What OpenAI-compatible servers are known to refuse, and what is sent in its place. */
import type { Concession } from '../provider/concessions.ts';

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
];
