/** The server's half: lets calls of marked tools go on as tasks, and answers for them by id. */
import type { Clock } from '../../basics/clock.ts';
import { isObject } from '../../basics/json.ts';
import { nextTurn } from '../../basics/next-turn.ts';
import { sketch } from '../../basics/sketch.ts';
import { TimeoutError } from '../../basics/timeout-error.ts';
import type { Call, Outcome } from '../../protocol/call.ts';
import { MissingCapability } from '../../protocol/errors.ts';
import type { ToolCallContext, TopicNews } from '../../protocol/extension.ts';
import { readObject } from '../../protocol/identity.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import { RunningTask } from './running-task.ts';
import type { TaskStore } from './store.ts';
import { detailOf, isOver, seedOf, type TaskRecord, tasksId } from './task.ts';
import { TaskCall } from './task-call.ts';

export interface ServeTasksOptions {
  readonly clock: Clock;
  readonly store: TaskStore;
  /** Milliseconds from a task's creation until it is forgotten; `null` for never. */
  readonly ttl: number | null;
  /** Milliseconds between two looks that a client is asked to keep. */
  readonly pollInterval: number;
}

const acknowledged: Outcome = { value: {} };

export class TaskServer {
  readonly #options: ServeTasksOptions;
  readonly #running = new Map<string, RunningTask>();
  readonly #listeners = new Set<(news: TopicNews) => void>();

  constructor(options: ServeTasksOptions) {
    this.#options = options;
  }

  /** How many handlers run as tasks now. */
  get running(): number {
    return this.#running.size;
  }

  async around(call: Call, { tool, next, report }: ToolCallContext): Promise<Outcome> {
    const { task = 'never', taskStart = 'at-once' } = tool;
    if (task === 'never') return next(call);
    if (!call.takesKinds || !declares(call)) {
      if (task === 'required') throw missing(`the tool ${tool.name} runs as a task only`);
      return next(call);
    }
    const asTask = new TaskCall(call, controller => this.#create(call.principal, controller, report));
    if (taskStart === 'by-tool') return this.#runUntilStart(asTask, next);
    await asTask.startTask();
    // The answer leaves before a handler that never lets go of the thread.
    nextTurn(() => void this.#run(asTask, next).catch(() => {}));
    return seed(asTask.task);
  }

  async get(call: Call): Promise<Outcome> {
    return { value: detailOf(await this.#find(call)) };
  }

  async update(call: Call): Promise<Outcome> {
    const { inputResponses } = call.params;
    const record = await this.#find(call);
    if (!isObject(inputResponses)) {
      const why = `inputResponses must be an object of answers by key, got ${sketch(inputResponses)}`;
      throw new ProtocolError(codes.invalidParams, why);
    }
    const running = this.#running.get(record.taskId);
    if (running) running.answer(inputResponses);
    else if (!isOver(record.status)) {
      const why = `the task ${record.taskId} does not run in this process, which cannot take answers for it`;
      throw new ProtocolError(codes.internalError, why);
    }
    return acknowledged;
  }

  async cancel(call: Call): Promise<Outcome> {
    const record = await this.#find(call);
    const running = this.#running.get(record.taskId);
    if (running) running.cancel(new DOMException('the client cancelled the task', 'AbortError'));
    else if (!isOver(record.status)) {
      const { inputRequests, ...bare } = record;
      await this.#options.store.update({ ...bare, status: 'cancelled', lastUpdatedAt: now() });
    }
    return acknowledged;
  }

  /** Only what runs here has news. */
  admit(ids: readonly string[], call: Call): readonly string[] {
    if (!declares(call)) throw missing(`watching tasks needs a client that declares ${tasksId}`);
    const principal = call.principal ?? null;
    return ids.filter(id => this.#running.get(id)?.record.principal === principal);
  }

  onNews(listener: (news: TopicNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Answers by the task when the handler starts one, else by what the handler comes to. */
  #runUntilStart(call: TaskCall, next: ToolCallContext['next']): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      call.onStart = task => resolve(seed(task));
      this.#run(call, next).then(resolve, reject);
    });
  }

  async #run(call: TaskCall, next: ToolCallContext['next']): Promise<Outcome> {
    // Cancelled between the answer and the start.
    if (call.task?.over) return acknowledged;
    try {
      const outcome = await next(call);
      call.task?.complete(outcome.value);
      return outcome;
    } catch (thrown) {
      call.task?.fail(thrown);
      throw thrown;
    } finally {
      call.finish();
    }
  }

  async #create(
    principal: string | undefined,
    controller: AbortController,
    report: ToolCallContext['report'],
  ): Promise<RunningTask> {
    const { store, ttl, pollInterval, clock } = this.#options;
    const taskId = crypto.randomUUID();
    const createdAt = now();
    const record: TaskRecord = {
      taskId,
      principal: principal ?? null,
      status: 'working',
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: ttl,
      pollIntervalMs: pollInterval,
    };
    await store.create(record);
    let saved: Promise<boolean> = Promise.resolve(true);
    const forget = (): void => void this.#running.delete(taskId);
    const save = async (changed: TaskRecord): Promise<boolean> => {
      await saved;
      try {
        await store.update(changed);
        return true;
      } catch (cause) {
        report(`a task could not be kept as "${changed.status}"`, cause);
        return false;
      }
    };
    const task = new RunningTask(record, {
      controller,
      report,
      save: changed => {
        saved = save(changed);
        this.#tell(changed);
      },
      ended: () => {
        void saved.then(kept => {
          // What the store did not take is answered for from here until its time is over.
          if (!kept) return;
          timer?.cancel();
          forget();
        });
      },
    });
    this.#running.set(taskId, task);
    const expire = (after: number): void => {
      task.expire(overdue(after));
      forget();
    };
    const timer = ttl === null ? undefined : clock.after(ttl, () => expire(ttl));
    return task;
  }

  #tell(record: TaskRecord): void {
    const news = { id: record.taskId, method: 'notifications/tasks', params: detailOf(record) };
    for (const listener of [...this.#listeners]) listener(news);
  }

  async #find(call: Call): Promise<TaskRecord> {
    if (!call.takesKinds) {
      const why = `${call.method} is not part of this connection’s revision of the protocol`;
      throw new ProtocolError(codes.methodNotFound, why);
    }
    if (!declares(call)) throw missing(`${call.method} needs a client that declares ${tasksId}`);
    const { taskId } = call.params;
    if (typeof taskId !== 'string') {
      throw new ProtocolError(codes.invalidParams, `taskId must be a string, got ${sketch(taskId)}`);
    }
    const record = this.#running.get(taskId)?.record ?? (await this.#options.store.get(taskId));
    // Nobody learns whether a task of somebody else exists.
    if (record?.principal === (call.principal ?? null)) return record;
    const why = `no task ${sketch(taskId)}: it never was, its time is over, or it belongs to another caller`;
    throw new ProtocolError(codes.invalidParams, why);
  }
}

function seed(task: RunningTask | undefined): Outcome {
  if (!task) throw new TypeError('a task did not begin');
  return { kind: 'task', value: seedOf(task.record) };
}

/** Said with each request; nothing is remembered. */
function declares(call: Call): boolean {
  return Object.hasOwn(readObject(call.client.capabilities['extensions']), tasksId);
}

function missing(message: string): MissingCapability {
  return new MissingCapability(message, { extensions: { [tasksId]: {} } });
}

function overdue(ms: number): TimeoutError {
  return new TimeoutError(`the task was not over within its time to live of ${ms} ms`, {
    phase: 'tools/call',
    limit: 'total',
    ms,
    hint: 'Raise the option ttl of tasks().',
  });
}

function now(): string {
  return new Date().toISOString();
}
