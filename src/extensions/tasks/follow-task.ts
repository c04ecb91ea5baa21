/** Follows a task to its end: looks at the server's interval, answers what it asks, says how it goes. */
import { linkAbort, onAbort } from '../../basics/abort.ts';
import type { Clock } from '../../basics/clock.ts';
import { isTimeoutError, TimeoutError } from '../../basics/timeout-error.ts';
import type { ClientAccess } from '../../protocol/extension.ts';
import { isConnectionError } from '../../rpc/connection-error.ts';
import type { Params } from '../../rpc/message.ts';
import { ProtocolError } from '../../rpc/protocol-error.ts';
import { isOver } from './task.ts';
import type { TaskAnswers } from './task-answers.ts';
import { TaskCancelledError } from './task-cancelled.ts';
import { TaskNews } from './task-news.ts';
import { readTask, type TaskView, unusable } from './task-view.ts';

/** Looks in a row that may fail by chance before the failure counts. */
const failuresAllowed = 3;
/** Milliseconds after its time to live until a task that its server still calls alive is given up. */
const patience = 60_000;

export interface FollowOptions {
  readonly onView: (view: TaskView) => void;
  /** Whether to hear the server's news beside looking. */
  readonly listen: boolean;
}

/**
 * The result of the task. Rejects with a `ProtocolError` when it failed, a `TaskCancelledError`, the reason of a
 * signal, what a question failed with, or what looking failed with; the task itself is left alone.
 */
export async function followTask(
  seed: TaskView,
  access: ClientAccess,
  answers: TaskAnswers,
  { onView, listen }: FollowOptions,
): Promise<Params> {
  const stop = new AbortController();
  let news: TaskNews | undefined;
  const unlink = linkAbort([access.signal, access.gone], stop);
  const { clock } = access;
  const due = seed.ttlMs === null ? Number.POSITIVE_INFINITY : clock.now() + seed.ttlMs + patience;
  try {
    for (let view = seed; ; view = await look(view, access, stop.signal)) {
      onView(view);
      if (isOver(view.status)) return settle(view);
      answers.take(view.inputRequests, access, error => stop.abort(error));
      if (clock.now() >= due) throw overdue(seed);
      // A task that is over by the first look is not worth a subscription.
      if (listen && view !== seed) news ??= new TaskNews(seed.taskId, access);
      await pause(clock, view.pollIntervalMs, stop.signal, news?.since(view));
    }
  } catch (thrown) {
    throw stop.signal.aborted ? stop.signal.reason : thrown;
  } finally {
    unlink();
    news?.stop();
    answers.stop(stop.signal.reason ?? new DOMException('the task is over', 'AbortError'));
  }
}

/** One look at the task, tried again when it fails by chance. */
export async function look(view: TaskView, access: ClientAccess, signal?: AbortSignal): Promise<TaskView> {
  const { taskId } = view;
  for (let failures = 1; ; failures += 1) {
    try {
      return readTask(await access.request('tasks/get', { taskId }, { signal }), taskId);
    } catch (thrown) {
      const byChance = isTimeoutError(thrown) || (isConnectionError(thrown) && thrown.retryable);
      if (!byChance || failures >= failuresAllowed) throw thrown;
    }
    await pause(access.clock, view.pollIntervalMs, signal);
  }
}

function settle(view: TaskView): Params {
  if (view.status === 'cancelled') throw new TaskCancelledError(view.taskId, view.statusMessage);
  if (view.status === 'completed') {
    if (view.result) return view.result;
    throw unusable('it is completed and has no result');
  }
  if (!view.error) throw unusable('it is failed and has no error');
  const { code, message, data } = view.error;
  throw new ProtocolError(code, message, { data, method: 'tools/call' });
}

/** Ends early with `early`. Keeps the process alive: somebody waits for the task. */
function pause(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  early?: Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop = (): void => {};
    const end = (): void => {
      timer.cancel();
      stop();
      resolve();
    };
    const timer = clock.after(ms, end, true);
    void early?.then(end);
    if (!signal) return;
    stop = onAbort(signal, () => {
      timer.cancel();
      reject(signal.reason);
    });
  });
}

function overdue({ taskId, ttlMs }: TaskView): TimeoutError {
  const ms = ttlMs ?? 0;
  return new TimeoutError(`tools/call: the task ${taskId} was not over after its time to live of ${ms} ms`, {
    phase: 'tools/call',
    limit: 'total',
    ms,
    hint: 'The server may still finish it: look with tasks.resume(client, taskId).',
  });
}
