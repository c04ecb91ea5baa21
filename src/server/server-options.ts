/** What a server is made of. */
import type { Clock } from '../basics/clock.ts';
import type { Tracer } from '../basics/trace.ts';
import type { StateOptions } from '../eras/index.ts';
import type { Extension } from '../protocol/extension.ts';
import type { ImplementationInfo } from '../tools/context.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { FreshnessHints } from './offer.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';

export interface ServerOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends ImplementationInfo {
  /** How to use the server, for a model to read. */
  readonly instructions?: string | undefined;
  readonly tools?: Tools | undefined;
  readonly resources?: readonly Resource[] | undefined;
  readonly prompts?: readonly Prompt[] | undefined;
  readonly extensions?: readonly Extension[] | undefined;
  /** How the rounds of a call that asks are remembered between requests. */
  readonly state?: StateOptions | undefined;
  /** Entries of a list per page; 1,000. */
  readonly pageSize?: number | undefined;
  /** How long clients may keep lists and what resources hold; stale at once by default. */
  readonly freshness?: FreshnessHints | undefined;
  /** Begins a span for each call; nothing is traced without one. */
  readonly tracer?: Tracer | undefined;
  /** Answers what a tool throws unexpectedly with a reference instead of its message; false by default. */
  readonly maskErrors?: boolean | undefined;
  /** Takes the details of failures that callers see only a line of; they go to stderr by default. */
  readonly onFault?: ((message: string, cause: unknown) => void) | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** What a server offers, by kind. */
export interface Offered {
  readonly tools?: readonly AnyTool[] | undefined;
  readonly resources?: readonly Resource[] | undefined;
  readonly prompts?: readonly Prompt[] | undefined;
}
