/** What served patterns take and give, as data: the only place for their bounds and defaults. */

/** Arguments of the tool `consensus`. */
export const consensusInput = {
  type: 'object',
  properties: {
    prompt: { type: 'string', minLength: 1, description: 'What to ask; sent as it is' },
    n: {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      default: 3,
      description: 'How many times to ask; each is one model call',
    },
    strategy: {
      type: 'string',
      enum: ['majority', 'unanimous'],
      default: 'majority',
      description: 'Whether the most frequent answer wins, or all answers must agree',
    },
    temperature: {
      type: 'number',
      minimum: 0,
      maximum: 2,
      description: 'How varied the answers may be; leave it out for a sensible value',
    },
  },
  required: ['prompt'],
  additionalProperties: false,
} as const;

/** Arguments of the tool `react_loop`. */
export const reactInput = {
  type: 'object',
  properties: {
    prompt: { type: 'string', minLength: 1, description: 'The task; sent as it is' },
    max_rounds: {
      type: 'integer',
      minimum: 1,
      maximum: 8,
      default: 5,
      description: 'Most model calls before it gives up',
    },
  },
  required: ['prompt'],
  additionalProperties: false,
} as const;

const count = { type: 'integer', minimum: 0 } as const;

const cost = {
  type: 'object',
  properties: { inputTokens: count, outputTokens: count, calls: count },
  required: ['inputTokens', 'outputTokens', 'calls'],
  description: 'All model calls that were made, failed attempts included',
} as const;

const notes = { type: 'array', items: { type: 'string' } } as const;

/** What the structured content of a failure has. Some clients check it against the schema of results, so both fit. */
const failure = {
  kind: { type: 'string', description: 'Only in failures: what went wrong' },
  retryable: { type: 'boolean', description: 'Only in failures: whether the same call may succeed later' },
  retryAfterMs: { type: 'number', minimum: 0 },
  cost,
  evidence: { type: 'object', description: 'Only in failures: what was found out until then' },
  reference: { type: 'string', description: 'Only in failures: names the entry in the log of the server' },
} as const;

const failed = { required: ['kind', 'retryable', 'cost'] } as const;

/** Structured results of the tool `consensus`. */
export const consensusOutput: { readonly [keyword: string]: unknown } = {
  type: 'object',
  properties: {
    answer: { type: 'string', description: 'The winning answer, as it was first written' },
    agreement: { type: 'number', minimum: 0, maximum: 1, description: 'Share of answers that agree with it' },
    distinctAnswers: { type: 'integer', minimum: 1 },
    notes,
    usage: cost,
    ...failure,
  },
  anyOf: [{ required: ['answer', 'agreement', 'distinctAnswers', 'notes', 'usage'] }, failed],
};

/** Structured results of the tool `react_loop`. */
export const reactOutput: { readonly [keyword: string]: unknown } = {
  type: 'object',
  properties: {
    answer: { type: 'string' },
    rounds: { type: 'integer', minimum: 1, description: 'Model responses' },
    toolCalls: { ...count, description: 'Calls of tools, rejected ones included' },
    notes,
    usage: cost,
    ...failure,
  },
  anyOf: [{ required: ['answer', 'rounds', 'toolCalls', 'notes', 'usage'] }, failed],
};
