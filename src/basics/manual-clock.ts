/** A clock that a test moves by hand: timers fire when it is advanced past them, and at no other time. */
import type { Clock, Timer } from './clock.ts';

export interface ManualClock extends Clock {
  /** How many timers are set and have neither fired nor been cancelled. */
  readonly pending: number;
  /**
   * Moves the time on by `ms` milliseconds. Timers fire in the order they are due (set first, first to fire when due
   * together), each seeing `now()` at its own moment; one that is set meanwhile fires too when it falls due.
   */
  advance(ms: number): void;
}

/** Makes a clock that stands at 0. */
export function manualClock(): ManualClock {
  let now = 0;
  const timers = new Set<{ readonly due: number; readonly run: () => void }>();

  function nextDue(until: number): { readonly due: number; readonly run: () => void } | undefined {
    let next: { readonly due: number; readonly run: () => void } | undefined;
    for (const timer of timers) {
      if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  }

  return {
    now: () => now,
    after(ms, run): Timer {
      const timer = { due: now + Math.max(ms, 0), run };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    get pending() {
      return timers.size;
    },
    advance(ms) {
      const until = now + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer);
        now = timer.due;
        timer.run();
      }
      now = until;
    },
  };
}
