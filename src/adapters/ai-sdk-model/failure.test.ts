import { describe, expect, it } from 'vitest';
import { ModelError } from '../../models/model-error.ts';
import { toFailure } from './failure.ts';

const apiError = (facts: Readonly<Record<string, unknown>>): Error =>
  Object.assign(new Error('said so'), { name: 'AI_APICallError', ...facts });

const named = (name: string, message = 'said so'): Error => Object.assign(new Error(message), { name });

describe('a failure of an AI SDK model', () => {
  it.each([
    [401, { kind: 'auth', retryable: false }],
    [400, { kind: 'invalid-request', retryable: false }],
    [404, { kind: 'invalid-request', retryable: false }],
    [408, { kind: 'timeout', retryable: true }],
    [429, { kind: 'rate-limit', retryable: true }],
    [500, { kind: 'server', retryable: true }],
  ])('over HTTP is told by its status: %i', (statusCode, expected) => {
    const responseBody = '{"error":{"message":"no, sk-abcdefgh12345678"}}';
    const failure = toFailure(apiError({ statusCode, responseBody }), 'ai-sdk/x:m');
    expect(failure).toMatchObject({ ...expected, status: statusCode, provider: 'ai-sdk/x:m' });
    expect(failure.message).toBe(`ai-sdk/x:m answered ${statusCode}: no, ***`);
    expect(JSON.stringify(failure)).not.toContain('sk-abcdefgh');
  });

  it('heeds how long the provider asks to wait', () => {
    const responseHeaders = { 'retry-after': '7' };
    expect(toFailure(apiError({ statusCode: 429, responseHeaders }), 'p')).toMatchObject({
      retryAfterMs: 7000,
    });
  });

  it('without a status is a matter of the connection, or what its name says', () => {
    expect(toFailure(apiError({ isRetryable: true }), 'p')).toMatchObject({
      kind: 'transport',
      retryable: true,
    });
    expect(
      toFailure(Object.assign(new TypeError('fetch failed'), { cause: new Error('reset') }), 'p'),
    ).toMatchObject({
      kind: 'transport',
      retryable: true,
    });
    for (const [name, kind, retryable] of [
      ['AI_LoadAPIKeyError', 'configuration', false],
      ['AI_UnsupportedFunctionalityError', 'invalid-request', false],
      ['AI_JSONParseError', 'decode', false],
      ['TimeoutError', 'timeout', true],
      ['Error', 'server', false],
    ] as const) {
      expect(toFailure(named(name), 'p')).toMatchObject({ kind, retryable, message: 'p failed: said so' });
    }
  });

  it('in a stream is told by the words of the provider', () => {
    for (const [told, kind, retryable] of [
      [{ type: 'overloaded_error', message: 'Overloaded' }, 'server', true],
      [{ error: { code: 'rate_limit_exceeded', message: 'slow' } }, 'rate-limit', true],
      [{ type: 'invalid_request_error', message: 'no' }, 'invalid-request', false],
      ['just words', 'server', true],
    ] as const) {
      expect(toFailure(told, 'p')).toMatchObject({ kind, retryable });
    }
    expect(toFailure(undefined, 'p')).toMatchObject({ kind: 'server', retryable: false });
  });

  it('that is one of ours already stays as it is', () => {
    const own = new ModelError('x', { kind: 'blank', provider: 'p' });
    expect(toFailure(own, 'q')).toBe(own);
  });
});
