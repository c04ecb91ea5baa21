/** What a configuration says once it was read and checked: the operator's side of everything that is served. */
import type { BudgetLimits } from '../../patterns/budget/budget.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import type {
  ConsensusBounds,
  MapReduceBounds,
  ReactBounds,
  RefineBounds,
  StructuredBounds,
} from '../serving/pattern-bounds.ts';
import type { PipeBounds } from '../serving/serve-pipe.ts';
import type { ServerEntry } from './server-entry.ts';

export type ApprovalRule = 'never' | 'ask' | 'deny';

/** A model as a configuration names it; `apiKey` is the key itself, out of the environment. */
export interface ModelEntry {
  /** `model` or `provider:model`. */
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

/** What an argument may be. */
export interface ArgumentRule {
  readonly within?: readonly string[];
  readonly hosts?: readonly string[];
  readonly values?: readonly unknown[];
  readonly maxLength?: number;
}

export interface ToolRule {
  readonly approval?: ApprovalRule;
  readonly timeout?: number;
  readonly pin?: Readonly<Record<string, unknown>>;
  readonly hide?: readonly string[];
  readonly arguments?: Readonly<Record<string, ArgumentRule>>;
  readonly maxCalls?: number;
  readonly describe?: string;
}

/** Which tools of one server may be used, and how. */
export interface ServerAccess {
  readonly allow: readonly string[];
  readonly readOnly?: boolean;
  readonly trustAnnotations?: boolean;
  readonly approval?: ApprovalRule;
  readonly timeout?: number;
  readonly rules?: Readonly<Record<string, ToolRule>>;
  readonly pins?: Readonly<Record<string, string>>;
  readonly onDrift?: 'block' | 'warn';
}

/** A server that may be used. */
export interface AllowedServer {
  readonly entry: ServerEntry;
  readonly access: ServerAccess;
}

/** The name of the model that a pattern asks; `undefined` stands for the one of the environment. */
interface OfModel {
  readonly model?: string | undefined;
}

export interface ConfiguredPatterns {
  readonly consensus?: ConsensusBounds & OfModel;
  readonly react_loop?: ReactBounds & OfModel & { readonly tools?: readonly string[] };
  readonly refine?: RefineBounds & OfModel;
  readonly structured?: StructuredBounds & OfModel;
  readonly map_reduce?: MapReduceBounds & OfModel;
}

export interface ConfiguredAgent extends OfModel {
  readonly description: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly tools?: readonly string[];
  readonly maxTurns?: number;
  readonly maxPrompt?: number;
  readonly maxTokens?: number;
  readonly callBudget?: BudgetLimits;
  readonly output?: JsonSchemaObject;
}

export type ConfiguredPipe = PipeBounds & OfModel;

/** A configuration that was read and found right. */
export interface ServedConfig {
  readonly name?: string;
  readonly instructions?: string;
  readonly models: Readonly<Record<string, ModelEntry>>;
  /** Those of which some tools may be used, by name. */
  readonly servers: Readonly<Record<string, AllowedServer>>;
  readonly budgets: { readonly call?: BudgetLimits; readonly process?: BudgetLimits };
  readonly patterns: ConfiguredPatterns;
  readonly agents: Readonly<Record<string, ConfiguredAgent>>;
  readonly pipes: Readonly<Record<string, ConfiguredPipe>>;
}

/** One thing that is wrong, and where. */
export interface ConfigFault {
  /** Such as `tools.files.allow[0]`; empty for the whole. */
  readonly path: string;
  /** What is wrong and how to mend it; never a value that may be secret. */
  readonly message: string;
}

export type ReadConfig =
  | { readonly ok: true; readonly config: ServedConfig }
  | { readonly ok: false; readonly errors: readonly ConfigFault[] };
