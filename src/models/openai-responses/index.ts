/** Models behind OpenAI's responses endpoint, and those that speak like it. */
import type { Model } from '../model.ts';
import { httpModel } from '../provider/http-model.ts';
import type { ProviderOptions } from '../provider/options.ts';
import type { Provider } from '../provider/provider.ts';
import { concessions } from './concessions.ts';
import { failures } from './errors.ts';
import { providerName } from './replay.ts';
import { ResponseReader } from './stream.ts';
import { toBody } from './wire.ts';

/** `apiKey` is sent as a bearer token; `baseUrl` is `https://api.openai.com/v1` unless set. */
export interface OpenAIResponsesOptions extends ProviderOptions {
  /**
   * True to offer tools in strict mode wherever their schemas can be brought to it; optional arguments then come as
   * null, which is taken out again. False unless set.
   */
  readonly strictTools?: boolean | undefined;
}

const loose: Provider = {
  name: providerName,
  service: "an endpoint like OpenAI's responses",
  baseUrl: 'https://api.openai.com/v1',
  mostTemperature: 2,
  family: 'openai',
  failures,
  concessions,
  path: () => '/responses',
  headers: apiKey => (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  toBody,
  reader: ({ provider, idPrefix }) => new ResponseReader(provider, idPrefix),
};
const strict: Provider = { ...loose, family: 'openai-strict' };

/**
 * A model of the responses endpoint. Nothing is stored there: reasoning travels encrypted in the conversation. Failures
 * are ModelErrors and are retried as `retry` says. Throws a ModelError of kind `configuration` that names the option
 * which is missing or wrong.
 */
export function openaiResponses(options: OpenAIResponsesOptions): Model {
  return httpModel(options.strictTools === true ? strict : loose, options);
}
