/** Tools as OpenAI's two endpoints take them: chat completions and responses. */
import type { ProjectedTool } from './projection.ts';

/** A tool of `chat.completions.create`. */
export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    /** Set where the schema fits strict mode. */
    readonly strict?: true;
  };
}

/** A tool of `responses.create`. */
export interface ResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly strict: boolean;
}

export function toChatTool({ name, description, parameters, strict }: ProjectedTool): ChatTool {
  return {
    type: 'function',
    function: { name, description, parameters, ...(strict ? { strict: true } : {}) },
  };
}

export function toResponsesTool({ name, description, parameters, strict }: ProjectedTool): ResponsesTool {
  return { type: 'function', name, description, parameters, strict };
}
