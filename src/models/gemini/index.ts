/** Models of Google's Gemini API, and of what speaks its generateContent. */
import type { Model } from '../model.ts';
import { httpModel } from '../provider/http-model.ts';
import type { ProviderOptions } from '../provider/options.ts';
import type { Provider } from '../provider/provider.ts';
import { concessions } from './concessions.ts';
import { failures } from './errors.ts';
import { CandidateReader } from './stream.ts';
import { providerName } from './turn.ts';
import { toBody } from './wire.ts';

/**
 * `apiKey` is sent as `x-goog-api-key`. `baseUrl` is the address up to and without `/models/…`,
 * `https://generativelanguage.googleapis.com/v1beta` unless set. A `generationConfig` in `extra` is merged with ours.
 */
export type GeminiOptions = ProviderOptions;

const provider: Provider = {
  name: providerName,
  service: 'the Gemini API',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  mostTemperature: 2,
  family: 'gemini',
  failures,
  concessions,
  path: (model, stream) =>
    `/${model.includes('/') ? model : `models/${model}`}:${stream ? 'streamGenerateContent' : 'generateContent'}`,
  query: stream => (stream ? { alt: 'sse' } : {}),
  headers: apiKey => (apiKey === '' ? {} : { 'x-goog-api-key': apiKey }),
  toBody,
  reader: ({ provider: name, idPrefix }) => new CandidateReader(name, idPrefix),
};

/**
 * A model of the Gemini API. Answers are streamed unless `stream` is false. What the model thought is signed by it and goes
 * back with the next request as it came. Failures are ModelErrors and are retried as `retry` says. Throws a ModelError of
 * kind `configuration` that names the option which is missing or wrong.
 */
export function gemini(options: GeminiOptions): Model {
  return httpModel(provider, options);
}
