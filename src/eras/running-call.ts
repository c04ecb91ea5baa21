/** A call while it runs on a server: its signal, its progress and its end; what the eras share of it. */
import type { Exchange } from '../channels/channel.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { readObject } from '../protocol/identity.ts';
import type { Question } from '../protocol/question.ts';
import type { ErrorBody, Id, Params, Request } from '../rpc/message.ts';
import type { ClientView, LogLevel, ProgressDetail } from '../tools/context.ts';
import type { Router } from './era.ts';

const noParams: Params = Object.freeze({});

/** Each era finishes it: how it asks, logs, and words its answer. */
export abstract class RunningCall implements Call {
  readonly id: Id;
  readonly method: string;
  readonly params: Params;
  readonly client: ClientView;
  readonly exchange: Exchange;
  #progress = Number.NEGATIVE_INFINITY;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #settled = false;
  /** What the connection keeps it under. */
  key: Id = '';
  /** Set by the connection once it holds nothing for the call any more. */
  finished = false;

  constructor(request: Request, exchange: Exchange, client: ClientView) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params ?? noParams;
    this.exchange = exchange;
    this.client = client;
  }

  get principal(): string | undefined {
    return this.exchange.principal;
  }

  get session(): string | undefined {
    return this.exchange.session;
  }

  /** Made on first use: most handlers never look. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** True once an answer was sent or none will be; nothing more is sent for the call then. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Marks the call as answered; false when it was before. */
  settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    return true;
  }

  /** True when `thrown` is only what the handler's signal was aborted with. */
  isAbortOf(thrown: unknown): boolean {
    return this.#aborted !== undefined && this.#aborted.reason === thrown;
  }

  /** Aborts the handler's signal. What it answers afterwards still counts unless the call is settled. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }

  progress(done: number, detail?: ProgressDetail): void {
    const token = readObject(this.params['_meta'])['progressToken'];
    if (this.#settled || (typeof token !== 'string' && typeof token !== 'number')) return;
    // The spec asks for growth; a report that does not grow is dropped rather than sent.
    if (!(done > this.#progress) || !Number.isFinite(done)) return;
    this.#progress = done;
    const params = { progressToken: token, progress: done, ...detail };
    this.exchange.send({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    if (this.#settled || !this.logs(level)) return;
    const params = logger === undefined ? { level, data } : { level, logger, data };
    this.exchange.send({ jsonrpc: '2.0', method: 'notifications/message', params });
  }

  closeStream(): void {
    this.exchange.closeStream?.();
  }

  /** Starts the handler. */
  begin(router: Router): Outcome | Promise<Outcome> {
    return router.handle(this);
  }

  /** True when the era itself answers the call, so that what the handler comes to is discarded. */
  get superseded(): boolean {
    return false;
  }

  abstract readonly takesKinds: boolean;
  abstract ask(key: string, question: Question): Promise<unknown>;
  abstract readonly answers: Readonly<Record<string, unknown>>;
  abstract readonly memo: unknown;
  abstract needInput(questions: Readonly<Record<string, Question>>, memo: unknown): Promise<void>;
  abstract once<T>(name: string, effect: () => T | Promise<T>): Promise<T>;
  /** Whether log messages of this level are wanted. */
  protected abstract logs(level: LogLevel): boolean;
  /** Words the result as this call's client reads it. */
  abstract result(outcome: Outcome): object;
  /** Words the failure as this call's client reads it; nothing for a bug, which is reported and hidden. */
  abstract failure(thrown: unknown): ErrorBody | undefined;
}

const severity: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** True when `level` is at least as severe as `least`. */
export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return severity.indexOf(level) >= severity.indexOf(least);
}

export function isLogLevel(value: unknown): value is LogLevel {
  return severity.includes(value as LogLevel);
}
