import { describe, expect, it } from 'vitest';
import { namesSecret, secretPart, variableHoldsSecret } from './secret-names.ts';

describe('a name', () => {
  it.each([
    ...['API_KEY', 'token', 'githubToken', 'GITHUBTOKEN', 'OPENAI_API_KEY', 'DB_PASSWORD', 'Authorization'],
    ...['key', 'client_secret', 'auth_token', 'secret_key', 'private_key', 'passphrase', 'bearer', 'x-auth'],
    ...[
      'X-Amz-Signature',
      'sig',
      'SMTP_PASS',
      'Set-Cookie',
      'proxy-authorization',
      'credentials',
      'id_token',
    ],
  ])('%s says of a secret that it is one', name => expect(namesSecret(name)).toBe(true));

  it.each([
    ...['PATH', 'HOME', 'AUTHOR', 'TOKENIZER', 'KEYBOARD', 'MODE', 'SECRETARY', 'bypass', 'sort_key'],
    ...['progressToken', 'cancellationToken', 'nextPageToken', 'max_tokens', 'MAX_TOKENS', 'inputTokens'],
    ...['tokenCount', 'token_limit', 'usage', 'publicKey', 'signature_help'],
  ])('%s does not', name => expect(namesSecret(name)).toBe(false));
});

describe('of a value in data', () => {
  it.each([
    ...['token', 'secret', 'auth_token', 'secret_key', 'private_key', 'passphrase', 'bearer', 'x-auth'],
    ...['credentials', 'password', 'apiKey'],
  ])('all is secret under %s', name => expect(secretPart(name)).toBe('all'));

  it.each(['tokens', 'apiKeys', 'cookies', 'pass'])('a number under %s is a count', name => {
    expect(secretPart(name)).toBe('texts');
  });

  it.each([
    'key',
    'signature',
    'maxTokens',
    'inputTokens',
    'tokenizer',
    'progressToken',
    'cancellationToken',
  ])('nothing is secret under %s', name => expect(secretPart(name)).toBe('none'));
});

it.each([
  ['PWD', false],
  ['OLDPWD', false],
  ['DB_PWD', true],
  ['API_KEY', true],
  ['HOME', false],
])('the variable %s usually holds a secret: %j', (name, holds) => {
  expect(variableHoldsSecret(name)).toBe(holds);
});
