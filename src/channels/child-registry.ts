/**
 * What happens to living children when our own process ends: by a signal, by `process.exit`, by an uncaught exception.
 * Listeners are there while a child lives and not a moment longer.
 */

/** A child as this file sees it. */
export interface Mortal {
  /** Kills the whole tree before it returns. */
  kill(): void;
  /** Ends the whole tree within about half a second; never rejects. */
  hurry(): Promise<void>;
}

/** What ends a process that does not listen, and is sent by people and terminals; not what reports a crash. */
type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';

/** Marks the listeners of every copy of this file, so that two copies do not take each other for the host's. */
const brand: unique symbol = Symbol.for('tenon.child-registry') as never;

const living = new Set<Mortal>();
let leaving = false;

/** Marks a listener that does not decide what a signal means: children are ended as if it were not there. */
export function lookingOn(listener: () => void): () => void {
  return Object.assign(listener, { [brand]: true });
}

function listenerFor(signal: Signal): () => void {
  return lookingOn(() => onSignal(signal));
}

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
/** Made with the first child, so that a program that starts none need not hold this file. */
let listeners: readonly (readonly [Signal, () => void])[] = [];

/** Answers for a child from now on; the function it returns gives that up, once its tree is gone. */
export function register(child: Mortal): () => void {
  if (living.size === 0) listen();
  living.add(child);
  return () => {
    if (living.delete(child) && living.size === 0 && !leaving) unlisten();
  };
}

function listen(): void {
  process.on('exit', killAll);
  if (listeners.length === 0) listeners = signals.map(signal => [signal, listenerFor(signal)]);
  for (const [signal, listener] of listeners) process.on(signal, listener);
}

function unlisten(): void {
  process.off('exit', killAll);
  for (const [signal, listener] of listeners) process.off(signal, listener);
}

function killAll(): void {
  for (const child of living) child.kill();
}

function onSignal(signal: Signal): void {
  // Somebody else listens: the host decides what the signal means, and 'exit' still cleans up.
  if (process.listeners(signal).some(listener => !(brand in listener))) return;
  // The system ignores signals to the first process that it does not listen for; so do we.
  if (process.pid === 1) return;
  if (leaving) {
    leave(signal);
    return;
  }
  leaving = true;
  void Promise.all([...living].map(child => child.hurry())).then(() => leave(signal));
}

/** Ends what is left and lets the signal do what it does to a process without listeners. */
function leave(signal: Signal): void {
  killAll();
  living.clear();
  unlisten();
  leaving = false;
  process.kill(process.pid, signal);
}
