/** What served patterns and agents give as data: a schema for results and failures of each. */
import type { JsonSchemaObject } from '../../schema/schema.ts';

const count = { type: 'integer', minimum: 0 } as const;

/** What was spent. */
const cost = {
  type: 'object',
  properties: { inputTokens: count, outputTokens: count, calls: count },
  required: ['inputTokens', 'outputTokens', 'calls'],
  description: 'All model calls that were made, failed attempts included',
} as const;

const notes = { type: 'array', items: { type: 'string' } } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

/** Calls of tools that were not run, for people who look into what a model tried. */
const refusedCalls = {
  type: 'array',
  items: {
    type: 'object',
    properties: { tool: { type: 'string' }, reason: { type: 'string' } },
    required: ['tool', 'reason'],
  },
  description: 'Calls that the model asked for and that were not run, the first 20',
} as const;

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

function resultsOf(
  properties: Readonly<Record<string, unknown>>,
  optional: readonly string[] = [],
): JsonSchemaObject {
  const facts = { ...properties, notes, usage: cost };
  const required = Object.keys(facts).filter(name => !optional.includes(name));
  return { type: 'object', properties: { ...facts, ...failure }, anyOf: [{ required }, failed] };
}

/** Structured results of the tool `consensus`. */
export const consensusOutput: JsonSchemaObject = resultsOf({
  answer: { type: 'string', description: 'The winning answer, as it was first written' },
  agreement: { ...share, description: 'Share of answers that agree with it' },
  distinctAnswers: { type: 'integer', minimum: 1 },
});

/** Structured results of the tool `react_loop`. */
export const reactOutput: JsonSchemaObject = resultsOf(
  {
    answer: { type: 'string' },
    rounds: { type: 'integer', minimum: 1, description: 'Model responses' },
    toolCalls: { ...count, description: 'Calls of its tools; those by names that it has not are left out' },
    refusedCalls,
  },
  ['refusedCalls'],
);

/** Structured results of the tool `refine`. */
export const refineOutput: JsonSchemaObject = resultsOf({
  answer: { type: 'string', description: 'The best draft' },
  score: { ...share, description: 'What the judge gave it' },
  iterations: { ...count, description: 'Improvements that were written' },
  converged: { type: 'boolean', description: 'Whether it was good enough, or no longer getting better' },
  scores: { type: 'array', items: share, description: 'Of each draft, in order' },
});

/** Structured results of the tool `structured`; `data` fits the schema that was named. */
export const structuredOutput: JsonSchemaObject = resultsOf({
  data: { description: 'Fits the schema that was named' },
  schema: { type: 'string' },
  attempts: { type: 'integer', minimum: 1, description: 'Answers of the model' },
});

/** Structured results of the tool `map_reduce`. */
export const mapReduceOutput: JsonSchemaObject = resultsOf({
  answer: { type: 'string' },
  worked: { ...share, description: 'Share of the items that worked' },
  failedItems: { type: 'array', items: count, description: 'Places of those that did not, from 0' },
});

/** Structured results of a pipe. */
export const pipeOutput: JsonSchemaObject = resultsOf(
  {
    answer: { type: 'string' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, calls: count, score: share },
        required: ['name', 'calls'],
      },
      description: 'What each step cost in model calls',
    },
    score: { ...share, description: 'Of the last step, where it has one' },
  },
  ['score'],
);

/** Structured results of a served agent that answers with text. */
export const agentOutput: JsonSchemaObject = resultsOf(
  {
    answer: { type: 'string' },
    turns: { type: 'integer', minimum: 1, description: 'Model responses' },
    toolCalls: { ...count, description: 'Calls of its tools; those by names that it has not are left out' },
    refusedCalls,
  },
  ['refusedCalls'],
);
