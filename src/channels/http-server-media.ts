/** What the body of a request is said to be: the media type parsed, not compared as text. */
import { splitList } from './http-server-accept.ts';

/** Why a body of this type is not read; nothing for JSON in UTF-8. */
export function mediaFault(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): string | undefined {
  // What nearly everybody sends.
  if (contentType === 'application/json' && contentEncoding === undefined) return undefined;
  if (contentType === undefined) return 'Content-Type is missing; send Content-Type: application/json';
  const [essence = '', ...parameters] = splitList(contentType, ';');
  if (essence.trim().toLowerCase() !== 'application/json') {
    const shown = JSON.stringify(contentType.slice(0, 100));
    return `Content-Type ${shown} is not read here; send Content-Type: application/json`;
  }
  for (const parameter of parameters) {
    const [, charset] = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter) ?? [];
    if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
      return `the charset ${JSON.stringify(charset.slice(0, 40))} is not read here; send UTF-8`;
    }
  }
  if (contentEncoding !== undefined && !/^\s*(identity)?\s*$/i.test(contentEncoding)) {
    const shown = JSON.stringify(contentEncoding.slice(0, 40));
    return `Content-Encoding ${shown} is not read here; send the body as it is`;
  }
  return undefined;
}
