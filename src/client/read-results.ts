/** Reads what a resource holds, what a prompt says and what completes an argument, whatever shape it came in. */
import { isObject } from '../basics/json.ts';
import type { Diagnostic } from '../channels/channel.ts';
import type { Completion, PromptMessage, ReadResult } from '../protocol/listings.ts';
import type { Params } from '../rpc/message.ts';
import type { Content, ResourceContents } from '../tools/content.ts';
import { readContent, type UnknownContent } from './call-result.ts';

type Report = (diagnostic: Diagnostic) => void;

/** What a prompt says. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage<Content | UnknownContent>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Parts without a URI get the one that was asked for. */
export function readContents(uri: string, value: Params, report: Report): ReadResult {
  const { contents } = value;
  const parts = (Array.isArray(contents) ? contents : isObject(contents) ? [contents] : []).filter(isObject);
  if (!Array.isArray(contents) || parts.length < contents.length) {
    const message = `resources/read: the contents of ${uri} are not a list of parts; ${parts.length} can be used`;
    report({ kind: 'odd-result', message });
  }
  return {
    contents: parts.map(
      part => ({ ...part, uri: typeof part['uri'] === 'string' ? part['uri'] : uri }) as ResourceContents,
    ),
    ...metaOf(value),
  };
}

/** A message with several blocks becomes several messages. */
export function readPrompt(name: string, value: Params, report: Report): PromptResult {
  const { description, messages } = value;
  if (!Array.isArray(messages)) {
    report({
      kind: 'odd-result',
      message: `prompts/get: "${name}" gave no list of messages; it counts as empty`,
    });
  }
  const read = (Array.isArray(messages) ? messages : []).flatMap((message: unknown) => {
    const { role, content } = isObject(message) ? message : { role: 'user', content: message };
    const speaker = role === 'assistant' ? ('assistant' as const) : ('user' as const);
    return readContent(content).map(block => ({ role: speaker, content: block }));
  });
  return {
    ...(typeof description === 'string' ? { description } : {}),
    messages: read,
    ...metaOf(value),
  };
}

export function readCompletion(value: Params): Completion {
  const { values, total, hasMore } = isObject(value['completion']) ? value['completion'] : {};
  return {
    values: Array.isArray(values) ? values.filter(each => typeof each === 'string') : [],
    ...(typeof total === 'number' ? { total } : {}),
    hasMore: hasMore === true,
  };
}

function metaOf({ _meta }: Params): { readonly _meta?: Params } {
  return isObject(_meta) ? { _meta } : {};
}
