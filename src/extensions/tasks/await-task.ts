/** The kind of result `task`, awaited for a caller who need not know of it: progress, questions and cancelling included. */
import { notify } from '../../basics/notify.ts';
import type { ClientAccess, ResultKind } from '../../protocol/extension.ts';
import { followTask } from './follow-task.ts';
import { isOver } from './task.ts';
import { TaskAnswers } from './task-answers.ts';
import { readSeed, type TaskView } from './task-view.ts';

/** Called with every view of the task that differs from the one before. */
export type OnStatus = (view: TaskView) => void;

/** Tells `onStatus` of each change and the call's `onProgress` of each new message. */
export function statusTeller(access: ClientAccess, onStatus: OnStatus | undefined): OnStatus {
  let told = '';
  let message: string | undefined;
  let changes = 0;
  return view => {
    const print = JSON.stringify([view.status, view.statusMessage, Object.keys(view.inputRequests)]);
    if (print === told) return;
    told = print;
    if (view.statusMessage !== undefined && view.statusMessage !== message) {
      message = view.statusMessage;
      changes += 1;
      access.progress({ progress: changes, message });
    }
    notify(onStatus, view);
  };
}

/** Gives the kind its meaning on a client. */
export function awaitTask(onStatus: OnStatus | undefined, listen: boolean): ResultKind {
  return async (value, access, method) => {
    const seed = readSeed(value, method);
    const tell = statusTeller(access, onStatus);
    let last = seed;
    try {
      return await followTask(seed, access, new TaskAnswers(seed.taskId), {
        listen,
        onView: view => {
          last = view;
          tell(view);
        },
      });
    } catch (thrown) {
      if (!isOver(last.status) && !access.gone.aborted) giveUp(seed.taskId, access);
      throw thrown;
    }
  };
}

/** Nobody waits for the task any more. Whether the server hears of it is not waited for. */
function giveUp(taskId: string, access: ClientAccess): void {
  access.request('tasks/cancel', { taskId }, { signal: undefined }).catch(() => {});
}
