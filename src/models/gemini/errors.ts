/** How the Gemini API words its failures. */
import { isObject } from '../../basics/json.ts';
import type { FailureRules } from '../provider/failure.ts';

export const failures: FailureRules = {
  words: [
    [/RESOURCE_EXHAUSTED/, 429],
    [/UNAUTHENTICATED|PERMISSION_DENIED/, 401],
    [/NOT_FOUND/, 404],
    [/DEADLINE_EXCEEDED/, 504],
    [/UNAVAILABLE/, 503],
    [/INTERNAL|UNKNOWN/, 500],
    [/INVALID_ARGUMENT|FAILED_PRECONDITION|OUT_OF_RANGE/, 400],
  ],
  /** A wrong key is reported as a wrong argument. */
  meant: body => (isObject(body) && isAboutKey(body['error']) ? 401 : undefined),
  retryAfter: body => (isObject(body) ? retryDelay(body['error']) : undefined),
};

function isAboutKey(error: unknown): boolean {
  const details = detailsOf(error);
  if (details.some(({ reason }) => typeof reason === 'string' && reason.startsWith('API_KEY_'))) return true;
  return isObject(error) && /\bAPI key (?:not valid|not found|expired)/i.test(String(error['message']));
}

/** Milliseconds in a detail such as `{ "retryDelay": "34.4s" }`. */
function retryDelay(error: unknown): number | undefined {
  for (const { retryDelay: delay } of detailsOf(error)) {
    const [, seconds] = /^([0-9]+(?:\.[0-9]+)?)s$/.exec(String(delay)) ?? [];
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}

function detailsOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isObject(error) && Array.isArray(error['details']) ? error['details'].filter(isObject) : [];
}
