/** A model that tries another when one cannot answer. */
import { messageOf } from '../basics/failure.ts';
import { checkFunction } from '../basics/option-checks.ts';
import { Attempts } from './attempts.ts';
import { checkModel } from './check-model.ts';
import type { Model, ModelRequest, Part, RespondOptions } from './model.ts';
import { type ModelError, restateModelError } from './model-error.ts';

export interface FallbackOptions {
  /** Whether the next model is tried after this failure; after those that are `retryable` unless set. */
  readonly when?: ((error: ModelError) => boolean) | undefined;
}

/**
 * Asks the models in order until one begins to answer. The next one is tried only while no part of a response was
 * passed on; a note (code `fallback`) says so. The last failure comes out as it is, with the usage of all attempts.
 * What `onAttempt` throws and an abort end everything. Each model retries as it was made to, before the next is tried.
 * Throws a TypeError unless there are two models at least.
 */
export function fallback(models: readonly Model[], options: FallbackOptions = {}): Model {
  if (!Array.isArray(models) || models.length < 2) {
    throw new TypeError('fallback: give a list of two models at least; the first is asked first');
  }
  for (const model of models) checkModel('fallback', model);
  checkFunction('fallback', 'when', options.when);
  const list: readonly Model[] = [...models];
  const when = options.when ?? ((error: ModelError) => error.retryable);
  return {
    name: list.map(({ name }) => name).join(' | '),
    respond: (request, given = {}) => respond(list, when, request, given),
  };
}

async function* respond(
  models: readonly Model[],
  when: (error: ModelError) => boolean,
  request: ModelRequest,
  options: RespondOptions,
): AsyncGenerator<Part> {
  const attempts = new Attempts(options);
  for (const [index, model] of models.entries()) {
    try {
      yield* attempts.run(model, request);
      return;
    } catch (thrown) {
      const error = attempts.settle(thrown);
      const next = models[index + 1];
      if (next === undefined || attempts.passed || !when(error)) {
        throw restateModelError(error, attempts.spent);
      }
      yield {
        type: 'note',
        code: 'fallback',
        message: `${model.name} failed (${messageOf(error)}); ${next.name} is asked`,
      };
    }
  }
}
