/** How OpenAI-compatible servers word their failures. */
import type { FailureRules } from '../provider/failure.ts';

export const failures: FailureRules = {
  words: [
    [/rate_?limit|quota/i, 429],
    [/auth|api_key|permission/i, 401],
    [/overloaded|unavailable/i, 503],
    [/invalid|not_found|context_length/i, 400],
  ],
};
