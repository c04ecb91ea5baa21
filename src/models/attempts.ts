/** The attempts at one response: who was asked, what it used, and whether anything was passed on already. */
import {
  addUsage,
  type Model,
  type ModelRequest,
  noUsage,
  type Part,
  type RespondOptions,
  type Usage,
} from './model.ts';
import { isModelError, type ModelError, usageOfFailure } from './model-error.ts';

/** Keeps the account over several attempts, so that a caller sees one response and the usage of all of them. */
export class Attempts {
  readonly #options: RespondOptions;
  #spent: Usage = noUsage;
  #dispatched = 0;
  #inThis = 0;
  #forbidden: { readonly error: unknown } | undefined;
  #passed = false;

  constructor(options: RespondOptions) {
    this.#options = options;
  }

  /** What the failed attempts used. */
  get spent(): Usage {
    return this.#spent;
  }

  /** Whether a part of a response was passed on, after which there is no going back. */
  get passed(): boolean {
    return this.#passed;
  }

  /** The parts of one attempt; usage parts hold that of all. */
  async *run(model: Model, request: ModelRequest): AsyncGenerator<Part> {
    const { signal } = this.#options;
    this.#inThis = 0;
    let told = false;
    const sent = { onAttempt: this.#announce, ...(signal === undefined ? {} : { signal }) };
    for await (const part of model.respond(request, sent)) {
      // Notes are no part of an answer; they do not commit to this attempt.
      this.#passed ||= part.type !== 'note';
      told ||= part.type === 'usage';
      yield part.type === 'usage' ? { type: 'usage', usage: addUsage(this.#spent, part.usage) } : part;
    }
    if (told || this.#spent.requests === 0) return;
    const usage = addUsage(this.#spent, { ...noUsage, requests: Math.max(1, this.#inThis) });
    yield { type: 'usage', usage };
  }

  /**
   * Takes note of what an attempt failed with, and gives it back when it is the model's own failure. Throws everything
   * that no further attempt may follow: what `onAttempt` threw, the reason of an abort, and foreign errors.
   */
  settle(error: unknown): ModelError {
    if (this.#forbidden !== undefined) throw this.#forbidden.error;
    this.#options.signal?.throwIfAborted();
    this.#spent = addUsage(this.#spent, usageOfFailure(error, this.#inThis));
    if (!isModelError(error)) throw error;
    return error;
  }

  readonly #announce: NonNullable<RespondOptions['onAttempt']> = told => {
    try {
      this.#options.onAttempt?.({ ...told, number: this.#dispatched + 1 });
    } catch (error) {
      this.#forbidden = { error };
      throw error;
    }
    this.#dispatched += 1;
    this.#inThis += 1;
  };
}
