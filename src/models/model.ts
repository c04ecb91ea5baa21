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

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string | readonly Content[];
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

/** One request. Temperature and token limits are sent only when set. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolSpec[];
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

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    requests: a.requests + b.requests,
  };
}
