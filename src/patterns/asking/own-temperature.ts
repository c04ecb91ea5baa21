/** A pattern's own temperature, given up for good when the model refuses it. */

import type { Model, ModelRequest, Part, RespondOptions } from '../../models/model.ts';
import { isModelError } from '../../models/model-error.ts';
import type { Meter } from './meter.ts';

/**
 * Sends `temperature` with every request until the model refuses it, then no more: the note about it is what is gone by,
 * so that it holds for a run that goes on as well. The refused attempt is one more call. A temperature that the caller chose goes into the request
 * instead: what becomes of it there is the model's to say.
 */
export function withOwnTemperature(meter: Meter, temperature: number): Model {
  const { model } = meter;
  const refused = `the model refuses a temperature; its default is used instead of ${temperature}`;
  async function* respond(request: ModelRequest, options?: RespondOptions): AsyncGenerator<Part> {
    if (!meter.notes.includes(refused)) {
      let started = false;
      try {
        for await (const part of model.respond({ ...request, temperature }, options)) {
          // Notes are no part of an answer; a refusal may still follow them.
          started ||= part.type !== 'note';
          yield part;
        }
        return;
      } catch (error) {
        if (started || !refusesTemperature(error)) throw error;
        meter.note(refused);
      }
    }
    yield* model.respond(request, options);
  }
  return { name: model.name, respond };
}

function refusesTemperature(error: unknown): boolean {
  return isModelError(error) && error.kind === 'invalid-request' && /temperature/i.test(error.message);
}
