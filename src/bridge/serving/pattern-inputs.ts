/** What callers of served patterns may set, made of the operator's bounds: the schema that they see is the only check. */
import type { VotingStrategy } from '../../patterns/voting/voting.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import type { StandardSchema } from '../../schema/standard-schema.ts';
import { withOptionalNulls } from './optional-nulls.ts';
import type {
  CommonBounds,
  ConsensusBounds,
  MapReduceBounds,
  ReactBounds,
  RefineBounds,
  StructuredBounds,
} from './pattern-bounds.ts';

/** A schema, and the values of what callers leave out. */
export interface PatternInput<Args, Usual> {
  readonly schema: StandardSchema<Args>;
  readonly usual: Usual;
}

interface Asked {
  readonly prompt: string;
}

export interface ConsensusArguments extends Asked {
  readonly n?: number;
  readonly strategy?: VotingStrategy;
  readonly temperature?: number;
}

export interface ReactArguments extends Asked {
  readonly max_rounds?: number;
}

export interface RefineArguments extends Asked {
  readonly max_iterations?: number;
  readonly target?: number;
  readonly criteria?: string;
}

export interface StructuredArguments extends Asked {
  readonly schema: string;
  readonly max_repairs?: number;
}

export interface MapReduceArguments {
  readonly items: readonly string[];
  readonly map: string;
  readonly reduce: string;
  readonly on_item_failure?: 'fail' | 'skip';
}

export function consensusInput(
  bounds: ConsensusBounds = {},
): PatternInput<ConsensusArguments, { readonly n: number; readonly strategy: VotingStrategy }> {
  const { maxSamples = 9, strategies = ['majority', 'unanimous'] } = bounds;
  const usual = { n: Math.min(3, maxSamples), strategy: strategies[0] ?? 'majority' };
  const properties = {
    prompt: promptOf(bounds, 'What to ask; sent as it is'),
    n: integer(1, maxSamples, usual.n, 'How many times to ask; each is one model call'),
    strategy: {
      type: 'string',
      enum: strategies,
      default: usual.strategy,
      description: 'Whether the most frequent answer wins, or all answers must agree',
    },
    temperature: {
      type: 'number',
      minimum: 0,
      maximum: 2,
      description: 'How varied the answers may be; leave it out for a sensible value',
    },
  };
  return { schema: closed(properties, ['prompt']), usual };
}

export function reactInput(
  bounds: ReactBounds = {},
): PatternInput<ReactArguments, { readonly max_rounds: number }> {
  const { maxRounds = 8 } = bounds;
  const usual = { max_rounds: Math.min(5, maxRounds) };
  const properties = {
    prompt: promptOf(bounds, 'The task; sent as it is'),
    max_rounds: integer(1, maxRounds, usual.max_rounds, 'Most model calls before it gives up'),
  };
  return { schema: closed(properties, ['prompt']), usual };
}

export function refineInput(
  bounds: RefineBounds = {},
): PatternInput<RefineArguments, { readonly max_iterations: number; readonly target: number }> {
  const { maxIterations = 5 } = bounds;
  const usual = { max_iterations: maxIterations, target: 0.9 };
  const properties = {
    prompt: promptOf(bounds, 'What to write; sent as it is'),
    criteria: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      description: 'What a good text does, for the judge; a general measure when left out',
    },
    max_iterations: integer(
      0,
      maxIterations,
      usual.max_iterations,
      'Most improvements of the first draft; each is two model calls',
    ),
    target: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: usual.target,
      description: 'The score at which a draft is good enough',
    },
  };
  return { schema: closed(properties, ['prompt']), usual };
}

export function structuredInput(
  bounds: StructuredBounds,
): PatternInput<StructuredArguments, { readonly max_repairs: number }> {
  const { schemas, maxRepairs = 3 } = bounds;
  const usual = { max_repairs: maxRepairs };
  const described = Object.entries(schemas).map(([name, { description }]) =>
    description === undefined ? name : `${name}: ${description}`,
  );
  const properties = {
    prompt: promptOf(bounds, 'The text to read, or what to make; sent as it is'),
    schema: {
      type: 'string',
      enum: Object.keys(schemas),
      description: `What the data must be. ${described.join('; ')}`,
    },
    max_repairs: integer(
      0,
      maxRepairs,
      usual.max_repairs,
      'How often an answer that does not fit is sent back to be mended',
    ),
  };
  return { schema: closed(properties, ['prompt', 'schema']), usual };
}

export function mapReduceInput(
  bounds: MapReduceBounds = {},
): PatternInput<MapReduceArguments, { readonly on_item_failure: 'fail' | 'skip' }> {
  const { maxItems = 50, maxItemLength = 20_000, maxTemplate = 4000 } = bounds;
  const usual = { on_item_failure: 'fail' } as const;
  const properties = {
    items: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: maxItemLength },
      minItems: 1,
      maxItems,
      description: 'The texts; each is one model call',
    },
    map: template(maxTemplate, 'What to ask about each item; holds {item}, and {{ for a brace'),
    reduce: template(maxTemplate, 'What to ask at the end; holds {results}, the answers in order'),
    on_item_failure: {
      type: 'string',
      enum: ['fail', 'skip'],
      default: usual.on_item_failure,
      description: 'Whether an item that fails ends it, or is left out',
    },
  };
  return { schema: closed(properties, ['items', 'map', 'reduce']), usual };
}

export function pipeInput(bounds: CommonBounds = {}): PatternInput<Asked, Record<never, never>> {
  const properties = { prompt: promptOf(bounds, 'What to work on; sent as it is') };
  return { schema: closed(properties, ['prompt']), usual: {} };
}

function promptOf({ maxPrompt = 100_000 }: CommonBounds, description: string): JsonSchemaObject {
  return { type: 'string', minLength: 1, maxLength: maxPrompt, description };
}

function template(maxLength: number, description: string): JsonSchemaObject {
  return { type: 'string', minLength: 1, maxLength, description };
}

function integer(minimum: number, maximum: number, usual: number, description: string): JsonSchemaObject {
  return { type: 'integer', minimum, maximum, default: usual, description };
}

/** What it accepts is what the interface beside it says. */
function closed<Args>(
  properties: Readonly<Record<string, JsonSchemaObject>>,
  required: readonly string[],
): StandardSchema<Args> {
  const schema: JsonSchemaObject = { type: 'object', properties, required, additionalProperties: false };
  return withOptionalNulls(schema) as unknown as StandardSchema<Args>;
}
