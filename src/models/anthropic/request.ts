/** The JSON of a request as the Messages API takes it: the part of it that we write, checked against the vendor's types. */

/** What one request sends. */
export interface MessagesBody {
  readonly model: string;
  /** There is no request without it. */
  readonly max_tokens: number;
  readonly messages: readonly Turn[];
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly ToolDeclaration[];
  readonly tool_choice?: Choice;
  readonly temperature?: number;
  readonly thinking?: ThinkingSetting;
  readonly output_config?: OutputConfig;
  readonly stream?: boolean;
}

/** Turns of users and models take turns, a user's first. */
export type Turn = UserTurn | AssistantTurn;

export interface UserTurn {
  readonly role: 'user';
  readonly content: readonly UserBlock[];
}

export interface AssistantTurn {
  readonly role: 'assistant';
  readonly content: readonly AssistantBlock[];
}

export type UserBlock = MediaBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ThoughtBlock | ToolUseBlock;

/** What users and tools can show. */
export type MediaBlock = TextBlock | ImageBlock | DocumentBlock;

/** Ends a part of the request that the provider should keep ready for the next one. */
export interface CacheMark {
  readonly type: 'ephemeral';
}

interface Markable {
  readonly cache_control?: CacheMark;
}

export interface TextBlock extends Markable {
  readonly type: 'text';
  readonly text: string;
}

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

export interface ImageBlock extends Markable {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string };
}

export interface DocumentBlock extends Markable {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string };
  readonly title?: string;
}

export interface ToolResultBlock extends Markable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: readonly MediaBlock[];
  readonly is_error?: boolean;
}

export interface ToolUseBlock extends Markable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Signed or sealed; only ever sent as it was received. */
export type ThoughtBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

export interface ToolDeclaration extends Markable {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
}

export type Choice =
  | { readonly type: 'auto' }
  | { readonly type: 'any' }
  | { readonly type: 'none' }
  | { readonly type: 'tool'; readonly name: string };

export type ThinkingSetting =
  | { readonly type: 'adaptive' }
  | { readonly type: 'disabled' }
  | { readonly type: 'enabled'; readonly budget_tokens: number };

export interface OutputConfig {
  readonly format: { readonly type: 'json_schema'; readonly schema: Readonly<Record<string, unknown>> };
}
