/** The published JSON Schema of the configuration of a served Tenon: what `tenon.config.json` may say. */
import type { JsonSchemaObject } from '../../schema/schema.ts';

const text = (description: string, most = 4000): JsonSchemaObject => ({
  type: 'string',
  minLength: 1,
  maxLength: most,
  description,
});
const whole = (description: string, minimum = 1): JsonSchemaObject => ({
  type: 'integer',
  minimum,
  description,
});
const flag = (description: string): JsonSchemaObject => ({ type: 'boolean', description });
const texts = (description: string): JsonSchemaObject => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 1000 },
  maxItems: 1000,
  description,
});
const closed = (
  properties: Readonly<Record<string, JsonSchemaObject>>,
  more: JsonSchemaObject = {},
): JsonSchemaObject => ({ type: 'object', properties, additionalProperties: false, ...more });
const record = (values: JsonSchemaObject, description: string): JsonSchemaObject => ({
  type: 'object',
  additionalProperties: values,
  maxProperties: 1000,
  description,
});
const milliseconds = (description: string): JsonSchemaObject => ({
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 86_400_000,
  description,
});

const budget = closed(
  {
    calls: whole('Requests to models, failed attempts included'),
    inputTokens: whole('Tokens that models read'),
    outputTokens: whole('Tokens that models write'),
    tokens: whole('Both together'),
    money: { type: 'number', exclusiveMinimum: 0, description: 'In the currency of the rates' },
    rates: closed(
      { input: { type: 'number', minimum: 0 }, output: { type: 'number', minimum: 0 } },
      { required: ['input', 'output'], description: 'Prices of a million tokens' },
    ),
    ms: milliseconds('Milliseconds'),
  },
  { description: 'Most that may be spent; what is left out is unlimited' },
);

const approval = {
  enum: ['never', 'ask', 'deny'],
  description: 'Whether a call runs at once, after a person at the caller agreed, or not at all',
} as const;

const argument = closed(
  {
    within: { ...texts('Absolute folders that paths must lie in'), minItems: 1 },
    hosts: { ...texts('Hosts that URLs may name, with * and ?'), minItems: 1 },
    values: { type: 'array', minItems: 1, maxItems: 1000, description: 'The only values that may be sent' },
    maxLength: whole('Most characters', 0),
  },
  { minProperties: 1, description: 'What an argument may be; a call with another is refused' },
);

const rule = closed({
  approval,
  timeout: milliseconds('Milliseconds for one call, without the time of its approval'),
  pin: { type: 'object', description: 'Arguments with fixed values, which models neither see nor set' },
  hide: texts('Arguments that models do not see and that are not sent'),
  arguments: record(argument, 'By the name of the argument'),
  maxCalls: whole('Most calls while the server runs', 0),
  describe: text('What models read instead of the description of the server'),
});

const access = closed(
  {
    allow: {
      ...texts('Names of tools, with * and ?; ! before one takes it out again. Nothing else can be used'),
      minItems: 1,
    },
    readOnly: flag('Whether patterns take in only tools that read; true unless set. Names count in any case'),
    trustAnnotations: flag(
      'Whether what the server says of its tools, such as that they only read, is believed',
    ),
    approval,
    timeout: milliseconds('Milliseconds for one call'),
    rules: record(
      rule,
      'What holds for some tools, by name or pattern; what arguments may be adds up, else later ones hold',
    ),
    pins: record(
      { type: 'string', minLength: 16, maxLength: 200 },
      'Hashes of approved definitions by name; where there are any, tools without one are left out',
    ),
    onDrift: {
      enum: ['block', 'warn'],
      description: 'What happens to a tool that is not what it was; block unless set',
    },
  },
  { required: ['allow'] },
);

const common = {
  model: text('The name of one of the models'),
  maxPrompt: whole('Most characters of a prompt'),
  maxTokens: whole('Most tokens of one answer'),
  callBudget: budget,
  description: text('What models read about the tool', 2000),
} as const;

const orTrue = (bounds: JsonSchemaObject): JsonSchemaObject => ({ anyOf: [{ type: 'boolean' }, bounds] });
const usedTools = texts('Which of the allowed tools it may use, as server/tool with * and ?; all unless set');

const patterns = closed(
  {
    consensus: orTrue(
      closed({
        ...common,
        maxSamples: whole('Most answers of one call'),
        strategies: {
          type: 'array',
          items: { enum: ['majority', 'unanimous'] },
          minItems: 1,
          description: 'Those that callers may choose',
        },
      }),
    ),
    react_loop: orTrue(
      closed({
        ...common,
        tools: usedTools,
        maxRounds: whole('Most model responses of one call'),
        maxObservation: whole('Most characters of a result that the model reads'),
        maxCallsPerRound: whole('Most tool calls of one round'),
        toolTimeout: milliseconds('Milliseconds for tools without a limit of their own'),
      }),
    ),
    refine: orTrue(
      closed({
        ...common,
        maxIterations: whole('Most improvements of one call', 0),
        patience: whole('Drafts in a row without a better score until it ends'),
      }),
    ),
    structured: closed(
      {
        ...common,
        schemas: {
          ...record(
            closed(
              { schema: { type: 'object' }, description: text('What it is for', 2000) },
              { required: ['schema'] },
            ),
            'By the names that callers choose from',
          ),
          minProperties: 1,
        },
        maxRepairs: whole('Most times that an answer is sent back', 0),
      },
      { required: ['schemas'] },
    ),
    map_reduce: orTrue(
      closed({
        ...common,
        maxItems: whole('Most items of one call'),
        maxItemLength: whole('Most characters of one item'),
        maxTemplate: whole('Most characters of a template'),
        concurrency: whole('How many items are asked about at once'),
      }),
    ),
  },
  { description: 'The patterns that are served, each by name: true, or its bounds' },
);

const agent = closed(
  {
    description: text('What it is good for; callers choose by it', 2000),
    title: text('For people', 200),
    instructions: text('What it is told before every prompt', 100_000),
    model: common.model,
    tools: usedTools,
    maxTurns: whole('Most model responses of one call; 10 unless set'),
    maxPrompt: common.maxPrompt,
    maxTokens: common.maxTokens,
    callBudget: budget,
    output: { type: 'object', description: 'JSON Schema of what it gives; text unless set' },
  },
  { required: ['description'] },
);

const pipe = closed(
  {
    ...common,
    title: text('For people', 200),
    steps: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: closed(
        {
          name: text('For progress and evidence', 100),
          prompt: text(
            'What is asked; {input} is what the step before gave, {prompt} what the caller asked',
            20_000,
          ),
          by: {
            enum: ['ask', 'consensus', 'refine'],
            description: 'How it is answered; asked once unless set',
          },
          samples: whole('Of a vote; 3 unless set'),
          maxIterations: whole('Of what is refined; 3 unless set', 0),
          criteria: text('What the judge of what is refined looks at'),
        },
        { required: ['name', 'prompt'] },
      ),
    },
  },
  { required: ['description', 'steps'] },
);

/** JSON Schema 2020-12. Entries of `mcpServers` are read as the programs do that share the file, so any member may stand there. */
export const configSchema: JsonSchemaObject = Object.freeze({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'What a served Tenon offers and may use',
  ...closed({
    $schema: { type: 'string' },
    name: text('What the server calls itself', 128),
    instructions: text('How to use the server, for a model to read', 100_000),
    models: record(
      closed(
        {
          model: text('model, or provider:model', 500),
          baseUrl: text('Where it is, when the provider has no address of its own', 2000),
          apiKey: text(`$\{NAME}: the variable that holds the key`, 500),
        },
        { required: ['model'] },
      ),
      'By the names that patterns and agents use; the one named default is theirs unless they say',
    ),
    mcpServers: record({ type: 'object' }, 'Servers by name, as other programs have them'),
    tools: record(
      access,
      'By the name of the server: what may be used of it. Nothing, unless it stands here',
    ),
    budgets: closed({ call: budget, process: budget }),
    patterns,
    agents: record(agent, 'Agents that are served, by the name of their tool'),
    pipes: record(pipe, 'Steps one after the other that are served as one tool, by its name'),
  }),
});
