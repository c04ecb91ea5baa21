/** Our messages as the contents of a request, by the API's rules of who speaks after whom; pure. */
import type { Projection } from '../../projection/projection.ts';
import type { ModelMessage, ToolMessage } from '../model.ts';
import { addParts } from './join.ts';
import { toPromptParts, toResultParts } from './media.ts';
import type { RequestContent, RequestPart, ResponsePart } from './request.ts';
import { type OpenCall, toTurn } from './turn.ts';

/** Stands where somebody must speak first and nobody did. */
const silence: RequestContent = { role: 'user', parts: [{ text: '(no message)' }] };
const unanswered = 'This call was not answered.';

export interface ContentsOptions {
  readonly projection: Projection;
  /** Whether tool results may hold media. */
  readonly takesMedia: boolean;
}

/**
 * A user begins, nothing is empty, and whoever speaks twice in a row speaks once. Calls are answered right after they were
 * made, each once, in their order, by a content that holds nothing else; the words of a user that follow answers are a
 * content of their own. Results of calls that are not there are words of a user.
 */
export function toContents(
  messages: readonly ModelMessage[],
  options: ContentsOptions,
): readonly RequestContent[] {
  const contents: RequestContent[] = [];
  const used = new Set<number>();
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user') addParts(contents, 'user', toPromptParts(message.content));
    if (message.role === 'tool' && !used.has(at)) addParts(contents, 'user', toStray(message));
    if (message.role !== 'assistant') continue;
    const { parts, calls } = toTurn(message, options.projection);
    addParts(contents, 'model', parts);
    if (calls.length === 0) continue;
    const answers = calls.map(call => toAnswer(call, takeResult(call, messages, at, used), options));
    contents.push({ role: 'user', parts: answers });
  }
  return contents[0]?.role === 'user' ? contents : [silence, ...contents];
}

/** The first result that answers no other call; only up to the next turn of the model, since ids may come again. */
function takeResult(
  { callId }: OpenCall,
  messages: readonly ModelMessage[],
  turn: number,
  used: Set<number>,
): ToolMessage | undefined {
  for (let at = turn + 1; at < messages.length; at += 1) {
    const message = messages[at];
    if (message?.role === 'assistant') return undefined;
    if (message?.role !== 'tool' || message.toolCallId !== callId || used.has(at)) continue;
    used.add(at);
    return message;
  }
  return undefined;
}

function toAnswer(
  { callId, ...call }: OpenCall,
  result: ToolMessage | undefined,
  { takesMedia }: ContentsOptions,
): ResponsePart {
  if (result === undefined) return { functionResponse: { ...call, response: { error: unanswered } } };
  const { text, blobs } = toResultParts(result.content, callId, takesMedia);
  return {
    functionResponse: {
      ...call,
      response: result.isError === true ? { error: text } : { output: text },
      ...(blobs.length === 0 ? {} : { parts: blobs }),
    },
  };
}

function toStray({ toolName, toolCallId, content }: ToolMessage): readonly RequestPart[] {
  const { text } = toResultParts(content, toolCallId, false);
  return [{ text: `[result of ${toolName}, whose call is not shown]\n${text}` }];
}
