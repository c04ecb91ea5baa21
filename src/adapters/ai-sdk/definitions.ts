/** A tool as the AI SDK has it: a schema that its `asSchema` takes, and the functions that `generateText` calls. */
import type { ProjectedTool } from '../../projection/projection.ts';
import type { CallResult } from '../calls/run-call.ts';
import type { ModelOutput, SdkVersion } from './results.ts';

/** The mark by which every version of the AI SDK knows its schemas. */
const schemaMark: symbol = Symbol.for('vercel.ai.schema');

/**
 * A schema of the AI SDK. Its mark has a type that cannot be named without the package, so it is typed as what each
 * version takes beside it: from 6 a Standard Schema that tells its JSON Schema, in 5 a function that gives a schema.
 */
export interface SchemaOf {
  readonly 5: () => never;
  readonly 6: StandardJsonSchema;
  readonly 7: StandardJsonSchema;
}

interface StandardJsonSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'tenon';
    readonly validate: (value: unknown) => { readonly value: never };
    readonly jsonSchema: Readonly<Record<'input' | 'output', () => Record<string, unknown>>>;
  };
}

/** What `execute` is told beside the arguments. */
export interface ExecuteOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

export interface AiSdkTool<Version extends SdkVersion = 7> {
  readonly description: string;
  readonly inputSchema: SchemaOf[Version];
  /** Set where the schema fits the strict mode of its family. */
  readonly strict?: true;
  /** Whether the SDK asks before a call; version 5 cannot. */
  readonly needsApproval?: (input: unknown, options: ExecuteOptions) => Promise<boolean>;
  readonly execute: (input: unknown, options: ExecuteOptions) => Promise<CallResult>;
  readonly toModelOutput: (given: unknown) => ModelOutput[Version];
}

/** The schema; the AI SDK is not given a validator, as calls are checked by the tool's own schema when they run. */
export function toSchema<Version extends SdkVersion>(
  { parameters }: ProjectedTool,
  version: Version,
): SchemaOf[Version] {
  const show = (): Record<string, unknown> => structuredClone(parameters) as Record<string, unknown>;
  const schema = {
    [schemaMark]: true,
    _type: undefined,
    jsonSchema: parameters,
    validate: undefined,
    '~standard': {
      version: 1,
      vendor: 'tenon',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: show, output: show },
    },
  };
  return (version === 5 ? () => schema : schema) as unknown as SchemaOf[Version];
}
