import { expect, it } from 'vitest';
import { failureIn } from '../provider/failure.ts';
import { failures as rules } from './errors.ts';

const facts = { provider: 'p', status: 200, headers: new Headers(), secrets: [], rules };
const silent = 'p reports an error: the response failed, and it does not say why';

it.each([
  [{ type: 'response.failed', response: { status: 'failed', error: null } }, 'server', silent],
  [{ object: 'response', status: 'failed', error: null, output: [] }, 'server', silent],
  [
    { object: 'response', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow' } },
    'rate-limit',
    'p reports an error 429: slow',
  ],
  [
    { type: 'error', code: 'rate_limit_exceeded', message: 'slow' },
    'rate-limit',
    'p reports an error 429: slow',
  ],
])('%j is a failure', (body, kind, message) => {
  expect(failureIn(body, facts)).toMatchObject({ kind, message });
});

it('a response without an error is none', () => {
  expect(failureIn({ object: 'response', status: 'completed', error: null }, facts)).toBeUndefined();
});
