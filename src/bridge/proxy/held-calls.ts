/** The calls that are held for clients that come again: found by what only a sealed state of this process names. */
import type { Clock, Timer } from '../../basics/clock.ts';
import type { Call } from '../../protocol/call.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import type { HeldCall } from './held-call.ts';

/** The most calls at once whose client is away; beyond, the one that waits longest is given up. */
const mostHeld = 1_000;

/** Milliseconds that a result is kept which was given: its client may not have got it and send the round again. */
const resultKept = 60_000;

interface Entry {
  readonly held: HeldCall;
  timer: Timer | undefined;
}

/** One per proxy. */
export class HeldCalls {
  readonly #clock: Clock;
  readonly #hold: number;
  readonly #entries = new Map<string, Entry>();

  /** `hold`: milliseconds that a call waits for its client. */
  constructor(clock: Clock, hold: number) {
    this.#clock = clock;
    this.#hold = hold;
  }

  /** The call that this request goes on with, or begins by `start`; nothing when it began and is here no more. */
  async take(call: Call, start: () => Promise<HeldCall>): Promise<HeldCall | undefined> {
    let fresh: HeldCall | undefined;
    const id = await call.once('upstream', async () => {
      fresh = await start();
      this.#entries.set(fresh.id, { held: fresh, timer: undefined });
      return fresh.id;
    });
    const entry = this.#entries.get(id);
    // Somebody is here for it again.
    entry?.timer?.cancel();
    return fresh ?? entry?.held;
  }

  /** Nobody waits for the call at the moment: its client comes again, or has its answer, or has left. */
  unattended(held: HeldCall): void {
    const entry = this.#entries.get(held.id);
    if (!entry) return;
    entry.timer?.cancel();
    if (!held.addressed) {
      this.#entries.delete(held.id);
      return;
    }
    const wait = held.settled ? resultKept : this.#hold;
    entry.timer = this.#clock.after(wait, () => this.#drop(entry, 'its client did not come again'));
    // Those that wait longest stand first.
    this.#entries.delete(held.id);
    this.#entries.set(held.id, entry);
    this.#makeRoom();
  }

  close(): void {
    for (const entry of [...this.#entries.values()]) this.#drop(entry, 'the proxy was closed');
  }

  #makeRoom(): void {
    if (this.#entries.size <= mostHeld) return;
    const away = [...this.#entries.values()].filter(({ held }) => !held.attended);
    for (const entry of away.slice(0, this.#entries.size - mostHeld)) {
      this.#drop(entry, 'too many calls wait for their clients');
    }
  }

  #drop(entry: Entry, why: string): void {
    entry.timer?.cancel();
    this.#entries.delete(entry.held.id);
    entry.held.cancel(new ProtocolError(codes.internalError, `the call was given up: ${why}`));
  }
}
