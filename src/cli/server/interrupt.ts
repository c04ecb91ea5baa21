/** Ctrl-C during a command: the first one gives up in order, the second one at once. */

/** What a shell expects of a program that Ctrl-C ended. */
const interrupted = 130;

/** Runs `work` with a signal that Ctrl-C aborts; the exit code is 130 when it did. */
export async function runInterruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  const { signal } = controller;
  const onInterrupt = (): void => {
    // What still lives is ended by who started it, when the process exits.
    if (signal.aborted) process.exit(interrupted);
    controller.abort(new DOMException('interrupted', 'AbortError'));
  };
  process.on('SIGINT', onInterrupt);
  try {
    const code = await work(signal);
    return signal.aborted ? interrupted : code;
  } catch (error) {
    if (signal.aborted) return interrupted;
    throw error;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
