/** What is said for one run, and the first messages that follow from it. */
import { raceAbort } from '../basics/abort.ts';
import { messageOf } from '../basics/failure.ts';
import type { TraceContext } from '../basics/trace.ts';
import type { ModelMessage, RespondOptions, UserMessage } from '../models/model.ts';
import { type Content, isContent } from '../tools/content.ts';
import type { Instructions } from './agent-options.ts';
import type { RunObserver } from './events.ts';
import { checkHistory, openingMessages } from './history/history.ts';
import { RunState } from './run-state.ts';

export interface RunOptions<Deps = unknown> {
  /** Reaches instructions and tools unchanged; needed as soon as one of them needs anything. */
  readonly deps?: Deps;
  /** Aborting rejects the run at once with a RunAbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** Messages of an earlier run to go on from. Calls without a result get a neutral one. */
  readonly history?: readonly ModelMessage[] | undefined;
  /** Watches this run, beside the observer of the agent. */
  readonly onEvent?: RunObserver | undefined;
  /** Told of each dispatch to the model before it happens; what it throws forbids it and ends the run. */
  readonly onAttempt?: NonNullable<RespondOptions['onAttempt']> | undefined;
  /** The span that the run belongs to, as `ctx.trace` of a tool gives it; what surrounds the run unless set. */
  readonly trace?: TraceContext | undefined;
}

/** The last arguments of `run` and `stream`: `deps` must be given unless the agent needs nothing. */
export type RunArguments<Deps> = unknown extends Deps
  ? [options?: RunOptions<Deps>]
  : [options: RunOptions<Deps> & { readonly deps: Deps }];

/** The last argument of `resume`. */
export type ResumeArguments<Deps> = unknown extends Deps
  ? [options?: Omit<RunOptions<Deps>, 'history'>]
  : [options: Omit<RunOptions<Deps>, 'history'> & { readonly deps: Deps }];

/** Text, or blocks for models that read more than text. Nothing (or an empty list) goes on from the history as it is. */
export type Prompt = string | readonly Content[] | undefined;

/** Rejects with a TypeError for input that cannot be used, and a RunError for instructions that throw or are aborted. */
export async function openRun<Deps>(
  instructions: readonly Instructions<Deps>[],
  prompt: Prompt,
  options: RunOptions<Deps>,
  signal: AbortSignal | undefined,
): Promise<ModelMessage[]> {
  const { history = [] } = options;
  checkHistory(history);
  const message = toUserMessage(prompt);
  if (message === undefined && history.length === 0) {
    throw new TypeError('there is no prompt, and no history to go on from');
  }
  const context = { deps: options.deps as Deps, prompt, signal };
  const texts: string[] = [];
  for (const part of instructions) {
    const text =
      typeof part === 'string'
        ? part
        : await raceAbort(ask(part, context), signal).catch((error: unknown) => {
            const state = new RunState(openingMessages('', history, message));
            throw state.failure('loop', `the instructions could not be made: ${messageOf(error)}`, error);
          });
    if (typeof text !== 'string') throw new TypeError('instructions must give text');
    if (text !== '') texts.push(text);
  }
  return openingMessages(texts.join('\n\n'), history, message);
}

async function ask<Context>(part: (context: Context) => unknown, context: Context): Promise<unknown> {
  return await part(context);
}

function toUserMessage(prompt: unknown): UserMessage | undefined {
  if (prompt === undefined) return undefined;
  if (typeof prompt === 'string') {
    if (prompt.trim() === '') throw new TypeError('prompt must not be blank');
    return { role: 'user', content: prompt };
  }
  if (!Array.isArray(prompt) || !prompt.every(isContent)) {
    throw new TypeError('prompt must be text or a list of content blocks');
  }
  return prompt.length === 0 ? undefined : { role: 'user', content: [...prompt] };
}
