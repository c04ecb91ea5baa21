/** A task held by hand: started on purpose or found again by its id, also by a client that was not there before. */
import { raceAbort } from '../../basics/abort.ts';
import type { ClientAccess, ResultKind } from '../../protocol/extension.ts';
import type { Params } from '../../rpc/message.ts';
import type { ToolResult } from '../../tools/tool.ts';
import { type OnStatus, statusTeller } from './await-task.ts';
import { followTask, look } from './follow-task.ts';
import { isOver, type TaskStatus } from './task.ts';
import { TaskAnswers } from './task-answers.ts';
import { readSeed, readTask, type TaskView } from './task-view.ts';

/** What a handle needs of a client; every `Client` has it. */
export interface TaskClient {
  access(options?: { readonly signal?: AbortSignal }): ClientAccess;
}

export interface HandleOptions {
  /** Gives up starting or finding the task, not the task. */
  readonly signal?: AbortSignal;
  /** Called with each change that is seen while somebody waits for `result()`. */
  readonly onStatus?: OnStatus;
  /** Also hears the server's news while somebody waits, on a standing request of its own; false by default. */
  readonly listen?: boolean;
}

/** One task. Its `id` is all that another process needs to `resume` it. */
export interface TaskHandle {
  /** Absent when the server answered at once instead of starting a task. */
  readonly id: string | undefined;
  /** As last seen. */
  readonly status: TaskStatus;
  /** What the task is doing, as last seen. */
  readonly statusMessage: string | undefined;
  /** Looks now. */
  refresh(): Promise<TaskStatus>;
  /**
   * Waits for the end and answers what is asked on the way; the signal ends the wait and not the task. Rejects with a
   * `ProtocolError` when the task failed, a `TaskCancelledError`, or what looking failed with.
   */
  result(options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** Asks the server to end the task; it may still come to a result. */
  cancel(): Promise<void>;
}

/** Calls a tool and comes back as soon as the server has made a task of it, or has answered. */
export async function startTask(
  client: TaskClient,
  name: string,
  args: Params = {},
  options: HandleOptions = {},
): Promise<TaskHandle> {
  const { signal } = options;
  let seed: TaskView | undefined;
  const task: ResultKind = async (value, _access, method) => {
    seed = readSeed(value, method);
    return {};
  };
  const params = { name, arguments: args };
  const value = await client.access().request('tools/call', params, { signal, results: { task } });
  return seed ? new FollowedTask(client, seed, options) : answered(value);
}

/** Finds a task by its id. Rejects with a `ProtocolError` when the server knows none, or none of this caller. */
export async function resumeTask(
  client: TaskClient,
  taskId: string,
  options: HandleOptions = {},
): Promise<TaskHandle> {
  const value = await client.access().request('tasks/get', { taskId }, { signal: options.signal });
  return new FollowedTask(client, readTask(value, taskId), options);
}

class FollowedTask implements TaskHandle {
  readonly id: string;
  readonly #client: TaskClient;
  readonly #onStatus: OnStatus | undefined;
  readonly #listen: boolean;
  readonly #answers: TaskAnswers;
  #view: TaskView;
  /** All who wait for the result share one look at a time, so that nothing is asked twice. */
  #following: Promise<Params> | undefined;
  #leave = new AbortController();
  #waiting = 0;

  constructor(client: TaskClient, seed: TaskView, options: HandleOptions) {
    this.id = seed.taskId;
    this.#client = client;
    this.#view = seed;
    this.#onStatus = options.onStatus;
    this.#listen = options.listen ?? false;
    this.#answers = new TaskAnswers(seed.taskId);
  }

  get status(): TaskStatus {
    return this.#view.status;
  }

  get statusMessage(): string | undefined {
    return this.#view.statusMessage;
  }

  async refresh(): Promise<TaskStatus> {
    if (!isOver(this.#view.status)) this.#see(await look(this.#view, this.#client.access()));
    return this.#view.status;
  }

  async result({ signal }: { readonly signal?: AbortSignal } = {}): Promise<ToolResult> {
    signal?.throwIfAborted();
    this.#following ??= this.#follow();
    const following = this.#following;
    this.#waiting += 1;
    try {
      return asResult(await raceAbort(following, signal));
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) {
        this.#leave.abort(new DOMException('nobody waits for the task', 'AbortError'));
        if (!isOver(this.#view.status)) this.#following = undefined;
      }
    }
  }

  async cancel(): Promise<void> {
    await this.#client.access().request('tasks/cancel', { taskId: this.id });
  }

  async #follow(): Promise<Params> {
    this.#leave = new AbortController();
    const access = this.#client.access({ signal: this.#leave.signal });
    const tell = statusTeller(access, this.#onStatus);
    return followTask(this.#view, access, this.#answers, {
      listen: this.#listen,
      onView: view => {
        this.#see(view);
        tell(view);
      },
    });
  }

  #see(view: TaskView): void {
    // A look that was under way when a later one ended must not bring back what is over.
    if (!isOver(this.#view.status)) this.#view = view;
  }
}

function answered(value: Params): TaskHandle {
  return {
    id: undefined,
    status: 'completed',
    statusMessage: undefined,
    refresh: () => Promise.resolve('completed'),
    result: () => Promise.resolve(asResult(value)),
    cancel: () => Promise.resolve(),
  };
}

function asResult(value: Params): ToolResult {
  return { content: [], ...value };
}
