/** Tells whoever waits at a terminal that something takes its time. */
import type { Clock } from '../../basics/clock.ts';
import type { Terminal } from '../terminal.ts';

const everyMs = 1000;

/** Says what goes on, and since how many seconds, once it has taken one; gives what ends that and takes it away. */
export function showProgress(
  terminal: Pick<Terminal, 'status'>,
  text: string | (() => string),
  clock: Clock,
): () => void {
  const started = clock.now();
  let timer = clock.after(everyMs, tick);
  function tick(): void {
    terminal.status(
      `${Math.round((clock.now() - started) / 1000)} s: ${typeof text === 'string' ? text : text()}`,
    );
    timer = clock.after(everyMs, tick);
  }
  return () => {
    timer.cancel();
    terminal.status('');
  };
}
