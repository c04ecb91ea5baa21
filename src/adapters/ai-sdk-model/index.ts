/** Any language model of the AI SDK as a model of ours: the options, and the one call. */
import { linkAbort } from '../../basics/abort.ts';
import { type Clock, systemClock } from '../../basics/clock.ts';
import { checkMilliseconds, checkNumber } from '../../basics/option-checks.ts';
import { runWithin, type TimeLimit } from '../../basics/time-limit.ts';
import {
  type Model,
  type ModelRequest,
  noUsage,
  type Part,
  type RespondOptions,
} from '../../models/model.ts';
import { ModelError, restateModelError } from '../../models/model-error.ts';
import { projectionNotes } from '../../models/provider/projection-notes.ts';
import { type RetryOptions, retry } from '../../models/retry.ts';
import type { FamilyName } from '../../projection/family.ts';
import { projectTools } from '../../projection/project-tools.ts';
import type { Projection } from '../../projection/projection.ts';
import { isImage, isPdf } from '../calls/pieces.ts';
import { AnswerReader } from './answer-reader.ts';
import { toCallOptions } from './call-options.ts';
import { toFailure } from './failure.ts';
import { type LanguageModel, versionOf } from './language-model.ts';
import type { PromptFacts } from './prompt.ts';
import { readStream } from './read-stream.ts';

export interface FromAiSdkOptions {
  /**
   * Whose rules tools and the schema of an output are brought to. Unless set, tools to what every provider accepts, and
   * the output to the strict mode of OpenAI.
   */
  readonly family?: FamilyName | undefined;
  /** Which media of a tool result the model is shown; images and PDFs unless set, others become a line of text. */
  readonly shows?: ((mimeType: string) => boolean) | undefined;
  /** False to ask for whole answers; true unless set. */
  readonly stream?: boolean | undefined;
  /** How failures are retried; `false` for not at all. */
  readonly retry?: RetryOptions | false | undefined;
  /** Milliseconds to wait for an answer, and from one piece of it to the next; 120,000 unless set. */
  readonly timeout?: number | undefined;
  /** For requests that set none. */
  readonly temperature?: number | undefined;
  /** For requests that set none. */
  readonly maxTokens?: number | undefined;
  /** Further call options, such as `{ providerOptions: { … } }`; they win over ours. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  readonly clock?: Clock | undefined;
}

interface Connection {
  readonly model: LanguageModel;
  readonly name: string;
  readonly facts: Omit<PromptFacts, 'projection'>;
  readonly options: FromAiSdkOptions;
  readonly clock: Clock;
  /** Projections whose losses were told. */
  readonly told: WeakSet<Projection>;
}

/**
 * A model that asks `model`, as a provider package of the AI SDK makes it (specification v2, v3 or v4). Failures are
 * ModelErrors and are retried as `retry` says. Throws a TypeError for what is no such model and for odd options.
 */
export function fromAiSdk(model: LanguageModel, options: FromAiSdkOptions = {}): Model {
  const version = versionOf(model);
  const { clock = systemClock, shows = isShown } = options;
  checkMilliseconds('fromAiSdk', 'timeout', options.timeout);
  checkNumber('fromAiSdk', 'temperature', options.temperature, { min: 0 });
  checkNumber('fromAiSdk', 'maxTokens', options.maxTokens, { integer: true, min: 1 });
  const provider = `ai-sdk/${model.provider}`;
  const name = `${provider}:${model.modelId}`;
  const facts = { version, provider, shows };
  const connection = { model, name, facts, options, clock, told: new WeakSet<Projection>() };
  const once: Model = { name, respond: (request, given = {}) => respond(connection, request, given) };
  if (options.retry === false) return once;
  return retry(once, { clock, ...options.retry });
}

function isShown(mimeType: string): boolean {
  return isImage(mimeType) || isPdf(mimeType);
}

async function* respond(
  connection: Connection,
  request: ModelRequest,
  { signal, onAttempt }: RespondOptions,
): AsyncGenerator<Part> {
  const { name, facts, options, told } = connection;
  const projection = projectTools(request.tools ?? [], options.family ?? 'generic');
  if (!told.has(projection)) yield* projectionNotes(projection);
  told.add(projection);
  signal?.throwIfAborted();
  const sent = toCallOptions(request, { ...facts, projection }, options);
  const reader = new AnswerReader(facts.provider, alias => projection.nameOf(alias));
  onAttempt?.({ model: name, number: 1 });
  try {
    yield* ask(connection, sent, reader, signal);
  } catch (error) {
    signal?.throwIfAborted();
    const failure = toFailure(error, name);
    throw restateModelError(failure, { ...noUsage, ...reader.usage, requests: 1 });
  }
  yield { type: 'usage', usage: { ...reader.usage, requests: 1 } };
  yield* reader.end();
}

async function* ask(
  { model, name, options, clock }: Connection,
  sent: Readonly<Record<string, unknown>>,
  reader: AnswerReader,
  signal: AbortSignal | undefined,
): AsyncGenerator<Part> {
  const controller = new AbortController();
  const unlink = linkAbort([signal], controller);
  const limit: TimeLimit = {
    ms: options.timeout ?? 120_000,
    clock,
    signal,
    expired: ms => silence(name, ms),
  };
  const given = { ...sent, abortSignal: controller.signal };
  try {
    if (options.stream === false) {
      yield* reader.readWhole(await runWithin(limit, () => model.doGenerate(given as never)));
      return;
    }
    const { stream } = await runWithin(limit, () => model.doStream(given as never));
    for await (const part of readStream(stream, limit)) {
      if (isErrorPart(part)) throw toFailure(part.error, name);
      yield* reader.read(part);
    }
    if (!reader.finished) throw cutShort(name);
  } finally {
    unlink();
    // Ends what a reader that stopped early, or a limit of time, has left running.
    controller.abort();
  }
}

function isErrorPart(part: unknown): part is { readonly error: unknown } {
  return (part as { readonly type?: unknown } | null)?.type === 'error';
}

function silence(provider: string, ms: number): ModelError {
  return new ModelError(`${provider} sent nothing for ${ms} ms`, {
    kind: 'timeout',
    provider,
    retryable: true,
    hint: 'Raise timeout, or ask for less at once.',
  });
}

function cutShort(provider: string): ModelError {
  return new ModelError(`${provider}: the stream ended before the model said why`, {
    kind: 'transport',
    provider,
    retryable: true,
    hint: 'A model that never says why it stops can be asked with stream: false.',
  });
}
