/** The sessions of all clients: each is forgotten when it was idle too long, and the longest idle when too many come. */
import type { Clock, Timer } from '../../basics/clock.ts';
import { checkMilliseconds, checkNumber } from '../../basics/option-checks.ts';
import type { HttpAcceptOptions } from '../../channels/channel.ts';

/** What the table needs to know of a session. */
export interface TableEntry {
  readonly id: string;
  /** Who opened it, and alone may use it. */
  readonly principal: string | undefined;
  /** True while a call runs or a stream is open: it is not idle then. */
  readonly busy: boolean;
  /** When its client was last heard of, in whole milliseconds; the table's own. */
  used: number;
  close(reason: unknown, grace?: number): Promise<void>;
}

export interface SessionLimits {
  /** Milliseconds. */
  readonly ttl: number;
  readonly max: number;
  readonly clock: Clock;
}

/** The limits that the options name. Throws a TypeError when one is no number above 0. */
export function readLimits(options: HttpAcceptOptions): Omit<SessionLimits, 'clock'> {
  const { sessionTtl = 30 * 60 * 1000, maxSessions = 10_000 } = options;
  checkMilliseconds('sessions', 'sessionTtl', sessionTtl);
  checkNumber('sessions', 'maxSessions', maxSessions, { integer: true, min: 1 });
  return { ttl: sessionTtl, max: maxSessions };
}

/** By how much a timer may be late, in milliseconds, before it is taken to be lost. */
const leeway = 60_000;

export class SessionTable<Session extends TableEntry> {
  readonly #limits: SessionLimits;
  /** Least lately used first. */
  readonly #sessions = new Map<string, Session>();
  #timer: Timer | undefined;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  /** Makes room for one more; false when all sessions are in use. */
  makeRoom(): boolean {
    if (this.#sessions.size < this.#limits.max) return true;
    for (const session of this.#sessions.values()) {
      if (session.busy) continue;
      this.#evict(session, 'it was idle longest when another client came');
      return true;
    }
    return false;
  }

  add(session: Session): void {
    session.used = this.#now();
    this.#sessions.set(session.id, session);
    this.#sweepIfLate();
    this.#arm();
  }

  /** The session of this id, used just now; nothing when another opened it. */
  use(id: string, principal: string | undefined): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.principal !== principal) return undefined;
    session.used = this.#now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Forgets a session, which its client or the server has ended. */
  async end(session: Session, reason: unknown, grace?: number): Promise<void> {
    this.#sessions.delete(session.id);
    if (this.#sessions.size === 0) this.#disarm();
    await session.close(reason, grace);
  }

  async close(reason: unknown, grace: number): Promise<void> {
    this.#disarm();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(session => session.close(reason, grace)));
  }

  /** A fraction would take room of its own in each session; rounded up, so that no time to live has passed at once. */
  #now(): number {
    return Math.ceil(this.#limits.clock.now());
  }

  #evict(session: Session, why: string): void {
    void this.end(session, new DOMException(`the session was ended: ${why}`, 'AbortError'));
  }

  #arm(): void {
    if (this.#timer) return;
    const [oldest] = this.#sessions.values();
    if (!oldest) return;
    const { clock, ttl } = this.#limits;
    this.#timer = clock.after(oldest.used + ttl - clock.now(), () => this.#sweep());
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Workers forget a timer together with the request that set it: then the next client does its work. */
  #sweepIfLate(): void {
    const [oldest] = this.#sessions.values();
    if (!oldest || oldest.used + this.#limits.ttl + leeway > this.#limits.clock.now()) return;
    this.#disarm();
    this.#sweep();
  }

  #sweep(): void {
    this.#timer = undefined;
    const { clock, ttl } = this.#limits;
    for (const session of this.#sessions.values()) {
      if (session.used + ttl > clock.now()) break;
      // A busy one starts anew at the end of the order.
      if (session.busy) this.use(session.id, session.principal);
      else this.#evict(session, 'it was idle for too long');
    }
    this.#arm();
  }
}
