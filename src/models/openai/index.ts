/** Models behind an OpenAI-compatible chat completions endpoint. */
import type { Model } from '../model.ts';
import { httpModel } from '../provider/http-model.ts';
import type { ProviderOptions } from '../provider/options.ts';
import type { Provider } from '../provider/provider.ts';
import { concessions } from './concessions.ts';
import { failures } from './errors.ts';
import { ChunkReader } from './stream.ts';
import { toBody } from './wire.ts';

/** `apiKey` is sent as a bearer token. */
export interface OpenAIOptions extends ProviderOptions {
  /** Up to and without `/chat/completions`, such as `https://api.openai.com/v1`; http or https. A query is kept. */
  readonly baseUrl: string;
}

const provider: Provider = {
  name: 'openai',
  service: 'an OpenAI-compatible server',
  mostTemperature: 2,
  family: 'openai',
  failures,
  concessions,
  path: () => '/chat/completions',
  headers: apiKey => (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  toBody,
  reader: ({ provider: name, idPrefix }) => new ChunkReader(name, idPrefix),
};

/**
 * A model of an OpenAI-compatible server. Answers are streamed, and read whole from servers that do not stream.
 * Failures are ModelErrors and are retried as `retry` says. Throws a ModelError of kind `configuration` that names the
 * option which is missing or wrong.
 */
export function openai(options: OpenAIOptions): Model {
  return httpModel(provider, options);
}
