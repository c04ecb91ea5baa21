/** The contract of a model: one verb that always answers with a stream of parts; nothing of any provider. */
import type { Content } from '../tools/content.ts';

/**
 * Tokens and dispatched requests. Each is finite and at least 0 (agents and patterns refuse others with a ModelError of
 * kind `decode`); `requests` counts failed attempts too.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requests: number;
  /** How many of `inputTokens` were read from the provider's cache, when it says so. */
  readonly cachedInputTokens?: number;
  /** How many of `outputTokens` were spent on reasoning, when the provider says so. */
  readonly reasoningTokens?: number;
}

/** A tool call as the model wrote it; `arguments` is the raw JSON text, perhaps malformed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly Content[];
}

/**
 * What a provider wants to be given back word for word with the next request, such as signed reasoning between calls.
 * Only that provider may read it; every other one builds the turn from the message itself.
 */
export interface Replay {
  /** The first word of the model's name, such as `anthropic`. */
  readonly provider: string;
  /** The whole turn in the provider's own JSON. */
  readonly items: readonly unknown[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  /** For people; it is not sent. */
  readonly reasoning?: string;
  readonly replay?: Replay;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string | readonly Content[];
  /** Structured data of the result, kept for whoever reads the transcript; what the model reads is `content`. */
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** JSON-safe; extra members are kept and ignored. */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A tool as it is shown to a model. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** `required`: at least one call; an object: a call of that tool. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** One request. Temperature and token limits are sent only when set. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolSpec[];
  /** Whether and which tools must be called; `auto` unless set. Says nothing when there are no tools. */
  readonly toolChoice?: ToolChoice;
  readonly temperature?: number;
  /** Most tokens to generate. */
  readonly maxTokens?: number;
  /** Asks for JSON that fits the schema, where the provider can. */
  readonly output?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other';

/** What a response is made of, in order. A provider that cannot stream yields each part once, whole. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** `index` numbers the calls of this response from 0. */
  | { readonly type: 'tool-call-start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly index: number; readonly arguments: string }
  /** The turn as the provider wants it back; only when text and calls alone would not do. Comes once, near the end. */
  | { readonly type: 'replay'; readonly replay: Replay }
  /** Something worth knowing that changed nothing, such as an option the model refused. */
  | { readonly type: 'note'; readonly code: string; readonly message: string }
  /** What this call to `respond` used in all, failed attempts included; the last one counts. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason };

export interface RespondOptions {
  readonly signal?: AbortSignal;
  /** Called at once before each dispatch, first try and retries alike; it may throw to forbid it. */
  readonly onAttempt?: (attempt: { readonly model: string; readonly number: number }) => void;
}

/** A model. Iterating to the end, or stopping early, frees everything; errors are thrown while iterating. */
export interface Model {
  /** Provider and model, for people. */
  readonly name: string;
  respond(request: ModelRequest, options?: RespondOptions): AsyncIterable<Part>;
}

/** No tokens, no requests. */
export const noUsage: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, requests: 0 });

/** The sum; what neither tells stays untold. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cached = addTold(a.cachedInputTokens, b.cachedInputTokens);
  const reasoning = addTold(a.reasoningTokens, b.reasoningTokens);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    requests: a.requests + b.requests,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}

function addTold(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
