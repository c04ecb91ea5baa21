/** Models behind Anthropic's Messages API. */
import { isObject } from '../../basics/json.ts';
import type { Model } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { httpModel } from '../provider/http-model.ts';
import type { ProviderOptions } from '../provider/options.ts';
import type { Body, Provider } from '../provider/provider.ts';
import { concessions } from './concessions.ts';
import { failures } from './errors.ts';
import type { MessagesBody } from './request.ts';
import { EventReader } from './stream.ts';
import { toBody, toNotes } from './wire.ts';

/**
 * `apiKey` is sent as `x-api-key`; `baseUrl` is https://api.anthropic.com unless set, and may end in `/v1`; `temperature`
 * is from 0 to 1; `maxTokens` is 16,384 unless set, and the thinking budget on top. An `output_config` in `extra` joins
 * ours.
 */
export interface AnthropicOptions extends ProviderOptions {
  /**
   * Whether the model thinks before it answers: `adaptive` as much as it likes, a number (at least 1,024, below
   * `maxTokens`) at most so many tokens, for models that want it said. The model's own default unless set.
   */
  readonly thinking?: 'adaptive' | 'off' | number | undefined;
  /** True to let the API keep tools, system messages and the conversation for some minutes; false unless set. */
  readonly cache?: boolean | undefined;
}

/**
 * A model of the Messages API. Answers are streamed, and read whole from servers that do not stream. Thoughts are carried
 * as `replay` and sent back word for word. Failures are ModelErrors and are retried as `retry` says. Throws a ModelError
 * of kind `configuration` that names the option which is missing or wrong.
 */
export function anthropic(options: AnthropicOptions): Model {
  const { baseUrl, thinking, cache } = options;
  checkThinking(options);
  // The vendor's own tools want the address without the version, others with it.
  const address = typeof baseUrl === 'string' ? baseUrl.trim().replace(/\/v1\/*(?=$|\?)/, '') : baseUrl;
  const provider: Provider = {
    name: 'anthropic',
    service: 'Anthropic or a server that speaks its Messages API',
    baseUrl: 'https://api.anthropic.com',
    mostTemperature: 1,
    family: 'anthropic',
    failures,
    concessions,
    path: () => '/v1/messages',
    headers: apiKey => ({
      'anthropic-version': '2023-06-01',
      ...(apiKey === '' ? {} : { 'x-api-key': apiKey }),
    }),
    toBody: (request, defaults, projection) =>
      join(toBody(request, defaults, projection, { thinking, cache }), defaults.extra),
    notes: toNotes,
    reader: ({ provider: name, idPrefix }) => new EventReader(name, idPrefix),
  };
  return httpModel(provider, { ...options, baseUrl: address });
}

function checkThinking({ thinking, maxTokens = Number.POSITIVE_INFINITY }: AnthropicOptions): void {
  if (thinking === undefined || thinking === 'adaptive' || thinking === 'off') return;
  if (Number.isInteger(thinking) && thinking >= 1024 && thinking < maxTokens) return;
  throw new ModelError(
    `anthropic: thinking must be 'adaptive', 'off' or a whole number from 1024 to below maxTokens, got ${thinking}`,
    { kind: 'configuration', provider: 'anthropic' },
  );
}

/** Further members win, but an effort asked for there is no reason to forget the output schema. */
function join(body: MessagesBody, extra: Body = {}): Body {
  const { output_config: ours } = body;
  const { output_config: theirs } = extra;
  const both = ours !== undefined && isObject(theirs) ? { output_config: { ...ours, ...theirs } } : {};
  return { ...body, ...extra, ...both };
}
