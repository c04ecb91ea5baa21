/** A tool as the OpenAI Agents SDK has it: the plain object that its `tool()` makes. */
import type { ProjectedTool } from '../../projection/projection.ts';
import type { AgentsOutput } from './results.ts';

/** What `invoke` is told of the call. */
export interface InvokeDetails {
  readonly toolCall?: { readonly callId: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** JSON Schema of an object, in the narrower words of the SDK. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Record<string, never>;
  readonly required: string[];
  readonly additionalProperties: boolean;
}

export interface AgentsTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly strict: boolean;
  readonly invoke: (
    context: unknown,
    input: string,
    details?: InvokeDetails,
  ) => Promise<string | AgentsOutput[]>;
  readonly needsApproval: (context: unknown, input: unknown, callId?: string) => Promise<boolean>;
  readonly isEnabled: () => Promise<boolean>;
}

/** The description of a tool; what runs comes with the calls. */
export function toDefinition({
  name,
  description,
  parameters,
  strict,
}: ProjectedTool): Omit<AgentsTool, 'invoke' | 'needsApproval'> {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters as unknown as ObjectSchema,
    strict,
    isEnabled: () => Promise.resolve(true),
  };
}
