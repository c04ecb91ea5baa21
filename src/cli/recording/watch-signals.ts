/** Tells of the signal that is about to end the process, and leaves what it does to whoever else listens. */
import { lookingOn } from '../../channels/child-registry.ts';

/** Ctrl-C is not among them: commands give up in order after it, and say so themselves. */
const watched = ['SIGTERM', 'SIGHUP'] as const;

/** Gives what ends the watch. `tell` is called for the first signal alone. */
export function watchSignals(tell: (name: string) => void): () => void {
  const listeners = watched.map(name => {
    const listener = lookingOn(() => {
      unwatch();
      tell(name);
      // With a listener of ours alone the system no longer ends the process.
      if (process.listenerCount(name) === 0) process.kill(process.pid, name);
    });
    return [name, listener] as const;
  });
  const unwatch = (): void => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  for (const [name, listener] of listeners) process.on(name, listener);
  return unwatch;
}
