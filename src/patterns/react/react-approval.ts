/** The approval gate in a run of `reactLoop`: which tools it guards, how it ends the run, and what the evidence says of it. */
import type { RunEvent } from '../../agent/events.ts';
import { linkAbort } from '../../basics/abort.ts';
import type { TimeoutError } from '../../basics/timeout-error.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { type Approval, readApproval } from '../approval/approval.ts';
import { guardTools, type WithApprovalOptions } from '../approval/with-approval.ts';
import type { Meter } from '../asking/meter.ts';
import type { Observers } from '../contract/trace.ts';

/** The gate of one run; without `approve` it changes nothing. */
export interface RunGuard {
  readonly tools: readonly AnyTool[];
  /** The signal for the run: the caller's, or one that aborts with it and when the gate ends the run. */
  readonly open: () => AbortSignal | undefined;
  /** Call it when the run is over. */
  readonly close: () => void;
  /** Must see every event of the run as it happens. */
  readonly watch: (event: RunEvent) => void;
  /** How many calls were not let through. */
  readonly denied: () => number;
  /** What the gate ended the run with, if it did. */
  readonly raised: () => TimeoutError | undefined;
}

export interface RunGuardOptions extends WithApprovalOptions, Observers {
  readonly tools: readonly AnyTool[];
  readonly approve?: Approval | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told right before a tool runs, when whoever has to agree has agreed. */
  readonly onRun: (callId: string) => void;
  /** Calls that were not let through before. */
  readonly denied: () => number;
}

/** Throws a TypeError that names the option which cannot be used. */
export function guardRun(options: RunGuardOptions, note: Meter['note']): RunGuard {
  const { tools, approve, signal, onRun, denied: before } = options;
  if (approve === undefined) {
    return {
      tools,
      open: () => signal,
      close() {},
      watch(event) {
        if (event.type === 'tool-start') onRun(event.callId);
      },
      denied: before,
      raised: () => undefined,
    };
  }
  const where = 'reactLoop';
  const controller = new AbortController();
  let denied = 0;
  let raised: TimeoutError | undefined;
  let current: string | undefined;
  const guarded = guardTools(where, tools, readApproval(where, 'approve', approve), {
    ...options,
    // The agent says that it starts a call right before it enters `run`, with nothing in between.
    currentCall: () => current,
    onRefused: () => {
      denied += 1;
    },
    onRaise(error) {
      raised ??= error;
      controller.abort(error);
    },
    onFailOpen: note,
    onPassed(callId) {
      if (callId !== undefined) onRun(callId);
    },
  });
  const free = new Set(tools.filter(tool => guarded.includes(tool)).map(({ name }) => name));
  let unlink = (): void => {};
  return {
    tools: guarded,
    open() {
      unlink = linkAbort([signal], controller);
      return controller.signal;
    },
    close: () => unlink(),
    watch(event) {
      if (event.type !== 'tool-start') return;
      current = event.callId;
      if (free.has(event.tool)) onRun(event.callId);
    },
    denied: () => before() + denied,
    raised: () => raised,
  };
}
