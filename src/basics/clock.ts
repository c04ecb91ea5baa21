/** Time as a value: what every limit reads, so that a test can move it by hand. */

/** A timer that was set; `cancel` is safe to call at any time. */
export interface Timer {
  cancel(): void;
}

/** Where limits get the time from. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds. A timer alone never keeps the process alive unless `hold` is true. */
  after(ms: number, run: () => void, hold?: boolean): Timer;
}

/** The longest delay the platform's timers take; longer ones fire at once there. */
const longest = 2_147_483_647;

/** Node loads eleven modules for the first look at `performance`: a quarter of what Tenon adds to a start-up. */
const { hrtime } = (globalThis as { process?: Partial<Pick<NodeJS.Process, 'hrtime'>> }).process ?? {};

function readProcess(read: NonNullable<typeof hrtime>): number {
  const [seconds, nanoseconds] = read();
  return seconds * 1000 + nanoseconds / 1_000_000;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: hrtime === undefined ? () => performance.now() : () => readProcess(hrtime),
  after(ms, run, hold = false) {
    const handle = setTimeout(run, Math.min(Math.max(ms, 0), longest));
    // Browsers and workers give a number here, without unref.
    if (!hold && typeof handle === 'object') handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};
