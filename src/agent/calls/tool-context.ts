/** What a tool sees of the agent that runs it: dependencies, a signal, progress, and no client to ask. */
import { TenonError } from '../../basics/failure.ts';
import type { TraceContext } from '../../basics/trace.ts';
import type { ToolCall } from '../../models/model.ts';
import type { ClientView, ToolContext } from '../../tools/context.ts';
import type { InputAnswers } from '../../tools/need-input.ts';
import type { RunObserver } from '../events.ts';

/** There is no client at the other end of an agent in this process. */
const noClient: ClientView = Object.freeze({
  info: undefined,
  capabilities: Object.freeze({}),
  revision: undefined,
});

/** Nobody was asked anything. */
const noAnswers: InputAnswers = {
  elicit: () => undefined,
  sample: () => undefined,
  roots: () => undefined,
};

export interface ContextFacts<Deps> {
  readonly call: ToolCall;
  readonly turn: number;
  readonly deps: Deps;
  readonly signal: AbortSignal;
  readonly emit: RunObserver | undefined;
  readonly trace: TraceContext | undefined;
  /** Whether the call has ended; what the tool reports afterwards is dropped. */
  readonly isOver: () => boolean;
}

/** The context of one call. Its functions may be taken off it. */
export function toolContext<Deps>(facts: ContextFacts<Deps>): ToolContext<Deps> {
  const { call, turn, deps, signal, emit, trace, isOver } = facts;
  const about = { turn, callId: call.id, tool: call.name };
  const remembered = new Map<string, unknown>();

  return {
    signal,
    client: noClient,
    principal: undefined,
    deps,
    trace,
    progress(done, detail) {
      if (!isOver()) emit?.({ type: 'tool-progress', ...about, done, ...detail });
    },
    log(level, data, logger) {
      if (isOver()) return;
      emit?.({ type: 'tool-log', ...about, level, data, ...(logger === undefined ? {} : { logger }) });
    },
    elicit: key => refuse(call.name, 'ask a person', key),
    sample: key => refuse(call.name, "ask the client's model", key),
    roots: key => refuse(call.name, 'ask for roots', key),
    answers: noAnswers,
    memo: undefined,
    async once<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
      // A call runs once here, so this only joins uses of the same name within it.
      if (!remembered.has(name)) remembered.set(name, (async () => await effect())());
      return (await remembered.get(name)) as T;
    },
    closeStream() {},
    startTask: () => Promise.resolve(),
  };
}

function refuse(tool: string, what: string, key: string | undefined): Promise<never> {
  const named = key === undefined ? '' : ` (${key})`;
  return Promise.reject(
    new TenonError(`tool "${tool}" cannot ${what}${named}: an agent in this process has no client to ask`, {
      hint: 'Give the tool what it needs by the dependencies of the run.',
    }),
  );
}
