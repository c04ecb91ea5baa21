/** Ctrl-C in a chat: the first one gives up what goes on, the second one leaves. */

export interface ChatInterrupts {
  /** Aborts when the chat is to be left. */
  readonly leaving: AbortSignal;
  /** Runs `work` with a signal that the next Ctrl-C aborts. */
  during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** The person goes on: the next Ctrl-C is a first one again. */
  forgive(): void;
  stop(): void;
}

export function watchInterrupts(): ChatInterrupts {
  const leaving = new AbortController();
  let current: AbortController | undefined;
  let isSecond = false;
  const reason = (): DOMException => new DOMException('interrupted', 'AbortError');
  const onInterrupt = (): void => {
    // What still lives is ended by who started it, when the process exits.
    if (leaving.signal.aborted) process.exit(130);
    if (isSecond) leaving.abort(reason());
    isSecond = true;
    current?.abort(reason());
  };
  process.on('SIGINT', onInterrupt);
  return {
    leaving: leaving.signal,
    async during(work) {
      leaving.signal.throwIfAborted();
      const controller = new AbortController();
      current = controller;
      try {
        return await work(controller.signal);
      } finally {
        current = undefined;
      }
    },
    forgive() {
      isSecond = false;
    },
    stop() {
      process.off('SIGINT', onInterrupt);
    },
  };
}
