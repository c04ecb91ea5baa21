/** Standard output kept for the protocol alone: while it is guarded, what anybody else writes there goes to stderr. */

type Write = typeof process.stdout.write;

/** Standard output for one who speaks the protocol on it. */
export interface GuardedStdout {
  /** The real write, for frames. */
  readonly write: Write;
  /** Ends this guard; the last one puts things back as they were. Safe to call twice. */
  release(): void;
}

let guards = 0;
let real: Write | undefined;

/**
 * Sends every `process.stdout.write` to stderr, and so `console.log` and its like, which write through it; what goes
 * round it (`fs.writeSync(1, …)`, a child that inherits the descriptor) is not seen.
 */
export function guardStdout(): GuardedStdout {
  const original = real ?? process.stdout.write;
  if (real === undefined) {
    real = original;
    process.stdout.write = divert;
  }
  guards += 1;
  let held = true;
  return {
    write: original.bind(process.stdout) as Write,
    release() {
      if (!held) return;
      held = false;
      guards -= 1;
      // Where somebody has put a write of their own over ours, taking ours out would take theirs out too.
      if (guards === 0 && process.stdout.write === divert) {
        process.stdout.write = original;
        real = undefined;
      }
    },
  };
}

const divert: Write = (...chunk: unknown[]): boolean => {
  const write =
    guards === 0 && real !== undefined
      ? real.bind(process.stdout)
      : process.stderr.write.bind(process.stderr);
  return (write as (...chunk: unknown[]) => boolean)(...chunk);
};
