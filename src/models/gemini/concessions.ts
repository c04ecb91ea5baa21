/** What some models of Gemini, or servers in front of them, refuse, and what is sent in its place. */
import { isObject } from '../../basics/json.ts';
import type { Concession } from '../provider/concessions.ts';
import type { Body } from '../provider/provider.ts';
import type { GeminiBody, RequestContent, RequestPart } from './request.ts';
import { replaceSignatures, signCalls } from './signatures.ts';

export const concessions: readonly Concession[] = [
  {
    code: 'schema-beside-tools-dropped',
    blames:
      /response mime type.*unsupported|(?:tool use|function calling).*controlled generation|controlled generation.*\btools?\b/i,
    member: 'generationConfig',
    note: 'the model takes no output schema beside tools; the schema is left out where there are tools, and the answer is only checked here',
    change: body => ('tools' in body ? withoutFormat(body) : body),
  },
  {
    code: 'response-schema-dropped',
    blames: /response_?(?:json_?)?schema|too many states/i,
    member: 'generationConfig',
    note: 'the server refuses the output schema; the answer is JSON of any shape, and only checked here',
    change: body => withoutMembers(body, ['responseSchema']),
  },
  {
    code: 'tool-media-dropped',
    blames: /multimodal function response/i,
    member: 'contents',
    note: 'the model takes no media in tool results; it is told their types and handles',
    change: body => withParts(body, withoutMedia),
  },
  {
    code: 'calls-signed',
    blames: /missing a\W*thought.?signature/i,
    member: 'contents',
    note: 'the model wants a signature on calls that it did not make; one stands in',
    change: body => withContents(body, signCalls),
  },
  {
    code: 'signatures-replaced',
    blames: /(?:corrupted|invalid) thought.?signature|thought.?signature is (?:not valid|invalid)/i,
    member: 'contents',
    note: 'the model does not know the signatures of earlier turns; it cannot go on from the thoughts behind them',
    change: body => withContents(body, replaceSignatures),
  },
  {
    code: 'call-ids-dropped',
    blames: /unknown name "id"/i,
    member: 'contents',
    note: 'the server knows no ids of calls; results are told apart by their order',
    change: body => withParts(body, withoutId),
  },
];

function withoutFormat(body: Body): Body {
  return withoutMembers(body, ['responseSchema', 'responseMimeType']);
}

/** An empty `generationConfig` is left out. */
function withoutMembers(body: Body, members: readonly string[]): Body {
  const { generationConfig, ...rest } = body;
  if (!isObject(generationConfig)) return body;
  const kept = Object.entries(generationConfig).filter(([name]) => !members.includes(name));
  return kept.length === 0 ? rest : { ...rest, generationConfig: Object.fromEntries(kept) };
}

type Contents = readonly RequestContent[];

function withContents(body: Body, change: (contents: Contents) => Contents): Body {
  const { contents } = body as GeminiBody;
  return { ...body, contents: change(contents) };
}

function withParts(body: Body, change: (part: RequestPart) => RequestPart): Body {
  return withContents(body, contents =>
    contents.map(({ role, parts }) => ({ role, parts: parts.map(change) })),
  );
}

function withoutMedia(part: RequestPart): RequestPart {
  if (!('functionResponse' in part)) return part;
  const { parts: _, ...functionResponse } = part.functionResponse;
  return { ...part, functionResponse };
}

function withoutId(part: RequestPart): RequestPart {
  if ('functionResponse' in part) {
    const { id: _, ...functionResponse } = part.functionResponse;
    return { ...part, functionResponse };
  }
  if (!('functionCall' in part)) return part;
  const { id: _, ...functionCall } = part.functionCall;
  return { ...part, functionCall };
}
