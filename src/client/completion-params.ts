/** What a client wants completed, and how that is asked for. */
import type { Params } from '../rpc/message.ts';

/** A prompt by its name, or a resource template by its text. */
export type CompletionTarget = { readonly prompt: string } | { readonly template: string };

export function completionParams(
  of: CompletionTarget,
  argument: { readonly name: string; readonly value: string },
  context: Readonly<Record<string, string>> | undefined,
): Params {
  const ref =
    'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template };
  const others = context && Object.keys(context).length > 0 ? { context: { arguments: context } } : {};
  return { ref, argument: { name: argument.name, value: argument.value }, ...others };
}
