/** The families of providers whose rules for tools differ. */

import type { NameRule } from './name-rule.ts';
import type { Dialect } from './steps/dialect.ts';

/**
 * `openai-strict`: OpenAI with strict mode where the schema can be brought to it; `openai`: without; `generic`: what
 * every provider accepts.
 */
export type FamilyName = 'openai-strict' | 'openai' | 'anthropic' | 'gemini' | 'generic';

/** One way to write a schema; the first that does not refuse it is taken. */
export interface Way {
  readonly dialect: Dialect;
  /** True where the provider then holds its model to the schema. */
  readonly strict: boolean;
}

/** What a family declares; everything else is the same for all. */
export interface Family {
  readonly toolNames: NameRule;
  /** Of the tools of one request; no limit is known where it is absent. */
  readonly mostTools?: number;
  /** Characters of a tool's description; those of properties have no limit. No limit is known where it is absent. */
  readonly longestDescription?: number;
  readonly arguments: readonly Way[];
  readonly output: readonly Way[];
  /** Whether structured output must be an object. */
  readonly outputRoot: 'object' | 'any';
}
