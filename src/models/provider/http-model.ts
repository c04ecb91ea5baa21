/** A provider reached over HTTP as a model: the one call, the same for all of them. */
import { projectTools } from '../../projection/project-tools.ts';
import type { Projection } from '../../projection/projection.ts';
import { type Model, type ModelRequest, noUsage, type Part, type RespondOptions } from '../model.ts';
import { isModelError, type ModelError, restateModelError } from '../model-error.ts';
import { type RateLimit, rateLimit } from '../rate-limit.ts';
import { retry } from '../retry.ts';
import { TokenBucket, type TokenBucketOptions } from '../token-bucket.ts';
import { readAnswer } from './answer.ts';
import { bodyText } from './body-text.ts';
import { Concessions } from './concessions.ts';
import { type FailureFacts, toFailure } from './failure.ts';
import { HttpExchange } from './http-exchange.ts';
import { type ProviderOptions, readOptions, type Settings } from './options.ts';
import { projectionNotes } from './projection-notes.ts';
import type { AnswerReader, Body, Provider } from './provider.ts';
import { keepChoice } from './tool-choice.ts';

const mostErrorBytes = 64 * 1024;

/** One model, ready to be asked any number of times. */
interface Connection {
  readonly provider: Provider;
  readonly settings: Settings;
  readonly concessions: Concessions;
  /** Projections whose losses were told. */
  readonly told: WeakSet<Projection>;
  /** Codes of notes that are told once. */
  readonly toldCodes: Set<string>;
}

/**
 * The model, which retries as `retry` says. Answers are streamed, and read whole from servers that do not stream.
 * Failures are ModelErrors. Throws a ModelError of kind `configuration` that names the option which is missing or wrong.
 */
export function httpModel(provider: Provider, options: ProviderOptions): Model {
  const settings = readOptions(provider, options);
  const connection: Connection = {
    provider,
    settings,
    concessions: new Concessions(provider.concessions),
    told: new WeakSet(),
    toldCodes: new Set(),
  };
  const unlimited: Model = {
    name: settings.name,
    respond: (request, given = {}) => respond(connection, request, given),
  };
  const cap = options.retry === false ? undefined : options.retry?.cap;
  const once = limited(unlimited, options.rateLimit, { clock: settings.clock, cap });
  if (options.retry === false) return once;
  return retry(once, { clock: settings.clock, ...options.retry });
}

function limited(
  model: Model,
  limit: RateLimit | undefined,
  usual: Pick<TokenBucketOptions, 'clock' | 'cap'>,
): Model {
  if (limit === undefined) return model;
  return rateLimit(model, limit instanceof TokenBucket ? limit : { ...usual, ...limit });
}

async function* respond(
  connection: Connection,
  asked: ModelRequest,
  { signal, onAttempt }: RespondOptions,
): AsyncGenerator<Part> {
  const { provider, settings, told } = connection;
  const { name } = settings;
  let requests = 0;
  const projection = projectTools(asked.tools ?? [], provider.family);
  const { request, note } = keepChoice(asked, projection);
  const reader = provider.reader({ provider: name, idPrefix: `call_${request.messages.length}` });
  const trial = connection.concessions.begin();
  try {
    if (!told.has(projection)) yield* projectionNotes(projection);
    told.add(projection);
    if (note !== undefined) yield note;
    for (;;) {
      signal?.throwIfAborted();
      const body = trial.apply(provider.toBody(request, settings.defaults, projection));
      yield* newNotes(connection, request, body);
      onAttempt?.({ model: name, number: requests + 1 });
      requests += 1;
      const exchange = new HttpExchange({ ...settings, provider: name, signal, body: bodyText(body) });
      try {
        await exchange.send();
        const facts = factsOf(connection, exchange);
        const failure = await refusal(exchange, facts);
        if (failure === undefined) {
          yield* trial.hold();
          yield* mapNames(readAnswer(exchange, facts, reader), projection);
          yield* tellUsage(reader, requests);
          yield* reader.end();
          await exchange.drain();
          return;
        }
        if (!trial.concede(failure, body)) throw failure;
      } finally {
        exchange.close();
      }
    }
  } catch (error) {
    if (!isModelError(error)) throw error;
    const hint = error.kind === 'decode' ? `Check that baseUrl leads to ${provider.service}.` : undefined;
    throw restateModelError(error, { ...noUsage, ...reader.usage, requests }, error.message, hint);
  }
}

function* newNotes(
  { provider, settings, toldCodes }: Connection,
  request: ModelRequest,
  body: Body,
): Generator<Part> {
  for (const note of provider.notes?.(request, settings.defaults, body) ?? []) {
    if (!toldCodes.has(note.code)) yield note;
    toldCodes.add(note.code);
  }
}

function* tellUsage({ usage, uncounted }: AnswerReader, requests: number): Generator<Part> {
  if (uncounted.length > 0) {
    const what = uncounted.join(', ');
    const message = `tokens that the provider reports cannot be counted, by limits neither: ${what}`;
    yield { type: 'note', code: 'usage-unreadable', message };
  }
  yield { type: 'usage', usage: { ...usage, requests } };
}

function factsOf({ provider, settings }: Connection, { status, headers }: HttpExchange): FailureFacts {
  return { provider: settings.name, secrets: settings.secrets, status, headers, rules: provider.failures };
}

async function* mapNames(parts: AsyncIterable<Part>, projection: Projection): AsyncGenerator<Part> {
  for await (const part of parts) {
    yield part.type === 'tool-call-start' ? { ...part, name: projection.nameOf(part.name) } : part;
  }
}

async function refusal(exchange: HttpExchange, facts: FailureFacts): Promise<ModelError | undefined> {
  const { status } = facts;
  if (status >= 200 && status < 300) return undefined;
  const { text } = status >= 400 ? await exchange.readText(mostErrorBytes) : { text: '' };
  return toFailure(text, facts);
}
