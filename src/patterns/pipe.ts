/** Steps one after the other, each with what the one before gave, within one budget. */
import { messageOf } from '../basics/failure.ts';
import { isObject } from '../basics/json.ts';
import { notify } from '../basics/notify.ts';
import type { Model } from '../models/model.ts';
import { meterModel } from './asking/meter.ts';
import { untilAborted } from './asking/until-aborted.ts';
import { toPatternError } from './contract/failures.ts';
import { checkPatternOptions, type PatternOptions } from './contract/pattern-options.ts';
import { addCost, type Cost, freezeResult, noCost, type PatternResult } from './contract/result.ts';
import type { Observers, TraceEvent } from './contract/trace.ts';

export type PipeOptions = Pick<PatternOptions, 'budget' | 'signal' | keyof Observers>;

/** What a step works with: pass `model` to a pattern, and the rest as its options. */
export interface StepContext extends Pick<Observers, 'onTrace' | 'traceContent'> {
  /** Counts for the pipe, within its budget. */
  readonly model: Model;
  readonly signal: AbortSignal | undefined;
}

/** One step: anything, or the result of a pattern, whose value goes on to the next step. */
export type Step<In, Out> = (
  input: In,
  context: StepContext,
) => Out | PatternResult<Out> | Promise<Out | PatternResult<Out>>;

export interface StepEvidence {
  readonly name: string;
  readonly cost: Cost;
  /** Of a pattern that has one. */
  readonly score?: number | undefined;
}

export interface PipeEvidence {
  readonly steps: readonly StepEvidence[];
  readonly notes: readonly string[];
}

/** A pipe that takes `In` and gives `Out`; each `step` gives a new one. */
export interface Pipe<In, Out> {
  /** Adds a step; its name is for evidence and messages. */
  step<Next>(name: string, step: Step<Out, Next>): Pipe<In, Next>;
  /**
   * Runs the steps in order. A pipe without steps gives what it was given. Rejects with a PatternError that has the cost
   * of all steps, of the kind of the step's own PatternError, else `step-failed`; later steps are not run.
   */
  run(input: In, options?: PipeOptions): Promise<PatternResult<Out, PipeEvidence>>;
}

interface NamedStep {
  readonly name: string;
  readonly step: Step<unknown, unknown>;
}

/** An empty pipe over this model. `In` is what it will be run with; text unless said. */
export function pipe<In = string>(model: Model): Pipe<In, In> {
  checkPatternOptions('pipe', model, {});
  return makePipe<In, In>(model, []);
}

function makePipe<In, Out>(model: Model, steps: readonly NamedStep[]): Pipe<In, Out> {
  return {
    step<Next>(name: string, step: Step<Out, Next>): Pipe<In, Next> {
      if (typeof step !== 'function')
        throw new TypeError(`pipe: the step ${JSON.stringify(name)} must be a function`);
      // What goes in is what the step before gave; the types of `step` see to that.
      return makePipe<In, Next>(model, [...steps, { name, step: step as Step<unknown, unknown> }]);
    },
    run: (input, options = {}) =>
      runSteps(model, steps, input, options) as Promise<PatternResult<Out, PipeEvidence>>,
  };
}

async function runSteps(
  model: Model,
  steps: readonly NamedStep[],
  input: unknown,
  options: PipeOptions,
): Promise<PatternResult<unknown, PipeEvidence>> {
  checkPatternOptions('pipe', model, options);
  const { signal, onTrace, traceContent } = options;
  const done: StepEvidence[] = [];
  const notes: string[] = [];
  let value = input;
  let score: number | undefined;
  const cost = (): Cost => done.reduce((sum, step) => addCost(sum, step.cost), noCost);
  for (const [index, { name, step }] of steps.entries()) {
    const meter = meterModel(model, options.budget, options);
    // The meter above tells the trace; a pattern's own meter would tell it twice.
    const context: StepContext = {
      model: untilAbort(meter.model, signal),
      signal,
      traceContent,
      onTrace: onTrace && (event => void (isOfTool(event) && notify(onTrace, event))),
    };
    try {
      signal?.throwIfAborted();
      const given = await step(value, context);
      signal?.throwIfAborted();
      value = isResult(given) ? given.value : given;
      score = isResult(given) ? given.score : undefined;
    } catch (error) {
      const failed = { name, cost: meter.cost };
      const evidence = {
        steps: Object.freeze([...done, failed]),
        notes: Object.freeze([...notes, ...meter.notes]),
      };
      throw toPatternError('pipe', error, {
        signal,
        cost: addCost(cost(), meter.cost),
        evidence,
        fallback: 'step-failed',
        message: `step ${index + 1}, "${name}": ${messageOf(error)}`,
      });
    }
    done.push(Object.freeze({ name, cost: meter.cost, ...(score === undefined ? {} : { score }) }));
    notes.push(...meter.notes);
    notify(options.onProgress, { done: index + 1, total: steps.length });
  }
  return freezeResult({
    value,
    score,
    cost: cost(),
    evidence: { steps: Object.freeze(done), notes: Object.freeze(notes) },
  });
}

/** Steps that forget the signal are stopped by it all the same. */
function untilAbort(model: Model, signal: AbortSignal | undefined): Model {
  if (signal === undefined) return model;
  return {
    name: model.name,
    respond: (request, given) => untilAborted(model.respond(request, given), signal),
  };
}

function isOfTool({ type }: TraceEvent): boolean {
  return !type.startsWith('llm-');
}

function isResult(value: unknown): value is PatternResult<unknown> {
  return isObject(value) && 'value' in value && 'cost' in value && 'evidence' in value;
}
