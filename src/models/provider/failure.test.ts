import { describe, expect, it } from 'vitest';
import { failures as rules } from '../openai/errors.ts';
import { failureIn, readRetryAfter, toFailure } from './failure.ts';

function facts(
  status: number,
  headers: Record<string, string> = {},
  secrets: string[] = [],
): Parameters<typeof toFailure>[1] {
  return { provider: 'openai:m', status, headers: new Headers(headers), secrets, rules };
}

describe('a status says what kind of failure it is and whether trying again can help', () => {
  it.each([
    [400, 'invalid-request', false],
    [401, 'auth', false],
    [403, 'auth', false],
    [404, 'invalid-request', false],
    [405, 'invalid-request', false],
    [408, 'timeout', true],
    [409, 'server', true],
    [413, 'invalid-request', false],
    [418, 'invalid-request', false],
    [422, 'invalid-request', false],
    [429, 'rate-limit', true],
    [500, 'server', true],
    [503, 'server', true],
    [529, 'server', true],
  ])('%d', (status, kind, retryable) => {
    expect(toFailure('{}', facts(status))).toMatchObject({ kind, retryable, status });
  });
});

describe('the message', () => {
  it.each([
    ['{"error":{"message":"no such model"}}', 'openai:m answered 400: no such model'],
    ['{"error":"no such model"}', 'openai:m answered 400: no such model'],
    ['{"message":"no such model"}', 'openai:m answered 400: no such model'],
    [
      '{"detail":[{"loc":["body","x"],"msg":"extra"}]}',
      'openai:m answered 400: [{"loc":["body","x"],"msg":"extra"}]',
    ],
    ['<html><title>Bad</title><p>Gateway</p></html>', 'openai:m answered 400: Bad Gateway'],
    ['one\ntwo', 'openai:m answered 400: one'],
    ['', 'openai:m answered 400'],
  ])('of %s is one line', (body, message) => {
    expect(toFailure(body, facts(400)).message).toBe(message);
  });
  it('holds no key and no whole page', () => {
    const body = JSON.stringify({ error: { message: `wrong key my-own-key ${'x'.repeat(5000)}` } });
    const { message } = toFailure(body, facts(401, {}, ['my-own-key']));
    expect(message).toContain('wrong key ***');
    expect(message.length).toBeLessThan(250);
  });
});

it('a redirect is refused, with the remedy and without the key', () => {
  const failure = toFailure('', facts(307, { location: 'https://user:pw@other/v1?token=abcd1234' }));
  expect(failure).toMatchObject({
    kind: 'configuration',
    retryable: false,
    hint: expect.stringContaining('baseUrl'),
  });
  expect(failure.message).toContain('to https://***@other/v1?token=***');
});

describe('an error in a body of any status', () => {
  it.each([
    [{ error: { message: 'slow down', code: 429 } }, 'rate-limit', true],
    [{ error: { message: 'slow down', code: '429' } }, 'rate-limit', true],
    [{ error: { message: 'slow down', type: 'rate_limit_error' } }, 'rate-limit', true],
    [{ error: { message: 'who?', code: 'invalid_api_key' } }, 'auth', false],
    [{ error: { message: 'busy', type: 'overloaded_error' } }, 'server', true],
    [{ error: { message: 'too long', code: 'context_length_exceeded' } }, 'invalid-request', false],
    [{ error: 'something broke' }, 'server', true],
  ])('%j', (body, kind, retryable) => {
    expect(failureIn(body, facts(200))).toMatchObject({ kind, retryable });
  });
  it('is none where there is none', () => {
    for (const body of [
      { error: null },
      { error: '' },
      { error: false },
      { error: {} },
      { choices: [] },
      null,
      'x',
      3,
    ]) {
      expect(failureIn(body, facts(200))).toBeUndefined();
    }
  });
});

describe('Retry-After', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '-3' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT', date }, 7000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT', date }, 0],
    [{ 'retry-after': 'soon' }, 1000],
    [{ 'retry-after': 'inf' }, 1000],
    [{ 'retry-after': 'NaN' }, 1000],
    [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
    [{ 'retry-after-ms': '', 'retry-after': '9' }, 9000],
    [{ 'retry-after-ms': '' }, undefined],
    [{}, undefined],
  ])('%o is %s ms', (headers, expected) => {
    expect(readRetryAfter(new Headers(headers as unknown as Record<string, string>))).toBe(expected);
  });
});
