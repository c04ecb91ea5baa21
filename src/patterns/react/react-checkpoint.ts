/** How a run of `reactLoop` stands between two of its steps, as data, and how it goes on from there. */
import { checkSnapshot, type RunSnapshot, type SavedOutcome } from '../../agent/approval/paused-state.ts';
import type { RunPlan } from '../../agent/run-plan.ts';
import { isCount } from '../../models/countable-usage.ts';
import type { ModelMessage } from '../../models/model.ts';
import type { AnyTool } from '../../tools/tool.ts';

/** How far the loop is. */
export interface ReactState extends Omit<RunSnapshot, 'calls'> {
  /** The calls of the last message, in its order; none when that is the answer. */
  readonly calls: readonly ReactCall[];
  /** Calls that the approval gate did not let run. */
  readonly denied: number;
}

/** A call that is done, is being run, or has not begun. */
export type ReactCall =
  | { readonly id: string; readonly done: SavedOutcome }
  | { readonly id: string; readonly started?: true };

/** What a checkpoint is bound to. Descriptions are left out: a better one makes no other task. */
export function reactTask(
  prompt: string | readonly ModelMessage[],
  { supply }: RunPlan<unknown>,
): Readonly<Record<string, unknown>> {
  const tools = [...supply.own.values()].map(
    ({ spec }) => [`tool ${JSON.stringify(spec.name)}`, spec.parameters] as const,
  );
  return { prompt, ...Object.fromEntries(tools) };
}

export function isReactState(state: unknown): state is ReactState {
  try {
    checkSnapshot(state, 'the state');
  } catch {
    return false;
  }
  const { denied } = state as Partial<ReactState>;
  return isCount(denied) && state.messages.at(-1)?.role === 'assistant';
}

/** The answer, when the run was over. */
export function answerOf({ messages, calls }: ReactState): string | undefined {
  const last = messages.at(-1);
  return calls.length === 0 && last?.role === 'assistant' ? last.content : undefined;
}

/**
 * Where the loop goes on. A tool that was being run when everything stopped may have done its work: unless it says that
 * running it again does no harm it is not run, and the model is told.
 */
export function goOnFrom(state: ReactState, tools: readonly AnyTool[]): RunSnapshot {
  const asked = new Map(
    state.messages
      .flatMap(message => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
      .map(({ id, name }) => [id, name]),
  );
  const calls = state.calls.map(call => {
    if ('done' in call || call.started !== true) return call;
    const name = asked.get(call.id);
    const { annotations } = tools.find(tool => tool.name === name) ?? {};
    if (annotations?.readOnlyHint === true || annotations?.idempotentHint === true) return { id: call.id };
    const content = `Tool "${name}" was being run when the run was interrupted: whether it did its work is not known. Look before you call it again.`;
    return { id: call.id, done: { content, outcome: 'not-counted' as const } };
  });
  return { ...state, calls };
}

/** Puts together what the loop says of itself with which tools are being run. */
export class RunLog {
  readonly #save: (state: ReactState) => void;
  readonly #denied: () => number;
  #latest: RunSnapshot | undefined;
  #running = new Set<string>();

  constructor(save: (state: ReactState) => void, denied: () => number) {
    this.#save = save;
    this.#denied = denied;
  }

  /** Begins where another run stopped. */
  open(snapshot: RunSnapshot): void {
    this.#latest = snapshot;
  }

  readonly keep = (snapshot: RunSnapshot): void => {
    if (snapshot.turn !== this.#latest?.turn) this.#running.clear();
    this.#latest = snapshot;
    this.#tell(snapshot);
  };

  readonly started = (callId: string): void => {
    this.#running.add(callId);
    if (this.#latest !== undefined) this.#tell(this.#latest);
  };

  #tell(snapshot: RunSnapshot): void {
    const calls = snapshot.calls.map((call): ReactCall => {
      if ('done' in call) return call;
      return this.#running.has(call.id) ? { id: call.id, started: true } : { id: call.id };
    });
    this.#save({ ...snapshot, calls, denied: this.#denied() });
  }
}
