/** How OpenAI-compatible servers word their failures. */
import { isObject } from '../../basics/json.ts';
import type { FailureRules } from '../provider/failure.ts';

export const failures: FailureRules = {
  /** Some servers send the error itself in place of an answer. */
  errorIn(body) {
    if (!isObject(body)) return undefined;
    return body['object'] === 'error' ? body : body['error'];
  },
  words: [
    [/rate_?limit|quota/i, 429],
    [/auth|api_key|permission/i, 401],
    [/overloaded|unavailable/i, 503],
    [/invalid|not_found|context_length/i, 400],
  ],
};
