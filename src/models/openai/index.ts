/** Models behind an OpenAI-compatible chat completions endpoint. */
import type { Model } from '../model.ts';
import { httpModel } from '../provider/http-model.ts';
import type { ProviderOptions } from '../provider/options.ts';
import type { Provider } from '../provider/provider.ts';
import { concessions } from './concessions.ts';
import { failures } from './errors.ts';
import { providerName } from './replay.ts';
import { ChunkReader } from './stream.ts';
import { toBody } from './wire.ts';

/** `apiKey` is sent as a bearer token. */
export interface OpenAIOptions extends ProviderOptions {
  /** Up to and without `/chat/completions`, such as `https://api.openai.com/v1`; http or https. A query is kept. */
  readonly baseUrl: string;
  /**
   * True to offer tools in strict mode wherever their schemas can be brought to it; optional arguments then come as
   * null, which is taken out again. False unless set: many servers do not know it.
   */
  readonly strictTools?: boolean | undefined;
}

const loose: Provider = {
  name: providerName,
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
const strict: Provider = { ...loose, family: 'openai-strict' };

/**
 * A model of an OpenAI-compatible server. Answers are streamed, and read whole from servers that do not stream.
 * Failures are ModelErrors and are retried as `retry` says. Throws a ModelError of kind `configuration` that names the
 * option which is missing or wrong.
 */
export function openai(options: OpenAIOptions): Model {
  return httpModel(options.strictTools === true ? strict : loose, options);
}
