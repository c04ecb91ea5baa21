import { describe, expect, it } from 'vitest';
import { excerpt, redact } from './redact.ts';

describe('secrets are masked', () => {
  it.each([
    ['bad key sk-proj-abcdEFGH12345678 given', 'bad key *** given'],
    ['ghp_abcdefghijklmnop1234', '***'],
    ['AKIAABCDEFGHIJKLMNOP', '***'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----\nrest', '***\nrest'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', '***'],
    ['Authorization: Bearer abc.def-123', 'Authorization: ***'],
    ['sent "authorization": "Basic dXNlcjpwYXNz"', 'sent "authorization": "***"'],
    ['Bearer eyJhbGciOi.eyJzdWIiOi.sig', 'Bearer ***'],
    ['token: hunter22', 'token: ***'],
    ['token=hunter22&x=1', 'token=***&x=1'],
    ['{"api_key": "hunter22", "n": 1}', '{"api_key": "***", "n": 1}'],
    ["password = 'hunter22'", "password = '***'"],
    ['x-api-key: abcd1234', 'x-api-key: ***'],
    ['{"secret_key":"hunter22","passphrase":"open it"}', '{"secret_key":"***","passphrase":"*** it"}'],
    ['https://host/a?sig=ab%2B1&se=2', 'https://host/a?sig=***&se=2'],
    ['https://host/a?key=abc', 'https://host/a?key=***'],
    ['https://user:hunter22@host/path', 'https://***@host/path'],
  ])('%s', (text, masked) => {
    expect(redact(text)).toBe(masked);
  });
  it('where they are known, whatever their shape, also as part of a URL', () => {
    expect(redact('key "my+key" in ?k=my%2Bkey', ['my+key'])).toBe('key "***" in ?k=***');
  });
  it('where they are known, also inside of JSON, and whatever signs they hold', () => {
    expect(redact(JSON.stringify({ at: 'a"b\nc' }), ['a"b\nc'])).toBe('{"at":"***"}');
    expect(redact('half \ud800abc', ['\ud800abc'])).toBe('half ***');
  });
  it('but not when they are placeholders of a few letters', () => {
    expect(redact('no model named x', ['x', 'no'])).toBe('no model named x');
  });
});

describe('prose is left alone', () => {
  it.each([
    'the secret sauce is time',
    'a bearer of bad news',
    'Bearer authentication is required',
    'basic arithmetic',
    'the token limit was reached after 4096 tokens',
    'Unexpected token < in JSON at position 0',
    'tokens: 4096',
    'maxToken: 4096',
    '{"progressToken":"abcd-1"}',
    'https://host/a?keys=1&next_page_token=abcd',
    'key=value',
    'OAuth: required',
    'ask-me-anything',
    'our secretary: Bob',
  ])('%s', text => {
    expect(redact(text)).toBe(text);
  });
});

describe('an excerpt', () => {
  it('is the first line that says something, tidy and cut', () => {
    expect(excerpt('\n\n  a  b\nc')).toBe('a b');
    expect(excerpt('x'.repeat(500))).toHaveLength(200);
    expect(excerpt('')).toBe('');
  });
  it('of a page has no tags, styles or scripts', () => {
    const page =
      '<html><head><style>b{}</style><script>var a = "<b>";</script></head><body><h1>Bad gateway</h1></body>';
    expect(excerpt(page)).toBe('Bad gateway');
  });
  it('is masked before it is cut', () => {
    expect(excerpt(`${'x'.repeat(190)} sk-abcdefgh12345678`)).not.toContain('sk-a');
  });
  it('takes time linear in the length of hostile text', () => {
    for (const unit of [
      '<',
      '<script>',
      'token:',
      '://',
      'bearer ',
      'authorization ',
      'eyJ',
      '"token" :',
      '?key=',
      '&a',
    ]) {
      expect(excerpt(unit.repeat(200_000)).length).toBeLessThanOrEqual(200);
    }
  });
});
