/** The calls of one connection that have no answer yet: admits them in turn, answers each once, cancels. */
import type { Exchange } from '../channels/channel.ts';
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
  /** Characters that the client has not taken yet; beyond, calls wait until it reads. */
  readonly backlog: number;
}

const mebibyte = 1024 * 1024;
const defaultAdmission: Admission = {
  running: 256,
  queued: 16_384,
  queuedBytes: 64 * mebibyte,
  backlog: 64 * mebibyte,
};

export class CallTable implements Calls {
  readonly #router: Router;
  readonly #admission: Admission;
  readonly #calls = new Map<unknown, RunningCall>();
  /** What a call is found by: its id, or itself where calls of several clients share the table. */
  readonly #key: (call: RunningCall) => unknown;
  #active = 0;
  /** What waits, in order, with its size. */
  readonly #queue = new Map<RunningCall, number>();
  /** Kept between turns: one that starts anew would pass over all that was taken out before. */
  #order: Iterator<readonly [RunningCall, number], undefined> = this.#queue.entries();
  #queuedBytes = 0;
  #starting = false;
  #idle: (() => void) | undefined;
  /** Where the answers go, on a connection that knows how many of them are not read yet. */
  #outlet: Required<Pick<Exchange, 'backlog' | 'onTaken'>> | undefined;
  #waitsForReader = false;
  /** Size of the message whose call is being started. */
  bytes = 0;

  /** With `shared`, calls of many clients may have the same id, and none is found by it. */
  constructor(router: Router, admission: Admission = defaultAdmission, shared = false) {
    this.#router = router;
    this.#admission = admission;
    this.#key = shared ? call => call : call => call.id;
  }

  get size(): number {
    return this.#calls.size;
  }

  has(id: Id): boolean {
    return this.#calls.has(id);
  }

  keep(call: RunningCall): void {
    this.#calls.set(this.#key(call), call);
  }

  release(call: RunningCall): void {
    const key = this.#key(call);
    // A cancelled call may have left its id to a later one.
    if (this.#calls.get(key) === call) this.#calls.delete(key);
    if (this.#calls.size === 0) this.#idle?.();
  }

  run(call: RunningCall): void {
    const { running, queued, queuedBytes } = this.#admission;
    if (hasBacklog(call.exchange)) this.#outlet = call.exchange;
    if (this.#active < running && this.#queue.size === 0 && !this.#isCongested()) {
      this.#calls.set(this.#key(call), call);
      this.#start(call);
      return;
    }
    if (this.#queue.size >= queued || this.#queuedBytes + this.bytes > queuedBytes) {
      call.settle();
      const reason = this.#waitsForReader
        ? 'this client does not read its answers'
        : `${running} calls of this client are running`;
      const why = `busy: ${reason} and the queue is full; try again later`;
      call.exchange.send(errorResponse(call.id, codes.internalError, why));
      return;
    }
    this.#calls.set(this.#key(call), call);
    this.#queue.set(call, this.bytes);
    this.#queuedBytes += this.bytes;
  }

  get(id: Id): RunningCall | undefined {
    return this.#calls.get(id);
  }

  cancel(call: RunningCall, reason: unknown): void {
    if (!call.settle()) return;
    this.#unqueue(call);
    // First, because what it withdraws still belongs to the reply that ends then.
    call.abort(reason);
    call.exchange.dropped?.(call.id);
    this.release(call);
  }

  conclude(call: RunningCall, outcome: Outcome | undefined, thrown?: unknown): void {
    if (outcome) this.#answer(call, outcome);
    else if (call.settle()) this.#answerFailure(call, thrown);
    this.#finish(call);
  }

  /** Aborts what runs, and answers what waits: it will not be run any more. */
  abortAll(reason: unknown): void {
    for (const call of [...this.#queue.keys()]) {
      this.#unqueue(call);
      if (!call.settle()) continue;
      const why = `${call.method} was not run: the server is closing`;
      call.exchange.send(errorResponse(call.id, codes.internalError, why));
      this.release(call);
    }
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
    if (!error && call.isAbortOf(thrown)) {
      error = { code: codes.internalError, message: `${call.method} was aborted: the server is closing` };
    }
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
    this.release(call);
    this.#next();
  }

  #next(): void {
    // A call that ends at once comes back here; the loop below goes on then, and the stack does not grow.
    if (this.#starting) return;
    this.#starting = true;
    while (this.#active < this.#admission.running && this.#queue.size > 0 && !this.#isCongested()) {
      const next = this.#order.next();
      if (next.done) {
        this.#order = this.#queue.entries();
        continue;
      }
      const [call] = next.value;
      this.#unqueue(call);
      this.#start(call);
    }
    this.#starting = false;
  }

  /** True while answers pile up that the client does not read; what waits then goes on as soon as it has read. */
  #isCongested(): boolean {
    const { backlog } = this.#admission;
    const outlet = this.#outlet;
    if (outlet?.backlog === undefined || outlet.backlog <= backlog) return false;
    if (!this.#waitsForReader) {
      this.#waitsForReader = true;
      outlet.onTaken(backlog, () => {
        this.#waitsForReader = false;
        this.#next();
      });
    }
    return true;
  }

  #unqueue(call: RunningCall): void {
    this.#queuedBytes -= this.#queue.get(call) ?? 0;
    this.#queue.delete(call);
  }
}

function hasBacklog(
  exchange: Exchange,
): exchange is Exchange & Required<Pick<Exchange, 'backlog' | 'onTaken'>> {
  return exchange.backlog !== undefined && exchange.onTaken !== undefined;
}
