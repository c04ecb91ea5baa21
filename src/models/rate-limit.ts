/** A model that keeps to a rate: each attempt waits for a permit, and a refusal for too many requests shuts the gate. */
import { checkModel } from './check-model.ts';
import type { Model, ModelRequest, Part, RespondOptions } from './model.ts';
import { isModelError } from './model-error.ts';
import { TokenBucket, type TokenBucketOptions } from './token-bucket.ts';

/** A rate of its own, or a bucket that several models share. */
export type RateLimit = TokenBucketOptions | TokenBucket;

/** How long the gate stays shut when the provider does not say: as long as a retry waits at first. */
const usualPause = 1000;

/**
 * Each call of `respond` takes one permit before it is dispatched, and waits for it in order; an abort ends the wait. A
 * failure of kind `rate-limit` drains the bucket for the time that the provider asks for, up to its cap, so that other calls
 * wait too.
 * It counts calls, so it belongs inside `retry`, which `openai({ rateLimit })` and the like see to.
 */
export function rateLimit(model: Model, limit: RateLimit): Model {
  checkModel('rateLimit', model);
  const bucket = limit instanceof TokenBucket ? limit : new TokenBucket(limit);
  return { name: model.name, respond: (request, given = {}) => respond(model, bucket, request, given) };
}

async function* respond(
  model: Model,
  bucket: TokenBucket,
  request: ModelRequest,
  options: RespondOptions,
): AsyncGenerator<Part> {
  await bucket.take(options.signal);
  try {
    yield* model.respond(request, options);
  } catch (error) {
    if (isModelError(error) && error.kind === 'rate-limit') bucket.drain(error.retryAfterMs ?? usualPause);
    throw error;
  }
}
