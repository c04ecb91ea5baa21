/** What every pattern that asks a model for text takes, and how it asks. */
import { checkFunction, checkNumber } from '../../basics/option-checks.ts';
import { checkModel } from '../../models/check-model.ts';
import { collect } from '../../models/collect.ts';
import type { Model, ModelRequest } from '../../models/model.ts';
import { ModelError } from '../../models/model-error.ts';
import { type Meter, meterModel } from '../asking/meter.ts';
import { withOwnTemperature } from '../asking/own-temperature.ts';
import type { Budget } from '../budget/budget.ts';
import type { Observers } from './trace.ts';

export interface PatternOptions extends Observers {
  /** From 0 to 2; a pattern has its own default. Given up, with a note, when the model refuses any. */
  readonly temperature?: number | undefined;
  /** Most tokens of one answer. */
  readonly maxTokens?: number | undefined;
  readonly budget?: Budget | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One answer, and whether it was cut off at its token limit. */
export interface ModelText {
  readonly text: string;
  readonly truncated: boolean;
}

/** Throws a TypeError that names `where` and the option which is wrong. */
export function checkPatternOptions(where: string, model: unknown, options: PatternOptions): void {
  checkModel(where, model);
  checkNumber(where, 'temperature', options.temperature, { min: 0, max: 2 });
  checkNumber(where, 'maxTokens', options.maxTokens, { integer: true, min: 1 });
  checkFunction(where, 'onProgress', options.onProgress);
  checkFunction(where, 'onTrace', options.onTrace);
}

/** Asks for text through a meter, with the settings of the caller or the pattern's own. */
export interface TextAsker {
  readonly meter: Meter;
  /**
   * Rejects with a ModelError of kind `refused` when the model declines, and of kind `blank` when there is no text;
   * with what the model fails with; and with the reason of an abort. `what` names the answer in messages.
   */
  ask(
    what: string,
    request: Pick<ModelRequest, 'messages' | 'output'>,
    signal?: AbortSignal,
  ): Promise<ModelText>;
}

export function askThrough(model: Model, options: PatternOptions, ownTemperature: number): TextAsker {
  const meter = meterModel(model, options.budget, options);
  return { meter, ask: asker(meter, options, ownTemperature) };
}

/** Asks through a meter that is there already, such as a judge's beside the writer's. */
export function asker(
  meter: Meter,
  { temperature, maxTokens, signal: usual }: PatternOptions,
  ownTemperature: number,
): TextAsker['ask'] {
  const asked = temperature === undefined ? withOwnTemperature(meter, ownTemperature) : meter.model;
  const settings = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  return (what, request, signal = usual) => askText(asked, what, { ...settings, ...request }, signal);
}

/** The text of one answer; see `TextAsker.ask`. */
export async function askText(
  model: Model,
  what: string,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<ModelText> {
  signal?.throwIfAborted();
  const { text, finish } = await collect(model.respond(request, signal === undefined ? {} : { signal }));
  if (finish === 'refusal') {
    throw new ModelError(`${model.name} declined to answer`, { kind: 'refused', provider: model.name });
  }
  if (text.trim() === '') {
    throw new ModelError(`${what} came back blank`, {
      kind: 'blank',
      provider: model.name,
      hint: finish === 'length' ? 'The token limit was used up before any text; raise maxTokens.' : undefined,
    });
  }
  return { text, truncated: finish === 'length' };
}
