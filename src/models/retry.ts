/** A model that tries again: the one place where requests are repeated. */
import { type Clock, systemClock } from '../basics/clock.ts';
import { checkNumber } from '../basics/option-checks.ts';
import { Attempts } from './attempts.ts';
import type { Model, ModelRequest, Part, RespondOptions } from './model.ts';
import { type ModelError, restateModelError } from './model-error.ts';
import { pause } from './pause.ts';

export interface RetryOptions {
  /** Attempts in all, the first included; 3 unless set. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt, at most; 1,000 unless set. */
  readonly delay?: number | undefined;
  /** What the delay grows by from one attempt to the next; 2 unless set. */
  readonly factor?: number | undefined;
  /** Milliseconds that no wait exceeds, whatever the provider asks for; 60,000 unless set. */
  readonly cap?: number | undefined;
  /** From 0 up to 1; each wait is that share of the delay (full jitter). `Math.random` unless set. */
  readonly random?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Sends a request again after failures that say they are `retryable`, as long as no part of a response was passed on.
 * A provider that says how long to wait is heeded up to the cap. What `onAttempt` throws ends everything, and an abort
 * wins at once. What failed attempts used is in the final usage, or on the error. Throws a TypeError for odd options.
 */
export function retry(model: Model, options: RetryOptions = {}): Model {
  const settings = readOptions(options);
  return { name: model.name, respond: (request, given = {}) => respond(model, settings, request, given) };
}

type Settings = { readonly [Key in keyof RetryOptions]-?: NonNullable<RetryOptions[Key]> };

function readOptions(options: RetryOptions): Settings {
  const { attempts = 3, delay = 1000, factor = 2, cap = 60_000 } = options;
  checkNumber('retry', 'attempts', attempts, { integer: true, min: 1, infinite: true });
  for (const [name, value] of Object.entries({ delay, factor, cap })) {
    checkNumber('retry', name, value, { min: 0, infinite: true });
  }
  const { random = Math.random, clock = systemClock } = options;
  return { attempts, delay, factor, cap, random, clock };
}

async function* respond(
  model: Model,
  settings: Settings,
  request: ModelRequest,
  options: RespondOptions,
): AsyncGenerator<Part> {
  const attempts = new Attempts(options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      yield* attempts.run(model, request);
      return;
    } catch (thrown) {
      const error = attempts.settle(thrown);
      if (attempts.passed || !error.retryable || attempt >= settings.attempts) {
        throw restate(error, attempts.spent, attempt);
      }
      await pause(waitAfter(error, attempt, settings), settings.clock, options.signal);
    }
  }
}

function restate(error: ModelError, spent: ModelError['usage'], attempts: number): ModelError {
  const message = attempts > 1 ? `${error.message} (after ${attempts} attempts)` : error.message;
  return restateModelError(error, spent, message);
}

/** Milliseconds to wait after the failed attempt of this number. */
function waitAfter(error: ModelError, attempt: number, settings: Settings): number {
  const { delay, factor, cap, random } = settings;
  const jittered = random() * Math.min(cap, delay * factor ** (attempt - 1));
  return Math.min(cap, Math.max(jittered, error.retryAfterMs ?? 0));
}
