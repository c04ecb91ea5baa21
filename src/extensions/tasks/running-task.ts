/** One task while its handler runs in this process: its state, its open questions, and its one end. */
import { messageOf } from '../../basics/failure.ts';
import { AskedKeys } from '../../eras/index.ts';
import { isMissingCapability } from '../../protocol/errors.ts';
import { type Question, questionKinds } from '../../protocol/question.ts';
import type { ErrorBody, Params } from '../../rpc/message.ts';
import { codes, errorBody, isProtocolError } from '../../rpc/protocol-error.ts';
import { isOver, type TaskRecord } from './task.ts';

/** What this extension answers where the caller has not said that it knows it (spec 2026-07-28, error codes). */
const missingCapability = -32021;

interface Pending {
  readonly request: Params;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface TaskSeat {
  /** Aborted when the task is cancelled or its time is over. */
  readonly controller: AbortController;
  /** Keeps what the task has become. */
  save(record: TaskRecord): void;
  report(message: string, cause: unknown): void;
  /** The task is over. */
  ended(): void;
}

export class RunningTask {
  readonly #seat: TaskSeat;
  readonly #keys = new AskedKeys();
  readonly #pending = new Map<string, Pending>();
  readonly #used = new Set<string>();
  #record: TaskRecord;

  constructor(record: TaskRecord, seat: TaskSeat) {
    this.#record = record;
    this.#seat = seat;
  }

  get record(): TaskRecord {
    return this.#record;
  }

  get over(): boolean {
    return isOver(this.#record.status);
  }

  get signal(): AbortSignal {
    return this.#seat.controller.signal;
  }

  /** What was answered so far, by key, as it came. */
  get answers(): Params {
    return this.#keys.answers;
  }

  get memo(): unknown {
    return this.#keys.memo;
  }

  /** Asks whoever follows the task. */
  ask(key: string, question: Question): Promise<unknown> {
    return this.#keys.ask(key, question, () => this.#ask(key, question));
  }

  needInput(questions: Readonly<Record<string, Question>>, memo: unknown): Promise<void> {
    return this.#keys.needInput(questions, memo, (key, question) => this.#ask(key, question));
  }

  /** Takes the answers to open questions; others were answered before or never asked, and are passed over. */
  answer(answers: Params): void {
    const known = Object.entries(answers).flatMap(([key, answer]) => {
      const pending = this.#pending.get(key);
      this.#pending.delete(key);
      return pending ? [{ pending, answer }] : [];
    });
    if (known.length === 0) return;
    this.#tellOpen();
    for (const { pending, answer } of known) pending.resolve(answer);
  }

  /** What the task is doing, for people. */
  note(statusMessage: string): void {
    this.#become({ ...this.#record, statusMessage });
  }

  complete(result: Params): void {
    const { inputRequests, statusMessage, ...bare } = this.#record;
    this.#end({ ...bare, status: 'completed', result }, new Error('the task ended before this was answered'));
  }

  /** Ends the task as a call would have ended that failed with `thrown`. */
  fail(thrown: unknown): void {
    // What the handler makes of its own abortion is nobody's concern.
    if (this.over) return;
    const { inputRequests, ...bare } = this.#record;
    const error = this.#word(thrown);
    this.#end({ ...bare, status: 'failed', statusMessage: error.message, error }, thrown);
  }

  /** Ends the task at once and tells its handler, which may take its time. Does nothing once it is over. */
  cancel(reason: unknown): void {
    const { inputRequests, ...bare } = this.#record;
    if (this.#end({ ...bare, status: 'cancelled' }, reason)) this.#seat.controller.abort(reason);
  }

  /** Its time is over. */
  expire(reason: Error): void {
    const { inputRequests, ...bare } = this.#record;
    const error = { code: codes.internalError, message: reason.message };
    const record: TaskRecord = { ...bare, status: 'failed', statusMessage: reason.message, error };
    if (this.#end(record, reason)) this.#seat.controller.abort(reason);
  }

  #ask(key: string, question: Question): Promise<unknown> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason);
    if (this.over) return Promise.reject(new Error('the task ended before this was asked'));
    const { method } = questionKinds[question.kind];
    const request = question.params === undefined ? { method } : { method, params: question.params };
    return new Promise((resolve, reject) => {
      this.#pending.set(this.#unused(key), { request, resolve, reject });
      this.#tellOpen();
    });
  }

  /** What is asked anew under its name travels under another: on the way a key stands for one question for ever. */
  #unused(key: string): string {
    let free = key;
    for (let count = 2; this.#used.has(free); count += 1) free = `${key}#${count}`;
    this.#used.add(free);
    return free;
  }

  #tellOpen(): void {
    const { inputRequests, ...bare } = this.#record;
    if (this.#pending.size === 0) this.#become({ ...bare, status: 'working' });
    else {
      const open = [...this.#pending].map(([key, { request }]) => [key, request]);
      this.#become({ ...bare, status: 'input_required', inputRequests: Object.fromEntries(open) });
    }
  }

  #become(record: TaskRecord): boolean {
    if (this.over) return false;
    this.#record = { ...record, lastUpdatedAt: new Date().toISOString() };
    this.#seat.save(this.#record);
    return true;
  }

  #end(record: TaskRecord, unanswered: unknown): boolean {
    if (!this.#become(record)) return false;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(unanswered);
    this.#seat.ended();
    return true;
  }

  #word(thrown: unknown): ErrorBody {
    if (isProtocolError(thrown)) return errorBody(thrown);
    if (isMissingCapability(thrown)) {
      const data = { requiredCapabilities: thrown.required };
      return { code: missingCapability, message: messageOf(thrown), data };
    }
    this.#seat.report('a task failed: internal error', thrown);
    return {
      code: codes.internalError,
      message: 'internal error; the server has logged the details',
    };
  }
}
