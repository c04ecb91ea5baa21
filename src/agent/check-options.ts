/** The checks of an agent's options that need nothing but the options; tools and schemas are checked where they are read. */
import {
  checkChoice,
  checkFunction,
  checkHas,
  checkMilliseconds,
  checkNumber,
  checkText,
} from '../basics/option-checks.ts';
import { checkModel } from '../models/check-model.ts';
import type { Schema } from '../schema/schema.ts';
import type { AnyAgentOptions } from './agent-options.ts';
import { checkTrim } from './history/trim-history.ts';
import { checkLimits } from './limits.ts';

/** Throws a TypeError that names the option which is wrong. */
export function checkOptions<Deps, S extends Schema | undefined, Output>(
  options: AnyAgentOptions<Deps, S, Output>,
): void {
  const where = 'Agent';
  checkModel(where, options.model);
  if (options.name !== undefined) checkText(where, 'name', options.name);
  if (options.tracer !== undefined) {
    checkHas(where, 'tracer', options.tracer, 'span', 'a tracer, such as otel() of tenon/otel');
  }
  for (const part of Array.isArray(options.instructions) ? options.instructions : [options.instructions]) {
    if (typeof part !== 'string') checkFunction(where, 'instructions', part, 'text or functions');
  }
  checkLimits(options.limits ?? {});
  checkChoice(where, 'onToolFailure', options.onToolFailure, ['budget', 'observe']);
  checkChoice(where, 'outputMode', options.outputMode, ['native', 'tool', 'text']);
  if (options.approve !== undefined && options.pause === true) {
    throw new TypeError('Agent: give approve or pause: with approve a run never has to wait');
  }
  for (const name of ['pause', 'tidyArguments'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean') {
      throw new TypeError(`Agent: ${name} must be true or false`);
    }
  }
  for (const name of ['onEvent', 'decode', 'summarize', 'approve'] as const)
    checkFunction(where, name, options[name]);
  checkTrim(`${where}: trim`, options.trim ?? {});
  if (options.summarize !== undefined && options.trim === undefined) {
    throw new TypeError('Agent: summarize needs trim, which says what is left out');
  }
  checkNumber(where, 'maxResultTokens', options.maxResultTokens, { integer: true, min: 256, infinite: true });
  for (const name of ['toolRetries', 'outputRetries'] as const) {
    checkNumber(where, name, options[name], { integer: true, min: 0 });
  }
  for (const name of ['parallel', 'maxObservation', 'maxCallsPerTurn', 'maxTurns'] as const) {
    checkNumber(where, name, options[name], { integer: true, min: 1 });
  }
  checkMilliseconds(where, 'toolTimeout', options.toolTimeout);
  checkNumber(where, 'temperature', options.temperature, { min: 0 });
  checkNumber(where, 'maxTokens', options.maxTokens, { integer: true, min: 1 });
}
