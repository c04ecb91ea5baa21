/** How Anthropic words its failures. */
import type { FailureRules } from '../provider/failure.ts';

export const failures: FailureRules = {
  words: [
    [/rate_limit/i, 429],
    [/overloaded/i, 529],
    [/timeout/i, 504],
    [/authentication/i, 401],
    [/permission/i, 403],
    [/billing/i, 402],
    [/too_large/i, 413],
    [/not_found/i, 404],
    [/conflict/i, 409],
    [/invalid|precondition/i, 400],
    [/api_error/i, 500],
  ],
};
