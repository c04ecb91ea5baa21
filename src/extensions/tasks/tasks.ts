/** The extension `io.modelcontextprotocol/tasks`, for a server, a client, or both. */
import { type Clock, systemClock } from '../../basics/clock.ts';
import { checkFunction, checkNumber } from '../../basics/option-checks.ts';
import type { Extension } from '../../protocol/extension.ts';
import { awaitTask, type OnStatus } from './await-task.ts';
import { TaskServer } from './serve-tasks.ts';
import { MemoryTaskStore, type TaskStore } from './store.ts';
import { tasksId } from './task.ts';
import { resumeTask, startTask } from './task-handle.ts';

export interface TasksOptions {
  /** Server: milliseconds from a task's creation until it is ended and forgotten; 1 h. `null` for never. */
  readonly ttl?: number | null;
  /** Server: milliseconds between two looks that clients are asked to keep; 1 s. */
  readonly pollInterval?: number;
  /** Server: tasks kept in memory at most, running or over; 1,000. */
  readonly maxTasks?: number;
  /** Server: where tasks are kept; in this process's memory by default. */
  readonly store?: TaskStore;
  /** Client: called with each change of a task that is awaited by `client.call`. */
  readonly onStatus?: OnStatus;
  /**
   * Client: also hears the server's news of a task that outlasts the first look, on a standing request of its own, so as
   * to look at once when its status changes; false by default, for a browser has few connections.
   */
  readonly listen?: boolean;
  /** For tests. */
  readonly clock?: Clock;
}

/**
 * Give it to `extensions` of a server: calls of tools marked `task` become tasks for clients that declare the
 * extension. Give it to `extensions` of a client: `client.call` awaits such tasks, `tasks.start` and `tasks.resume`
 * hold one by hand. Throws a TypeError when an option cannot be used.
 */
export interface Tasks {
  (options?: TasksOptions): Extension;
  readonly start: typeof startTask;
  readonly resume: typeof resumeTask;
}

export const tasks: Tasks = Object.assign(makeExtension, { start: startTask, resume: resumeTask });

function makeExtension(options: TasksOptions = {}): Extension {
  const { ttl = 3_600_000, pollInterval = 1000, maxTasks = 1000, clock = systemClock, onStatus } = options;
  // Above that the platform's timers do not go.
  const longest = 2_147_483_647;
  if (ttl !== null) checkNumber('tasks', 'ttl', ttl, { integer: true, min: 1, max: longest });
  checkNumber('tasks', 'pollInterval', pollInterval, { integer: true, min: 1, max: longest });
  checkNumber('tasks', 'maxTasks', maxTasks, { integer: true, min: 1 });
  checkFunction('tasks', 'onStatus', onStatus);
  const store = options.store ?? new MemoryTaskStore({ clock, limit: maxTasks });
  const server = new TaskServer({ clock, store, ttl, pollInterval });
  return {
    id: tasksId,
    aroundCall: (call, context) => server.around(call, context),
    methods: {
      'tasks/get': call => server.get(call),
      'tasks/update': call => server.update(call),
      'tasks/cancel': call => server.cancel(call),
    },
    nameParams: { 'tasks/get': 'taskId', 'tasks/update': 'taskId', 'tasks/cancel': 'taskId' },
    topics: {
      taskIds: {
        admit: (ids, call) => server.admit(ids, call),
        onNews: listener => server.onNews(listener),
      },
    },
    results: { task: awaitTask(onStatus, options.listen ?? false) },
  };
}
