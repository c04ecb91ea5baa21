/** What an agent is made of, and the checks that happen before anything is spent. */
import { type Clock, systemClock } from '../basics/clock.ts';
import { checkChoice, checkFunction, checkMilliseconds, checkNumber } from '../basics/option-checks.ts';
import { checkModel } from '../models/check-model.ts';
import type { Model, ModelRequest } from '../models/model.ts';
import type { InferOutput, Schema } from '../schema/schema.ts';
import type { Content } from '../tools/content.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { RunObserver } from './events.ts';
import { checkLimits, type Limits } from './limits.ts';
import type { RunPlan } from './loop.ts';
import type { ToolFailurePolicy } from './tool-batch.ts';
import { compile, registerTools } from './tool-registry.ts';

/** What instructions that are a function see. */
export interface InstructionContext<Deps> {
  readonly deps: Deps;
  readonly prompt: string | readonly Content[] | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Fixed text, or a function that is asked once per run. */
export type Instructions<Deps> = string | ((context: InstructionContext<Deps>) => string | Promise<string>);

/** What comes out of an agent with this `output`: text when there is none. */
export type OutputOf<S> = [S] extends [Schema] ? InferOutput<S> : string;

export interface AgentOptions<Deps, OutputSchema extends Schema | undefined> {
  readonly model: Model;
  /** System message of every run; it replaces those of a history. Several are joined by a blank line. */
  readonly instructions?: Instructions<Deps> | readonly Instructions<Deps>[] | undefined;
  readonly tools?: readonly AnyTool<Deps>[] | undefined;
  /** Offers only the tool of this name. */
  readonly toolChoice?: string | undefined;
  /** Schema of the output; the final text is read as JSON and judged by it. Text unless set. */
  readonly output?: OutputSchema | undefined;
  /** How often the model may correct an output that does not fit; 2 unless set. */
  readonly outputRetries?: number | undefined;
  /** Most that one run may use; unlimited unless set. */
  readonly limits?: Partial<Limits> | undefined;
  /** Most responses of the model in one run, corrections included; 10 unless set. */
  readonly maxTurns?: number | undefined;
  /** Most tools that run at once; 8 unless set. */
  readonly parallel?: number | undefined;
  /**
   * How many turns in a row a tool may fail in a way the model can mend (a `ToolError`, arguments that do not fit, an
   * unknown name) before the run fails; 2 unless set here or by the tool. It starts anew when the tool works.
   */
  readonly toolRetries?: number | undefined;
  /** Milliseconds for tools that set no timeout of their own; no limit unless set. */
  readonly toolTimeout?: number | undefined;
  /** `budget` unless set: see `ToolFailurePolicy`. */
  readonly onToolFailure?: ToolFailurePolicy | undefined;
  /** Most characters of a tool result that the model reads; unlimited unless set. */
  readonly maxObservation?: number | undefined;
  /** Most tool calls that are run in one turn; unlimited unless set. Further ones are answered with a refusal. */
  readonly maxCallsPerTurn?: number | undefined;
  /** Sent only when set. */
  readonly temperature?: number | undefined;
  /** Most tokens of one response; sent only when set. */
  readonly maxTokens?: number | undefined;
  /** Watches every run. */
  readonly onEvent?: RunObserver | undefined;
  readonly clock?: Clock | undefined;
}

/** The plan of every run. Throws a TypeError, or a TenonError about a schema, that names the option which is wrong. */
export function planRuns<Deps, S extends Schema | undefined>(options: AgentOptions<Deps, S>): RunPlan<Deps> {
  const { model, output, limits = {}, onToolFailure = 'budget', clock = systemClock } = options;
  checkOptions(options);
  const registry = registerTools(options.tools ?? [], {
    retries: options.toolRetries ?? 2,
    timeout: options.toolTimeout,
    choice: options.toolChoice,
  });
  const schema = output === undefined ? undefined : compile(output, 'output');
  const { temperature, maxTokens } = options;
  const request: Omit<ModelRequest, 'messages'> = {
    ...(registry.specs.length === 0 ? {} : { tools: registry.specs }),
    ...(schema === undefined ? {} : { output: { name: 'output', schema: schema.json } }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  return {
    model,
    tools: {
      registry,
      parallel: options.parallel ?? 8,
      onToolFailure,
      maxObservation: options.maxObservation ?? Number.POSITIVE_INFINITY,
      maxCallsPerTurn: options.maxCallsPerTurn ?? Number.POSITIVE_INFINITY,
      clock,
    },
    output: schema === undefined ? undefined : { schema, retries: options.outputRetries ?? 2 },
    limits,
    maxTurns: options.maxTurns ?? 10,
    request,
  };
}

function checkOptions<Deps, S extends Schema | undefined>(options: AgentOptions<Deps, S>): void {
  const where = 'Agent';
  checkModel(where, options.model);
  for (const part of Array.isArray(options.instructions) ? options.instructions : [options.instructions]) {
    if (typeof part !== 'string') checkFunction(where, 'instructions', part, 'text or functions');
  }
  checkLimits(options.limits ?? {});
  checkChoice(where, 'onToolFailure', options.onToolFailure, ['budget', 'observe']);
  checkFunction(where, 'onEvent', options.onEvent);
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
