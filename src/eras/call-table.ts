/** The calls of one connection that have no answer yet: admits them in turn, answers each once, cancels. */
import type { Exchange } from '../channels/channel.ts';
import type { Outcome } from '../protocol/call.ts';
import { IdTable } from '../rpc/id-table.ts';
import type { Id } from '../rpc/message.ts';
import { codes, errorResponse } from '../rpc/protocol-error.ts';
import type { Calls, Router } from './era.ts';
import type { RunningCall } from './running-call.ts';
import { WaitingCalls } from './waiting-calls.ts';

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

/** Empty tables that nobody has a use for now; whoever is busy next takes one. */
const spare: IdTable<RunningCall>[] = [];
const mostSpare = 16;
/** Of most clients no more calls are under way at once. */
const places = 64;

export class CallTable implements Calls {
  readonly #router: Router;
  readonly #admission: Admission;
  /** Only while there are any: connections are many, and most of them are idle. */
  #calls: IdTable<RunningCall> | undefined;
  /** The call whose handler runs at this moment: most end with it, and are kept nowhere else unless somebody looks. */
  #now: RunningCall | undefined;
  /** Of the last call that was kept, where ids are no keys. */
  #serial = 0;
  readonly #shared: boolean;
  #active = 0;
  /** Made when the first one has to: most connections never have that many under way. */
  #waiting: WaitingCalls | undefined;
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
    this.#shared = shared;
  }

  get size(): number {
    this.#enterNow();
    return this.#calls?.size ?? 0;
  }

  has(id: Id): boolean {
    if (this.#now) this.#enterNow();
    return !this.#shared && this.#calls !== undefined && this.#calls.get(id) !== undefined;
  }

  get(id: Id): RunningCall | undefined {
    this.#enterNow();
    return this.#shared ? undefined : this.#calls?.get(id);
  }

  keep(call: RunningCall): void {
    this.#calls ??= spare.pop() ?? new IdTable(places);
    this.#serial += 1;
    call.key = this.#shared ? this.#serial : call.id;
    this.#calls.add(call.key, call);
  }

  release(call: RunningCall): void {
    if (this.#now === call) {
      this.#now = undefined;
      return;
    }
    const calls = this.#calls;
    if (!calls) return;
    // A cancelled call may have left its id to a later one.
    if (calls.get(call.key) === call) calls.delete(call.key);
    if (calls.size > 0) return;
    this.#calls = undefined;
    if (spare.length < mostSpare) spare.push(calls);
    this.#idle?.();
  }

  /** One function for all that becomes of most calls: V8 compiles small ones by themselves, and again where they are used. */
  run(call: RunningCall): void {
    if (this.#now) this.#enterNow();
    if (!this.#outlet && hasBacklog(call.exchange)) this.#outlet = call.exchange;
    if (this.#active >= this.#admission.running || this.#waiting?.count || this.#isCongested()) {
      this.#queue(call);
      return;
    }
    this.#now = call;
    this.#active += 1;
    let outcome: Outcome | Promise<Outcome> | undefined;
    try {
      outcome = call.begin(this.#router);
    } catch (thrown) {
      if (!call.superseded) this.conclude(call, undefined, thrown);
    }
    if (outcome instanceof Promise) this.#await(call, outcome);
    else if (outcome && !call.superseded) {
      // Nobody has looked for it, and nobody can any more.
      if (this.#now === call && call.settle()) {
        this.#now = undefined;
        this.#active -= 1;
        call.finished = true;
        let result: object | undefined;
        try {
          result = call.result(outcome);
        } catch (thrown) {
          this.#answerFailure(call, thrown);
        }
        if (result) call.exchange.send({ jsonrpc: '2.0', id: call.id, result });
        if (this.#waiting?.count) this.#next();
      } else this.conclude(call, outcome);
    }
    if (this.#now) this.#enterNow();
  }

  #queue(call: RunningCall): void {
    const { running, queued, queuedBytes } = this.#admission;
    const waiting = this.#waiting;
    if ((waiting?.count ?? 0) >= queued || (waiting?.bytes ?? 0) + this.bytes > queuedBytes) {
      call.settle();
      const reason = this.#waitsForReader
        ? 'this client does not read its answers'
        : `${running} calls of this client are running`;
      const why = `busy: ${reason} and the queue is full; try again later`;
      call.exchange.send(errorResponse(call.id, codes.internalError, why));
      return;
    }
    this.keep(call);
    this.#waiting ??= new WaitingCalls();
    this.#waiting.add(call, this.bytes);
  }

  cancel(call: RunningCall, reason: unknown): void {
    if (!call.settle()) return;
    this.#waiting?.remove(call);
    // First, because what it withdraws still belongs to the reply that ends then.
    call.abort(reason);
    call.exchange.dropped?.(call.id);
    this.release(call);
  }

  conclude(call: RunningCall, outcome: Outcome | undefined, thrown?: unknown): void {
    if (call.settle()) {
      if (outcome) this.#answer(call, outcome);
      else this.#answerFailure(call, thrown);
    }
    if (call.finished) return;
    call.finished = true;
    this.#active -= 1;
    this.release(call);
    if (this.#waiting?.count) this.#next();
  }

  /** Aborts what runs, and answers what waits: it will not be run any more. */
  abortAll(reason: unknown): void {
    this.#enterNow();
    for (const call of this.#waiting?.removeAll() ?? []) {
      if (!call.settle()) continue;
      const why = `${call.method} was not run: the server is closing`;
      call.exchange.send(errorResponse(call.id, codes.internalError, why));
      this.release(call);
    }
    for (const [, call] of this.#calls?.entries() ?? []) call.abort(reason);
  }

  /** Resolves when no call is left. */
  drained(): Promise<void> {
    this.#enterNow();
    if (!this.#calls) return Promise.resolve();
    return new Promise(resolve => {
      this.#idle = resolve;
    });
  }

  /** Keeps the call whose handler runs, if one does, as whoever looks expects. */
  #enterNow(): void {
    const call = this.#now;
    if (!call) return;
    this.#now = undefined;
    this.keep(call);
  }

  /** One that waited, and is in the table. */
  #start(call: RunningCall): void {
    this.#active += 1;
    let outcome: Outcome | Promise<Outcome>;
    try {
      outcome = call.begin(this.#router);
    } catch (thrown) {
      if (!call.superseded) this.conclude(call, undefined, thrown);
      return;
    }
    if (outcome instanceof Promise) this.#await(call, outcome);
    else if (!call.superseded) this.conclude(call, outcome);
  }

  #await(call: RunningCall, outcome: Promise<Outcome>): void {
    outcome.then(
      value => {
        if (!call.superseded) this.conclude(call, value);
      },
      thrown => {
        if (!call.superseded) this.conclude(call, undefined, thrown);
      },
    );
  }

  #answer(call: RunningCall, outcome: Outcome): void {
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

  #next(): void {
    // A call that ends at once comes back here; the loop below goes on then, and the stack does not grow.
    if (this.#starting) return;
    this.#starting = true;
    while (this.#waiting?.count && this.#active < this.#admission.running && !this.#isCongested()) {
      const call = this.#waiting.shift();
      if (call) this.#start(call);
    }
    this.#starting = false;
  }

  /** True while answers pile up that the client does not read; what waits then goes on as soon as it has read. */
  #isCongested(): boolean {
    const { backlog } = this.#admission;
    const outlet = this.#outlet;
    if (!outlet || outlet.backlog <= backlog) return false;
    if (!this.#waitsForReader) {
      this.#waitsForReader = true;
      outlet.onTaken(backlog, () => {
        this.#waitsForReader = false;
        this.#next();
      });
    }
    return true;
  }
}

function hasBacklog(
  exchange: Exchange,
): exchange is Exchange & Required<Pick<Exchange, 'backlog' | 'onTaken'>> {
  return exchange.backlog !== undefined && exchange.onTaken !== undefined;
}
