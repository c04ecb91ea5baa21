/** How the responses endpoint words its failures. */
import { isObject } from '../../basics/json.ts';
import type { FailureRules } from '../provider/failure.ts';

export const failures: FailureRules = {
  words: [
    [/rate_?limit|quota/i, 429],
    [/auth|api_key|permission/i, 401],
    [/server_error|overloaded|unavailable|timeout/i, 503],
    [/invalid|not_found|context_length|policy|image|unsupported|mismatch/i, 400],
  ],
  errorIn(body) {
    if (!isObject(body)) return undefined;
    if (body['type'] === 'error') return body['error'] ?? body;
    const { response, type, status } = body;
    const inner = type === 'response.failed' && isObject(response) ? response : body;
    const failed = type === 'response.failed' || status === 'failed';
    return (
      inner['error'] ?? (failed ? { message: 'the response failed, and it does not say why' } : undefined)
    );
  },
};
