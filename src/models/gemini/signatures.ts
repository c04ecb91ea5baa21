/** The signatures by which Gemini goes on from its own thoughts, and what stands in where a call has none; pure. */
import { addParts } from './join.ts';
import type { RequestContent, RequestPart } from './request.ts';

/** Documented for calls that the model did not make itself, such as those of another provider's model. */
const standIn = 'skip_thought_signature_validator';

/**
 * Signs the first call of every turn of the model that has no signature on it, as Gemini 3 and later demand. Calls beside
 * the first carry none.
 */
export function signCalls(contents: readonly RequestContent[]): readonly RequestContent[] {
  return contents.map(content => {
    const at = content.parts.findIndex(part => 'functionCall' in part);
    const call = content.parts[at];
    if (content.role !== 'model' || call === undefined || isSigned(call)) return content;
    return { ...content, parts: content.parts.with(at, { ...call, thoughtSignature: standIn }) };
  });
}

/** Leaves out every signature, for a model that does not know those of another; calls are signed anew. */
export function replaceSignatures(contents: readonly RequestContent[]): readonly RequestContent[] {
  const unsigned: RequestContent[] = [];
  for (const { role, parts } of contents) addParts(unsigned, role, parts.map(withoutSignature));
  return signCalls(unsigned);
}

function isSigned(part: RequestPart): boolean {
  return 'thoughtSignature' in part && typeof part.thoughtSignature === 'string';
}

function withoutSignature(part: RequestPart): RequestPart {
  if (!('thoughtSignature' in part)) return part;
  const { thoughtSignature: _, ...rest } = part;
  return rest;
}
