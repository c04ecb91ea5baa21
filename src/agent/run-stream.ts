/** A run that is watched while it goes on: its events as an async iterable, and its result. */
import { linkAbort } from '../basics/abort.ts';
import { TenonError } from '../basics/failure.ts';
import { AsyncQueue } from '../basics/queue.ts';
import type { RunEvent, RunObserver } from './events.ts';
import type { RunOutcome } from './run-plan.ts';

/**
 * The run starts at once and goes on whether or not anybody reads. Events can be read once, by one loop, which throws
 * the run's error after the last event; leaving the loop early aborts the run.
 */
export interface RunStream<Output = string, Pauses extends boolean = false> extends AsyncIterable<RunEvent> {
  /** Resolves or rejects as `run` does. It need not be looked at. */
  readonly result: Promise<RunOutcome<Output, Pauses>>;
}

/** Starts `run` with an observer that feeds the stream, and a signal that also aborts when the reader leaves. */
export function streamRun<Output>(
  run: (emit: RunObserver, signal: AbortSignal) => Promise<RunOutcome<Output, boolean>>,
  signal: AbortSignal | undefined,
): RunStream<Output, boolean> {
  const controller = new AbortController();
  const unlink = linkAbort([signal], controller);
  const events = new AsyncQueue<RunEvent>({
    abandoned: () => controller.abort(new TenonError('the reader left the stream of events')),
  });
  const result = run(event => events.push(event), controller.signal);
  result.then(
    () => {
      unlink();
      events.end();
    },
    (error: unknown) => {
      unlink();
      events.fail(error);
    },
  );
  let taken = false;
  return {
    result,
    [Symbol.asyncIterator]() {
      if (taken) throw new TypeError('the events of a run can be read once');
      taken = true;
      return events[Symbol.asyncIterator]();
    },
  };
}
