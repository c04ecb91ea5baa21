/** Requests that wait for their one answer: ids, limits of time, cancellation; nothing of MCP. */
import { type AbortWait, waitFor } from '../basics/abort.ts';
import type { Clock, Timer } from '../basics/clock.ts';
import { TimeoutError } from '../basics/timeout-error.ts';
import { type ConnectionError, forRequest } from './connection-error.ts';
import { IdTable } from './id-table.ts';
import type { ErrorBody, Id } from './message.ts';
import { ProtocolError } from './protocol-error.ts';

/** Milliseconds: how long a request may go without a sign of life, and how long it may take in all. */
export interface RequestLimits {
  readonly idle: number;
  readonly total: number;
}

/** How far the peer says it is. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface OutgoingRequest {
  readonly method: string;
  readonly limits: RequestLimits;
  readonly signal?: AbortSignal | undefined;
  /** Ends it as `signal` does. */
  readonly until?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called once when the caller stops waiting before the answer came, so that the peer can be told. */
  readonly giveUp: (id: Id) => void;
}

interface Waiting {
  readonly request: OutgoingRequest;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly totalDue: number;
  idleDue: number;
  onSignal: AbortWait | undefined;
  onUntil: AbortWait | undefined;
}

/** All requests of one connection that have no answer yet. One timer serves the limits of all of them. */
export class Inflight {
  readonly #clock: Clock;
  readonly #waiting = new IdTable<Waiting>();
  #timer: Timer | undefined;
  #timerDue = Number.POSITIVE_INFINITY;
  #holds = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** The id of the only request in flight, if there is exactly one. */
  get only(): Id | undefined {
    if (this.#waiting.size !== 1) return undefined;
    return this.#waiting.entries()[0]?.[0];
  }

  has(id: Id): boolean {
    return this.#waiting.get(id) !== undefined;
  }

  /** Starts to wait. Rejects with the signal's reason, a `TimeoutError`, a `ProtocolError` or a `ConnectionError`. */
  start(id: Id, request: OutgoingRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const now = this.#clock.now();
      const entry: Waiting = {
        request,
        resolve,
        reject,
        totalDue: now + request.limits.total,
        idleDue: now + request.limits.idle,
        onSignal: undefined,
        onUntil: undefined,
      };
      this.#waiting.add(id, entry);
      this.#arm(Math.min(entry.totalDue, entry.idleDue), now);
      const { signal, until } = request;
      if (!signal && !until) return;
      const run = (): void => this.#giveUp(id, signal?.aborted ? signal.reason : until?.reason);
      if (signal) entry.onSignal = waitFor(signal, run);
      if (until && this.has(id)) entry.onUntil = waitFor(until, run);
    });
  }

  /**
   * Settles the request that `id` belongs to; a numeric string counts for a pending number. False when none waits.
   */
  settle(id: Id, answer: { readonly result?: unknown; readonly error?: ErrorBody }): boolean {
    const known = this.#resolveId(id);
    const entry = known === undefined ? undefined : this.#take(known);
    if (!entry) return false;
    const { error } = answer;
    if (error) entry.reject(refusal(error, entry.request.method));
    else entry.resolve(answer.result);
    return true;
  }

  /** Fails one request without telling the peer. False when it no longer waits. */
  fail(id: Id, error: unknown): boolean {
    const entry = this.#take(id);
    entry?.reject(error);
    return entry !== undefined;
  }

  /** Fails all of them: the connection is gone, and nobody knows what became of what was asked. */
  failAll(error: ConnectionError): void {
    for (const [id, entry] of this.#waiting.entries()) {
      this.#take(id);
      entry.reject(forRequest(error, entry.request.method, 'unknown'));
    }
    this.#timer?.cancel();
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  /** Progress came for the request: its idle limit starts again. False when none waits for it. */
  progress(token: Id, progress: Progress): boolean {
    const id = this.#resolveId(token);
    const entry = id === undefined ? undefined : this.#waiting.get(id);
    if (!entry) return false;
    entry.idleDue = this.#clock.now() + entry.request.limits.idle;
    entry.request.onProgress?.(progress);
    return true;
  }

  /** Bytes of the request's own reply came: its idle limit starts again. */
  touch(id: Id): void {
    const entry = this.#waiting.get(id);
    if (entry) entry.idleDue = this.#clock.now() + entry.request.limits.idle;
  }

  /** Stops idle limits while a person or model answers the peer's question; call what it returns to go on. */
  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      const now = this.#clock.now();
      for (const [id, entry] of this.#waiting.entries()) {
        this.touch(id);
        this.#arm(Math.min(entry.totalDue, entry.idleDue), now);
      }
    };
  }

  #resolveId(id: Id): Id | undefined {
    return this.#waiting.get(id) ? id : numberOf(id);
  }

  #take(id: Id): Waiting | undefined {
    const entry = this.#waiting.get(id);
    if (!entry) return undefined;
    this.#waiting.delete(id);
    entry.onSignal?.stop();
    entry.onUntil?.stop();
    return entry;
  }

  #giveUp(id: Id, error: unknown): void {
    const entry = this.#take(id);
    if (!entry) return;
    entry.request.giveUp(id);
    entry.reject(error);
  }

  #arm(due: number, now: number): void {
    if (due >= this.#timerDue) return;
    this.#timer?.cancel();
    this.#timerDue = due;
    this.#timer = this.#clock.after(Math.max(0, due - now), () => this.#sweep());
  }

  /** Expires what is over its limit and sets the timer to the next limit that can run out. */
  #sweep(): void {
    this.#timerDue = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, entry] of this.#waiting.entries()) {
      const idleDue = this.#holds > 0 ? Number.POSITIVE_INFINITY : entry.idleDue;
      const due = Math.min(idleDue, entry.totalDue);
      if (due > now) next = Math.min(next, due);
      else this.#giveUp(id, overdue(entry.request, entry.totalDue <= now ? 'total' : 'idle'));
    }
    if (next !== Number.POSITIVE_INFINITY) this.#arm(next, now);
  }
}

/** The number that a peer turned into its own string on the way; nothing for any other id. */
export function numberOf(id: Id): number | undefined {
  return typeof id === 'string' && /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : undefined;
}

function refusal(error: ErrorBody, method: string): ProtocolError {
  return new ProtocolError(error.code, error.message, { data: error.data, method });
}

function overdue(request: OutgoingRequest, limit: 'idle' | 'total'): TimeoutError {
  const { method, limits } = request;
  const ms = limits[limit];
  const why = limit === 'idle' ? `without a sign of life for ${ms} ms` : `for ${ms} ms in all`;
  return new TimeoutError(`${method}: no answer ${why}; the request was cancelled`, {
    phase: method,
    limit,
    ms,
    hint: `Raise timeouts.${limit} for this call or for the client if the server needs longer.`,
  });
}
