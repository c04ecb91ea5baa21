/** Models behind an OpenAI-compatible chat completions endpoint: the options, and the one call. */
import { HttpExchange } from '../http-exchange.ts';
import { type Model, type ModelRequest, noUsage, type Part, type RespondOptions } from '../model.ts';
import { isModelError, type ModelError, restateModelError } from '../model-error.ts';
import { retry } from '../retry.ts';
import { Concessions } from './concessions.ts';
import { toFailure } from './errors.ts';
import { type OpenAIOptions, readOptions, type Settings } from './options.ts';
import { readResponse } from './response.ts';
import { ChunkReader } from './stream.ts';
import { type BodyDefaults, toBody } from './wire.ts';

export type { OpenAIOptions } from './options.ts';

const mostErrorBytes = 64 * 1024;

/**
 * A model of an OpenAI-compatible server. Answers are streamed, and read whole from servers that do not stream.
 * Failures are ModelErrors and are retried as `retry` says. Throws a ModelError of kind `configuration` that names the
 * option which is missing or wrong.
 */
export function openai(options: OpenAIOptions): Model {
  const settings = readOptions(options);
  const { model, stream = true, temperature, maxTokens, extra } = options;
  const defaults = { model: model.trim(), stream, temperature, maxTokens, extra };
  const concessions = new Concessions();
  const once: Model = {
    name: settings.name,
    respond: (request, given = {}) => respond(settings, defaults, concessions, request, given),
  };
  if (options.retry === false) return once;
  return retry(once, { clock: settings.clock, ...options.retry });
}

async function* respond(
  settings: Settings,
  defaults: BodyDefaults,
  concessions: Concessions,
  request: ModelRequest,
  { signal, onAttempt }: RespondOptions,
): AsyncGenerator<Part> {
  const { name: provider } = settings;
  let requests = 0;
  const reader = new ChunkReader(provider, `call_${request.messages.length}`);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const body = concessions.apply(toBody(request, defaults));
      onAttempt?.({ model: provider, number: requests + 1 });
      requests += 1;
      const exchange = new HttpExchange({ ...settings, provider, signal, body: JSON.stringify(body) });
      try {
        await exchange.send();
        const failure = await refusal(exchange, settings);
        if (failure === undefined) {
          yield* readResponse(exchange, settings, reader);
          yield { type: 'usage', usage: { ...reader.usage, requests } };
          yield* reader.end();
          await exchange.drain();
          return;
        }
        const note = concessions.makeFor(failure, body);
        if (note === undefined) throw failure;
        yield { type: 'note', ...note };
      } finally {
        exchange.close();
      }
    }
  } catch (error) {
    if (!isModelError(error)) throw error;
    throw restateModelError(error, { ...noUsage, ...reader.usage, requests });
  }
}

async function refusal(exchange: HttpExchange, settings: Settings): Promise<ModelError | undefined> {
  const { status, headers } = exchange;
  if (status >= 200 && status < 300) return undefined;
  const { text } = status >= 400 ? await exchange.readText(mostErrorBytes) : { text: '' };
  return toFailure(text, { provider: settings.name, secrets: settings.secrets, status, headers });
}
