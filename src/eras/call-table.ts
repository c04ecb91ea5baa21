/** The calls of one connection that have no answer yet: admits them in turn, answers each once, cancels. */
import type { Outcome } from '../protocol/call.ts';
import type { Id } from '../rpc/message.ts';
import { codes, errorResponse } from '../rpc/protocol-error.ts';
import type { Calls, Router } from './era.ts';
import type { RunningCall } from './running-call.ts';

/** How much one client may have under way; see `docs/guides/serve-tools.md`. */
export interface Admission {
  /** Calls that run at once. */
  readonly running: number;
  /** Calls that wait their turn. */
  readonly queued: number;
  /** Bytes of the calls that wait. */
  readonly queuedBytes: number;
}

export const defaultAdmission: Admission = { running: 256, queued: 16_384, queuedBytes: 64 * 1024 * 1024 };

interface Queued {
  readonly call: RunningCall;
  readonly bytes: number;
}

export class CallTable implements Calls {
  readonly #router: Router;
  readonly #admission: Admission;
  readonly #calls = new Map<Id, RunningCall>();
  #active = 0;
  #queue: Queued[] = [];
  #queueHead = 0;
  #queuedBytes = 0;
  #idle: (() => void) | undefined;
  /** Size of the message whose call is being started. */
  bytes = 0;

  constructor(router: Router, admission: Admission = defaultAdmission) {
    this.#router = router;
    this.#admission = admission;
  }

  get size(): number {
    return this.#calls.size;
  }

  has(id: Id): boolean {
    return this.#calls.has(id);
  }

  keep(call: RunningCall): void {
    this.#calls.set(call.id, call);
  }

  release(id: Id): void {
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#idle?.();
  }

  run(call: RunningCall): void {
    const { running, queued, queuedBytes } = this.#admission;
    if (this.#active < running) {
      this.#calls.set(call.id, call);
      this.#start(call);
      return;
    }
    if (this.#queue.length - this.#queueHead >= queued || this.#queuedBytes + this.bytes > queuedBytes) {
      call.settle();
      const why = `busy: ${running} calls of this client are running and the queue is full; try again later`;
      call.exchange.send(errorResponse(call.id, codes.internalError, why));
      return;
    }
    this.#calls.set(call.id, call);
    this.#queue.push({ call, bytes: this.bytes });
    this.#queuedBytes += this.bytes;
  }

  get(id: Id): RunningCall | undefined {
    return this.#calls.get(id);
  }

  cancel(call: RunningCall, reason: unknown): void {
    if (!call.settle()) return;
    call.exchange.dropped?.(call.id);
    if (this.#calls.get(call.id) === call) this.release(call.id);
    call.abort(reason);
  }

  conclude(call: RunningCall, outcome: Outcome | undefined, thrown?: unknown): void {
    if (outcome) this.#answer(call, outcome);
    else if (call.settle()) this.#answerFailure(call, thrown);
    this.#finish(call);
  }

  abortAll(reason: unknown): void {
    for (const call of [...this.#calls.values()]) call.abort(reason);
  }

  /** Resolves when no call is left. */
  drained(): Promise<void> {
    if (this.#calls.size === 0) return Promise.resolve();
    return new Promise(resolve => {
      this.#idle = resolve;
    });
  }

  #start(call: RunningCall): void {
    this.#active += 1;
    let outcome: Outcome | Promise<Outcome>;
    try {
      outcome = call.begin(this.#router);
    } catch (thrown) {
      this.#failed(call, thrown);
      return;
    }
    if (outcome instanceof Promise) {
      outcome.then(
        value => this.#done(call, value),
        thrown => this.#failed(call, thrown),
      );
    } else this.#done(call, outcome);
  }

  #done(call: RunningCall, outcome: Outcome): void {
    if (call.superseded) return;
    this.#answer(call, outcome);
    this.#finish(call);
  }

  #failed(call: RunningCall, thrown: unknown): void {
    if (call.superseded) return;
    if (call.settle()) this.#answerFailure(call, thrown);
    this.#finish(call);
  }

  #answer(call: RunningCall, outcome: Outcome): void {
    if (!call.settle()) return;
    let result: object;
    try {
      result = call.result(outcome);
    } catch (thrown) {
      this.#answerFailure(call, thrown);
      return;
    }
    call.exchange.send({ jsonrpc: '2.0', id: call.id, result });
  }

  #answerFailure(call: RunningCall, thrown: unknown): void {
    let error = call.failure(thrown);
    if (!error) {
      this.#router.report(`${call.method}: internal error`, thrown);
      error = { code: codes.internalError, message: 'internal error; the server has logged the details' };
    }
    call.exchange.send({ jsonrpc: '2.0', id: call.id, error });
  }

  #finish(call: RunningCall): void {
    if (call.finished) return;
    call.finished = true;
    this.#active -= 1;
    // A cancelled call may have left its id to a later one.
    if (this.#calls.get(call.id) === call) this.release(call.id);
    this.#next();
  }

  #next(): void {
    while (this.#active < this.#admission.running && this.#queueHead < this.#queue.length) {
      const next = this.#queue[this.#queueHead];
      this.#queueHead += 1;
      if (!next) continue;
      this.#queuedBytes -= next.bytes;
      if (!next.call.settled) this.#start(next.call);
    }
    if (this.#queueHead > 1024 && this.#queueHead * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#queueHead);
      this.#queueHead = 0;
    }
  }
}
