/** A model that counts what it is asked to do: the cost, budget, notes and trace of all that a pattern dispatches. */
import { linkAbort } from '../../basics/abort.ts';
import { notify } from '../../basics/notify.ts';
import { checkUsage } from '../../models/check-usage.ts';
import { countableUsage } from '../../models/countable-usage.ts';
import {
  type Model,
  type ModelRequest,
  noUsage,
  type Part,
  type RespondOptions,
} from '../../models/model.ts';
import { isModelError } from '../../models/model-error.ts';
import type { Budget } from '../budget/budget.ts';
import { addCost, type Cost, noCost } from '../contract/result.ts';
import { describeError, maskText, type Observers } from '../contract/trace.ts';
import { untilAborted } from './until-aborted.ts';

/** A model and what was spent through it. */
export interface Meter {
  /** Use this one in place of the model that was given. */
  readonly model: Model;
  /** All that was dispatched until now, also through requests that failed or are still in flight. */
  readonly cost: Cost;
  /** What there was to say beside the answers, each thing once. */
  readonly notes: readonly string[];
  /** Said under a key, it replaces what was said under it before. */
  note(message: string, key?: string): void;
}

/**
 * Puts a meter before a model. A request that the budget forbids fails with a BudgetError and is never dispatched. One to a
 * model that announces no attempts and tells no usage counts as one call, also when it fails with what is no ModelError.
 */
export function meterModel(model: Model, budget: Budget | undefined, observers: Observers): Meter {
  const { onTrace, traceContent } = observers;
  const notes = new Map<string, string>();
  const note: Meter['note'] = (message, key = message) => void notes.set(key, message);
  let cost = noCost;
  let calls = 0;
  let announces = false;

  async function* respond(request: ModelRequest, options: RespondOptions = {}): AsyncGenerator<Part> {
    calls += 1;
    const call = calls;
    const place = budget?.reserve(request);
    const maxTokens = place?.maxTokens;
    const controller = new AbortController();
    const unlink = linkAbort([options.signal], controller);
    const stopTimer = budget?.whenTimeIsOver(error => controller.abort(error));
    let attempts = 0;
    let usage = noUsage;
    let isTold = false;
    let saysCalls = false;
    let text = '';
    let failure: { readonly error: unknown } | undefined;
    const onAttempt: NonNullable<RespondOptions['onAttempt']> = attempt => {
      announces = true;
      const tell = (): void => options.onAttempt?.(attempt);
      // What is refused here nobody is told of.
      if (place === undefined) tell();
      else place.attempt(tell);
      attempts += 1;
      cost = addCost(cost, { ...noCost, calls: 1 });
      notify(onTrace, { type: 'llm-start', call, attempt: attempt.number, model: model.name, cost });
    };
    try {
      const source = model.respond(maxTokens === undefined ? request : { ...request, maxTokens }, {
        signal: controller.signal,
        onAttempt,
      });
      for await (const part of untilAborted(source, controller.signal)) {
        if (part.type === 'usage') {
          usage = checkUsage(part.usage, model.name);
          isTold = true;
          saysCalls = true;
        } else if (part.type === 'text') text += part.text;
        else if (part.type === 'note') note(part.message);
        yield part;
      }
      isTold = true;
    } catch (error) {
      failure = { error };
      if (isModelError(error)) {
        usage = countableUsage(error.usage);
        saysCalls = true;
      }
      // A failure that the model tells of has said what it used; a request that was left has not.
      isTold ||= isModelError(error) || !controller.signal.aborted;
      throw error;
    } finally {
      stopTimer?.();
      unlink();
      const { inputTokens, outputTokens } = usage;
      // A model that reports more requests than it announced is believed.
      const unannounced = announces || saysCalls ? Math.max(0, usage.requests - attempts) : 1;
      const used = { inputTokens, outputTokens, calls: unannounced };
      place?.settle(used, !isTold && attempts + unannounced > 0);
      cost = addCost(cost, used);
      notify(
        onTrace,
        failure === undefined
          ? { type: 'llm-end', call, inputTokens, outputTokens, text: maskText(text, traceContent), cost }
          : { type: 'llm-error', call, ...describeError(failure.error, traceContent), cost },
      );
    }
  }

  return {
    model: { name: model.name, respond },
    get cost() {
      return cost;
    },
    get notes() {
      return Object.freeze([...new Set(notes.values())]);
    },
    note,
  };
}
