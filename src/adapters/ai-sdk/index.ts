/** Tools for the AI SDK (`ai` 5 to 7): what `generateText`, `streamText` and its agents take as `tools`. */
import { isObject } from '../../basics/json.ts';
import { sketch } from '../../basics/sketch.ts';
import type { AdapterOptions, Tools } from '../calls/adapter-options.ts';
import { makeCallable } from '../calls/callable-tools.ts';
import { isImage, isPdf } from '../calls/pieces.ts';
import type { CallResult } from '../calls/run-call.ts';
import { type AiSdkTool, toSchema } from './definitions.ts';
import { isSdkVersion, type SdkVersion, toModelOutput } from './results.ts';

export interface AiSdkOptions<Version extends SdkVersion = 7> extends AdapterOptions {
  /** The major version of the package `ai`; 7 unless set. */
  readonly version?: Version | undefined;
}

const defaults = {
  name: 'toAiSdkTools',
  family: 'generic',
  shows: (mimeType: string): boolean => isImage(mimeType) || isPdf(mimeType),
} as const;

/**
 * The tools by name. `execute` gives the whole result; the model reads images and PDFs as parts, other media as a line
 * of text, and a failure that it can mend as an error. Every other failure is thrown, which the AI SDK keeps as a
 * `tool-error`. The SDK asks before a call that needs approval, from version 6 on, unless `approve` decides.
 * Names and schemas follow what every provider accepts, as the model is not known (`family`).
 */
export async function toAiSdkTools<Version extends SdkVersion = 7>(
  tools: Tools,
  options: AiSdkOptions<Version> = {},
): Promise<Record<string, AiSdkTool<Version>>> {
  const version = (options.version ?? 7) as Version;
  if (!isSdkVersion(version)) {
    throw new TypeError(`toAiSdkTools: version must be 5, 6 or 7, got ${sketch(version)}`);
  }
  const callable = await makeCallable(tools, options, defaults);
  // Version 5 does not say which call a result is of.
  const callIds = new WeakMap<object, string>();
  const entries = callable.definitions.map((definition): readonly [string, AiSdkTool<Version>] => {
    const { name, description, strict } = definition;
    const asks = version === 5 ? undefined : callable.asksBefore(name);
    return [
      name,
      {
        description,
        inputSchema: toSchema(definition, version),
        ...(strict ? { strict: true } : {}),
        ...(asks === undefined
          ? {}
          : { needsApproval: (input, { toolCallId }) => asks({ id: toolCallId, input }) }),
        execute: async (input, { toolCallId: id, abortSignal: signal }) => {
          const result = await callable.run({ id, name, input, signal });
          callIds.set(result, id);
          return result;
        },
        toModelOutput: given => {
          const { output, toolCallId } = readGiven(given);
          const id = toolCallId ?? callIds.get(output) ?? 'result';
          return toModelOutput(output, id, callable.shows, version);
        },
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** Version 5 gives the output alone, later ones an object that holds it; it may have been stored meanwhile. */
function readGiven(given: unknown): { readonly output: CallResult; readonly toolCallId: string | undefined } {
  const wrapped = isObject(given) && 'output' in given;
  const output = wrapped ? given['output'] : given;
  const toolCallId = wrapped && typeof given['toolCallId'] === 'string' ? given['toolCallId'] : undefined;
  if (isObject(output) && Array.isArray(output['content'])) {
    return { output: output as unknown as CallResult, toolCallId };
  }
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return { output: { content: [{ type: 'text', text }], isError: false }, toolCallId };
}
