import { describe, expect, it } from 'vitest';
import { collect } from './collect.ts';
import { modelFromEnvironment, readModelName } from './environment.ts';
import type { ModelError } from './model-error.ts';

async function failure(environment: Record<string, string | undefined>): Promise<ModelError> {
  return modelFromEnvironment(environment).then(
    () => expect.fail('there is a model'),
    (error: ModelError) => error,
  );
}

describe('a model from the environment', () => {
  it('uses address, model and key', async () => {
    const sent: { url: unknown; init: RequestInit | undefined }[] = [];
    const fetch = (async (url: unknown, init?: RequestInit) => {
      sent.push({ url, init });
      return new Response('{"choices":[{"message":{"content":"hi"}}]}');
    }) as typeof globalThis.fetch;
    const environment = { TENON_BASE_URL: 'http://host/v1', TENON_MODEL: 'qwen3:8b', TENON_API_KEY: 'key-1' };
    const model = await modelFromEnvironment(environment, { fetch });
    expect(model.name).toBe('openai:qwen3:8b');
    expect((await collect(model.respond({ messages: [] }))).text).toBe('hi');
    expect(sent[0]).toMatchObject({
      url: 'http://host/v1/chat/completions',
      init: { headers: { authorization: 'Bearer key-1' } },
    });
  });
  it.each(['openai-responses:gpt-x', 'gemini:gemini-3-flash', 'anthropic:claude-opus-5'])(
    'needs no address for %s, whose provider has one',
    async TENON_MODEL => {
      expect((await modelFromEnvironment({ TENON_MODEL })).name).toBe(TENON_MODEL);
    },
  );
  it.each([
    [{}, /TENON_BASE_URL and TENON_MODEL are not set/],
    [{ TENON_MODEL: 'm', TENON_BASE_URL: ' ' }, /TENON_BASE_URL is not set/],
    [{ TENON_BASE_URL: 'http://host' }, /TENON_MODEL is not set/],
    [{ TENON_BASE_URL: 'http://host', TENON_MODEL: 'openai:' }, /TENON_MODEL names a provider but no model/],
    [{ TENON_MODEL: 'anthropic:x', TENON_API_KEY: 'a\nb' }, /^TENON_API_KEY/],
    [{ TENON_MODEL: 'openai-responses:' }, /TENON_MODEL names a provider but no model/],
    [{ TENON_BASE_URL: 'host', TENON_MODEL: 'm' }, /^TENON_BASE_URL is not a URL/],
    [{ TENON_BASE_URL: 'ftp://host', TENON_MODEL: 'm' }, /^TENON_BASE_URL must begin with http/],
    [{ TENON_BASE_URL: 'http://host', TENON_MODEL: 'm', TENON_API_KEY: 'a\nb' }, /^TENON_API_KEY/],
  ])('%o names the variable that is missing or wrong', async (environment, message) => {
    const error = await failure(environment as Record<string, string>);
    expect(error).toMatchObject({ kind: 'configuration', message: expect.stringMatching(message) });
  });
  it('says which providers there are when a name before a colon is none of them', async () => {
    const { message, hint } = await failure({ TENON_MODEL: 'google:gemini-3' });
    expect(message).toContain('TENON_BASE_URL is not set');
    expect(hint).toMatch(
      /^"google" is no provider; those are openai, openai-responses, gemini, anthropic\. /,
    );
    expect((await failure({ TENON_MODEL: 'openai:gpt-5' })).hint).toMatch(/^Set TENON_MODEL/);
  });
  it.each([
    ['user:hunter2@host', '***@host'],
    ['http://user:hunter2/x@host:port/v1', 'http://***@host:port/v1'],
    ['http://host:port/v1?api=hunter2', 'http://host:port/v1?***'],
    ['ftp://user:hunter2@host', 'ftp://***@host'],
    ['hunter2_0123456789abcdef', '***'],
  ])('shows of the address %s only what is no secret', async (address, shown) => {
    const error = await failure({ TENON_BASE_URL: address, TENON_MODEL: 'm' });
    expect(error.message).toContain(JSON.stringify(shown));
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
  it.each([
    ['gpt-x', { provider: 'openai', model: 'gpt-x' }],
    ['openai:gpt-x', { provider: 'openai', model: 'gpt-x' }],
    ['openai-responses:gpt-x', { provider: 'openai-responses', model: 'gpt-x' }],
    ['anthropic:claude-opus-5', { provider: 'anthropic', model: 'claude-opus-5' }],
    ['llama3:8b', { provider: 'openai', model: 'llama3:8b' }],
    ['constructor:x', { provider: 'openai', model: 'constructor:x' }],
    ['Anthropic:claude-opus-5', { provider: 'anthropic', model: 'claude-opus-5' }],
    ['openai:ft:gpt:x', { provider: 'openai', model: 'ft:gpt:x' }],
  ])('reads %s', (value, expected) => {
    expect(readModelName(value)).toEqual(expected);
  });
});
