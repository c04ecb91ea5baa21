/** How parts become contents: nothing blank, and one content for whoever speaks several times in a row; pure. */
import type { RequestContent, RequestPart } from './request.ts';

/** Adds what somebody says. Answers to calls stay alone in their content, since parts beside them fail a request. */
export function addParts(
  contents: RequestContent[],
  role: RequestContent['role'],
  parts: readonly RequestPart[],
): void {
  const said = parts.filter(part => !isBlank(part));
  if (said.length === 0) return;
  const last = contents.at(-1);
  if (last === undefined || last.role !== role || isAnswers(last)) contents.push({ role, parts: said });
  else contents[contents.length - 1] = { role, parts: [...last.parts, ...said] };
}

function isAnswers({ parts }: RequestContent): boolean {
  return parts.some(part => 'functionResponse' in part);
}

/** Empty text is refused, except that a signature may stand on it. */
function isBlank(part: RequestPart): boolean {
  const isSigned = 'thoughtSignature' in part && typeof part.thoughtSignature === 'string';
  return !isSigned && (Object.keys(part).length === 0 || ('text' in part && part.text === ''));
}
