/** The opening question to a server whose era is not known, and `initialize` behind it when no answer comes. */
import { onAbort } from '../basics/abort.ts';
import type { Timer } from '../basics/clock.ts';
import type { ClientSeat } from './era.ts';
import { initializeParams } from './handshake/client.ts';
import { Session } from './handshake/client-session.ts';
import type { Link } from './link.ts';
import { introduce } from './stateless/client.ts';
import { MirrorHeaders } from './stateless/client-headers.ts';
import { offeredBy } from './stateless/envelope.ts';
import { judgeProbe, type ProbeOutcome, type Verdict } from './verdict.ts';
import { latestOf } from './versions.ts';

/** Milliseconds; see docs/adr/0003-eras.md for why. */
export interface ProbeTimes {
  /** From the start until `initialize` follows an unanswered probe. */
  readonly hedge: number;
  /** From the first sign of life until then. */
  readonly hedgeAfterOutput: number;
  /** How long an early answer to `initialize` waits for the probe's. */
  readonly grace: number;
}

export const defaultProbeTimes: ProbeTimes = { hedge: 3000, hedgeAfterOutput: 300, grace: 100 };

/** No wait takes more than a third of the limit, so that what follows it has the time to be answered. */
export function withinLimit({ hedge, hedgeAfterOutput, grace }: ProbeTimes, limit: number): ProbeTimes {
  const most = limit / 3;
  return {
    hedge: Math.min(hedge, most),
    hedgeAfterOutput: Math.min(hedgeAfterOutput, most),
    grace: Math.min(grace, most),
  };
}

/** What the connection turned out to be. */
export type Found =
  | { readonly era: 'stateless'; readonly revision: string; readonly result: unknown }
  | {
      readonly era: 'handshake';
      readonly result: unknown;
      readonly how: string;
      readonly error?: unknown;
      /** Revisions that the answer to the probe named. */
      readonly offered?: readonly string[];
    }
  | { readonly era: 'neither'; readonly offered: readonly string[] }
  | { readonly era: 'gone'; readonly error: unknown }
  /** It takes no `initialize` by this way of travel, and said so with this HTTP status. */
  | { readonly era: 'refused'; readonly error: unknown; readonly status: number | undefined };

const unlimited = { idle: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

/** One per connection; `run` once, or `only` when nothing but the stateless era will do. */
export class Probe {
  readonly #link: Link;
  readonly #seat: ClientSeat;
  readonly #revision: string;
  readonly #signal: AbortSignal;
  readonly #times: ProbeTimes;
  readonly #settled: Promise<Found>;
  #resolve: (found: Found) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #hedge: Timer | undefined;
  #grace: Timer | undefined;
  #sawOutput = false;
  #verdict: Verdict | undefined;
  #discovered: unknown;
  #probeError: unknown;
  #probeId = 0;
  #initializeId = 0;
  #initializeStatus: number | undefined;
  #initializing = false;
  #initialized: { readonly result: unknown } | undefined;
  #initializeError: { readonly error: unknown } | undefined;
  #done = false;

  constructor(
    link: Link,
    seat: ClientSeat,
    revision: string,
    signal: AbortSignal,
    times: ProbeTimes = defaultProbeTimes,
  ) {
    this.#link = link;
    this.#seat = seat;
    this.#revision = revision;
    this.#signal = signal;
    this.#times = times;
    this.#settled = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Asks, and lets the first usable answer decide. Rejects with the signal's reason or an error that is no evidence. */
  async run(): Promise<Found> {
    const stop = onAbort(this.#signal, () => this.#fail(this.#signal.reason));
    // Where each request has a reply of its own, a server that has no answer says so.
    if (!this.#link.replyStreams) {
      this.#hedge = this.#link.clock.after(this.#times.hedge, () => this.#initialize(), true);
    }
    this.#discover();
    try {
      return await this.#settled;
    } finally {
      stop();
      this.stop();
    }
  }

  /** Asks and waits for that one answer, however long the signal allows. */
  async only(): Promise<Found> {
    const outcome = await this.#send();
    const verdict = judgeProbe(outcome);
    const error = 'error' in outcome ? outcome.error : undefined;
    if (this.#signal.aborted) throw this.#signal.reason;
    if (verdict.era === 'stateless' && 'result' in outcome) return { ...verdict, result: outcome.result };
    if (verdict.era === 'neither') return verdict;
    if (verdict.era === 'gone') return { era: 'gone', error };
    if (verdict.era === 'unknown') throw verdict.error;
    // A refusal that names another revision of this era.
    if (verdict.era === 'stateless') throw error;
    const { offered = [] } = verdict;
    return { era: 'handshake', result: undefined, how: 'refused', error, offered };
  }

  /** The peer showed life: an answer, if it has one, should not be far. */
  activity(): void {
    if (this.#sawOutput || this.#done || this.#initializing || !this.#hedge) return;
    this.#sawOutput = true;
    this.#hedge.cancel();
    this.#hedge = this.#link.clock.after(this.#times.hedgeAfterOutput, () => this.#initialize(), true);
  }

  stop(): void {
    this.#done = true;
    this.#hedge?.cancel();
    this.#grace?.cancel();
  }

  #discover(): void {
    void this.#send().then(outcome => {
      if (this.#done) return;
      this.#verdict = judgeProbe(outcome);
      if ('result' in outcome) this.#discovered = outcome.result;
      else this.#probeError = outcome.error;
      this.#decide();
    });
  }

  /** Asks; once more when the server refuses the very revision that it lists. */
  async #send(): Promise<ProbeOutcome> {
    const outcome = await this.#sendOnce();
    const listed = 'error' in outcome ? offeredBy(outcome.error) : undefined;
    return listed?.includes(this.#revision) === true && !this.#done ? this.#sendOnce() : outcome;
  }

  #sendOnce(): Promise<ProbeOutcome> {
    const link = this.#link;
    const mirror = new MirrorHeaders(this.#revision, diagnostic => link.diagnostic(diagnostic));
    let status: number | undefined;
    this.#probeId = link.nextId();
    link.dress = {
      wear: (message, headers) => mirror.wear(message, headers),
      replied: (_of, head) => {
        status = head.status;
      },
    };
    const request = { method: 'server/discover', limits: unlimited, signal: this.#signal, giveUp: () => {} };
    const params = { _meta: introduce(this.#seat, this.#revision) };
    return link.request(this.#probeId, params, request).then(
      result => ({ result }),
      (error: unknown) => ({ error, status, alive: link.replyStreams && link.lost === undefined }),
    );
  }

  #initialize(): void {
    if (this.#initializing || this.#done) return;
    this.#initializing = true;
    this.#hedge?.cancel();
    const request = { method: 'initialize', limits: unlimited, signal: this.#signal, giveUp: () => {} };
    const params = initializeParams(this.#seat, latestOf('handshake'));
    this.#initializeId = this.#link.nextId();
    const session = Session.on(this.#link);
    this.#link.request(this.#initializeId, params, request).then(
      result => {
        this.#initialized = { result };
        this.#decide();
      },
      (error: unknown) => {
        this.#initializeError = { error };
        this.#initializeStatus = session.openingStatus;
        this.#decide();
      },
    );
  }

  /** Looks at what is known so far; either settles, sends `initialize`, or waits for more. */
  #decide(): void {
    if (this.#done) return;
    const verdict = this.#verdict;
    if (verdict?.era === 'stateless') {
      if (this.#initializing) this.#lateLoser('initialize', this.#initializeId);
      this.#finish({ ...verdict, result: this.#discovered });
    } else if (verdict?.era === 'neither') this.#finish(verdict);
    else if (verdict?.era === 'unknown') this.#fail(verdict.error);
    else if (verdict?.era === 'gone') this.#finish({ era: 'gone', error: this.#probeError });
    else if (this.#initialized) this.#decideHandshake(verdict, this.#initialized.result);
    else if (this.#initializeError) this.#decideRefused(verdict, this.#initializeError.error);
    else if (verdict) this.#initialize();
  }

  #decideHandshake(verdict: Verdict | undefined, result: unknown): void {
    const how = verdict ? 'the probe was refused' : 'the probe was not answered';
    if (verdict) this.#finish({ era: 'handshake', result, how });
    else {
      // The stateless era is preferred where a server has both and is merely slow with one answer.
      this.#grace ??= this.#link.clock.after(
        this.#times.grace,
        () => {
          this.#lateLoser('server/discover', this.#probeId);
          this.#finish({ era: 'handshake', result, how });
        },
        true,
      );
    }
  }

  #decideRefused(verdict: Verdict | undefined, error: unknown): void {
    const gone = (): void => this.#finish({ era: 'gone', error });
    if (this.#link.replyStreams && !this.#link.lost) {
      this.#finish({ era: 'refused', error, status: this.#initializeStatus });
      return;
    }
    if (verdict || this.#link.lost) gone();
    // The probe's own answer may be the better one; one that refuses initialize for its revision will answer it.
    else if (judgeProbe({ error }).era === 'handshake') {
      this.#grace ??= this.#link.clock.after(this.#times.grace, gone, true);
    }
  }

  /** What answers the other request from now on is dropped. */
  #lateLoser(method: string, id: number): void {
    this.#link.inflight.fail(id, new Error('no longer awaited'));
    this.#link.diagnostic({
      kind: 'late-answer',
      message: `the other opening request won; ${method} is not used`,
    });
  }

  #finish(found: Found): void {
    this.stop();
    this.#resolve(found);
  }

  #fail(error: unknown): void {
    this.stop();
    this.#reject(error);
  }
}
