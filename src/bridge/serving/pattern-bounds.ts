/** What an operator allows of each served pattern: its bounds, their defaults, and the checks of both. */
import { checkMilliseconds, checkNumber, checkText } from '../../basics/option-checks.ts';
import { sketch } from '../../basics/sketch.ts';
import type { BudgetLimits } from '../../patterns/budget/budget.ts';
import type { VotingStrategy } from '../../patterns/voting/voting.ts';
import type { Schema } from '../../schema/schema.ts';

/** What can be bounded in every pattern. */
export interface CommonBounds {
  /** Most characters of a prompt; 100,000 unless set. */
  readonly maxPrompt?: number | undefined;
  /** Most tokens of one answer of the model; sent only when set. */
  readonly maxTokens?: number | undefined;
  /** Most that one call may spend, before that of all patterns. */
  readonly callBudget?: BudgetLimits | undefined;
  /** Takes the place of what models read about the tool. */
  readonly description?: string | undefined;
}

export interface ConsensusBounds extends CommonBounds {
  /** Most answers of one call; 9 unless set. A caller that does not say how many gets 3. */
  readonly maxSamples?: number | undefined;
  /** Those that callers may choose, the first is the default; both unless set. */
  readonly strategies?: readonly VotingStrategy[] | undefined;
}

export interface ReactBounds extends CommonBounds {
  /** Most model responses of one call; 8 unless set. A caller that does not say how many gets 5. */
  readonly maxRounds?: number | undefined;
  /** Most characters of a tool's result that the model reads; 12,000 unless set. */
  readonly maxObservation?: number | undefined;
  /** Most tool calls of one round; 32 unless set. */
  readonly maxCallsPerRound?: number | undefined;
  /** Milliseconds for a tool that sets no limit itself; 30,000 unless set. */
  readonly toolTimeout?: number | undefined;
}

export interface RefineBounds extends CommonBounds {
  /** Most improvements of one call, each two model calls; 5 unless set, which is also what callers get. */
  readonly maxIterations?: number | undefined;
  /** Drafts in a row without a better score until it ends; 3 unless set. */
  readonly patience?: number | undefined;
}

/** A schema that callers choose by its name. */
export interface NamedSchema {
  readonly schema: Schema;
  /** What it is for; models choose by it. */
  readonly description?: string | undefined;
}

export interface StructuredBounds extends CommonBounds {
  /** By the names that callers choose from; at least one. */
  readonly schemas: Readonly<Record<string, NamedSchema>>;
  /** Most times that an answer is sent back to be mended; 3 unless set, which is also what callers get. */
  readonly maxRepairs?: number | undefined;
}

export interface MapReduceBounds extends CommonBounds {
  /** Most items of one call, each a model call; 50 unless set. */
  readonly maxItems?: number | undefined;
  /** Most characters of one item; 20,000 unless set. */
  readonly maxItemLength?: number | undefined;
  /** Most characters of a template; 4,000 unless set. */
  readonly maxTemplate?: number | undefined;
  /** How many items are asked about at once; 10 unless set. */
  readonly concurrency?: number | undefined;
}

/** Bounds by the name of the tool. `true` is the pattern with its usual bounds; what is left out is not served. */
export interface PatternBounds {
  readonly consensus?: ConsensusBounds | boolean | undefined;
  readonly react_loop?: ReactBounds | boolean | undefined;
  readonly refine?: RefineBounds | boolean | undefined;
  readonly structured?: StructuredBounds | false | undefined;
  readonly map_reduce?: MapReduceBounds | boolean | undefined;
}

/** The patterns that can be served, in the order in which they are offered. */
export type ServedPattern = keyof PatternBounds;

export const servedPatterns: readonly ServedPattern[] = [
  'consensus',
  'react_loop',
  'refine',
  'structured',
  'map_reduce',
];

/** The bounds of each pattern that is to be served. Throws a TypeError that names the one which cannot be used. */
export function readBounds(
  where: string,
  given: readonly ServedPattern[] | PatternBounds,
): ReadonlyMap<ServedPattern, PatternBounds[ServedPattern] & object> {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(
      `${where}: patterns must be a list of names or a record of bounds, got ${sketch(given)}`,
    );
  }
  const record = Array.isArray(given) ? Object.fromEntries(given.map(name => [name, true])) : given;
  const wanted = new Map<ServedPattern, PatternBounds[ServedPattern] & object>();
  for (const [name, bounds] of Object.entries(record as Readonly<Record<string, unknown>>)) {
    if (!isServed(name)) {
      throw new TypeError(
        `${where}: there is no pattern ${JSON.stringify(name)}; there are ${servedPatterns.join(', ')}`,
      );
    }
    if (bounds === false || bounds === undefined) continue;
    const own = bounds === true ? {} : bounds;
    checkBounds(`${where}: patterns.${name}`, own, name);
    wanted.set(name, own as PatternBounds[ServedPattern] & object);
  }
  return wanted;
}

function isServed(name: string): name is ServedPattern {
  return (servedPatterns as readonly string[]).includes(name);
}

const counts = [
  ...['maxPrompt', 'maxTokens', 'maxSamples', 'maxRounds', 'maxObservation', 'maxCallsPerRound', 'patience'],
  ...['maxItems', 'maxItemLength', 'maxTemplate', 'concurrency'],
];
const countsFromZero = ['maxIterations', 'maxRepairs'];

function checkBounds(where: string, bounds: unknown, pattern: ServedPattern): void {
  if (typeof bounds !== 'object' || bounds === null || Array.isArray(bounds)) {
    throw new TypeError(`${where} must be true or an object of bounds, got ${sketch(bounds)}`);
  }
  const given = bounds as Readonly<Record<string, unknown>>;
  for (const name of counts) checkNumber(where, name, given[name], { integer: true, min: 1 });
  for (const name of countsFromZero) checkNumber(where, name, given[name], { integer: true, min: 0 });
  checkMilliseconds(where, 'toolTimeout', given['toolTimeout']);
  if (given['description'] !== undefined) checkText(where, 'description', given['description']);
  const { strategies, schemas } = given;
  if (strategies !== undefined && !isListOfStrategies(strategies)) {
    throw new TypeError(
      `${where}: strategies must be a list of "majority" and "unanimous", got ${sketch(strategies)}`,
    );
  }
  if (pattern !== 'structured') return;
  if (typeof schemas !== 'object' || schemas === null || Object.keys(schemas).length === 0) {
    throw new TypeError(
      `${where}: schemas must be a record of at least one schema by name, such as { invoice: { schema: { … } } }; callers choose from it and never send one`,
    );
  }
}

function isListOfStrategies(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(each => each === 'majority' || each === 'unanimous')
  );
}
