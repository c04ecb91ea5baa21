/** The call that a handler sees when it runs as a task, from the start or from where it says so. */
import { linkAbort } from '../../basics/abort.ts';
import type { Call } from '../../protocol/call.ts';
import type { Question } from '../../protocol/question.ts';
import type { Params } from '../../rpc/message.ts';
import type { ClientView, LogLevel, ProgressDetail } from '../../tools/context.ts';
import type { RunningTask } from './running-task.ts';

/** Makes the task of a call, whose handler heeds `controller`. */
export type CreateTask = (controller: AbortController) => Promise<RunningTask>;

export class TaskCall implements Call {
  readonly method: string;
  readonly params: Params;
  readonly client: ClientView;
  readonly principal: string | undefined;
  readonly takesKinds = false;
  readonly #controller = new AbortController();
  readonly #once = new Map<string, Promise<unknown>>();
  readonly #create: CreateTask;
  /** The call as it came, until the task begins; it must not be kept any longer than that. */
  #request: Call | undefined;
  /** What was asked and answered before the task began. */
  #before: Pick<Call, 'answers' | 'memo'> | undefined;
  #unlink: () => void;
  #task: RunningTask | undefined;
  #starting: Promise<void> | undefined;
  #over = false;
  /** Questions of the call itself that have no answer yet. */
  #asking = 0;

  constructor(call: Call, create: CreateTask) {
    this.method = call.method;
    this.params = call.params;
    this.client = call.client;
    this.principal = call.principal;
    this.#request = call;
    this.#create = create;
    this.#unlink = linkAbort([call.signal], this.#controller);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get task(): RunningTask | undefined {
    return this.#task;
  }

  /** Called with the task once it began. */
  onStart: (task: RunningTask) => void = () => {};

  startTask(): Promise<void> {
    if (this.#starting) return this.#starting;
    if (this.#asking > 0) {
      const why =
        'startTask: a question that the call asked has no answer yet; await it before the task begins';
      return Promise.reject(new TypeError(why));
    }
    const starting = this.#start();
    this.#starting = starting;
    starting.catch(() => {});
    return starting;
  }

  /** The handler is done; without a task the call is answered by what it came to. */
  finish(): void {
    this.#over = true;
    this.#leaveRequest();
  }

  ask(key: string, question: Question): Promise<unknown> {
    if (this.#task) return this.#task.ask(key, question);
    const request = this.#request;
    if (!request || this.#over)
      return Promise.reject(new TypeError(`ask: the call was over before "${key}"`));
    if (this.#starting) return this.#starting.then(() => this.ask(key, question));
    this.#asking += 1;
    return request.ask(key, question).finally(() => {
      this.#asking -= 1;
    });
  }

  get answers(): Params {
    return { ...(this.#request ?? this.#before)?.answers, ...this.#task?.answers };
  }

  get memo(): unknown {
    return this.#task?.memo ?? (this.#request ?? this.#before)?.memo;
  }

  needInput(questions: Readonly<Record<string, Question>>, memo: unknown): Promise<void> {
    if (this.#task) return this.#task.needInput(questions, memo);
    const request = this.#request;
    if (!request || this.#over) return Promise.reject(new TypeError('needInput: the call is over'));
    if (this.#starting) return this.#starting.then(() => this.needInput(questions, memo));
    return request.needInput(questions, memo);
  }

  once<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    let running = this.#once.get(name);
    if (!running) {
      // Only the call remembers what earlier rounds did; a task is one run.
      const request = this.#request;
      running = request ? request.once(name, effect) : Promise.resolve().then(effect);
      this.#once.set(name, running);
    }
    return running as Promise<T>;
  }

  progress(done: number, detail?: ProgressDetail): void {
    if (!this.#task) {
      this.#request?.progress(done, detail);
      return;
    }
    const count = detail?.total === undefined ? String(done) : `${done} of ${detail.total}`;
    this.#task.note(detail?.message ?? count);
  }

  /** A task has no place for log messages: they end with the answer to the call. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#request?.log(level, data, logger);
  }

  closeStream(): void {
    this.#request?.closeStream();
  }

  async #start(): Promise<void> {
    this.signal.throwIfAborted();
    const task = await this.#create(this.#controller);
    if (this.#over || this.signal.aborted) {
      // Nobody will learn of it.
      task.cancel(this.signal.reason ?? new DOMException('the call was over first', 'AbortError'));
      this.signal.throwIfAborted();
      return;
    }
    this.#leaveRequest();
    this.#task = task;
    this.onStart(task);
  }

  #leaveRequest(): void {
    this.#unlink();
    if (this.#request) this.#before = { answers: this.#request.answers, memo: this.#request.memo };
    this.#request = undefined;
  }
}
