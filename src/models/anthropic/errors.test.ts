import type { ErrorType } from '@anthropic-ai/sdk/resources/shared';
import { describe, expect, it } from 'vitest';
import { failureIn, toFailure } from '../provider/failure.ts';
import { failures } from './errors.ts';
import { failure } from './fixtures/replies.ts';

const facts = (status: number, headers: Record<string, string> = {}): Parameters<typeof failureIn>[1] => ({
  provider: 'anthropic:m',
  status,
  headers: new Headers(headers),
  secrets: [],
  rules: failures,
});

/** Every type of error that the vendor declares, and one that only comes with its status. */
const types: Record<
  ErrorType | 'request_too_large',
  readonly [kind: string, retryable: boolean, status: number]
> = {
  invalid_request_error: ['invalid-request', false, 400],
  authentication_error: ['auth', false, 401],
  billing_error: ['invalid-request', false, 402],
  permission_error: ['auth', false, 403],
  not_found_error: ['invalid-request', false, 404],
  request_too_large: ['invalid-request', false, 413],
  rate_limit_error: ['rate-limit', true, 429],
  timeout_error: ['server', true, 504],
  api_error: ['server', true, 500],
  overloaded_error: ['server', true, 529],
  conflict_error: ['server', true, 409],
  memory_path_conflict_error: ['server', true, 409],
  memory_precondition_failed_error: ['invalid-request', false, 400],
};

describe('an error in the middle of a stream', () => {
  it.each(Object.entries(types))('%s is what its status would be', (type, [kind, retryable, status]) => {
    const found = failureIn(failure(type), facts(200));
    expect(found).toMatchObject({ kind, retryable, status });
    expect(found?.message).toBe(`anthropic:m reports an error ${status}: it says why`);
  });
  it('of a type that is not known yet is a fault of the server', () => {
    expect(failureIn(failure('new_error'), facts(200))).toMatchObject({ kind: 'server', retryable: true });
  });
});

it.each([
  [429, 'rate_limit_error', { 'retry-after': '12' }, { kind: 'rate-limit', retryAfterMs: 12_000 }],
  [529, 'overloaded_error', {}, { kind: 'server', retryable: true, status: 529 }],
  [413, 'request_too_large', {}, { kind: 'invalid-request', retryable: false }],
  [403, 'permission_error', {}, { kind: 'auth', retryable: false }],
])('the status %d of %s counts', (status, type, headers, expected) => {
  const found = toFailure(JSON.stringify(failure(type)), facts(status, headers as Record<string, string>));
  expect(found).toMatchObject(expected);
  expect(found.message).toBe(`anthropic:m answered ${status}: it says why`);
});
