/** The way down for a child and its tree: end of input, wait, TERM, wait, KILL; it can be hurried, and always ends. */
import type { Clock } from '../basics/clock.ts';
import type { ProcessTree } from './child-tree.ts';

/** How long each rung waits, in milliseconds: after the end of input, after TERM. */
export interface Grace {
  readonly end: number;
  readonly term: number;
}

export interface LadderParts {
  readonly tree: ProcessTree;
  readonly clock: Clock;
  /** Closes the child's stdin after what was written. */
  endInput(): void;
}

/** How long we wait for the system to carry out KILL: a process deep in the kernel may never go. */
const lastWait = 2000;
/** Survivors of the child are nobody's event; they are looked for in pauses that grow from the first to the second. */
const shortestPause = 5;
const longestPause = 100;

/** One descent, however often it is asked for. */
export class Ladder {
  readonly #parts: LadderParts;
  #grace: Grace = { end: Number.POSITIVE_INFINITY, term: Number.POSITIVE_INFINITY };
  #exited = false;
  #wake: (() => void) | undefined;
  #descent: Promise<void> | undefined;

  constructor(parts: LadderParts) {
    this.#parts = parts;
  }

  /** The child itself has ended; its descendants may not have. */
  exited(): void {
    this.#exited = true;
    this.#wake?.();
  }

  /** Starts the descent, or shortens the waits of the one that goes on. Resolves when nothing is left; never rejects. */
  descend(grace: Grace): Promise<void> {
    this.#grace = { end: Math.min(this.#grace.end, grace.end), term: Math.min(this.#grace.term, grace.term) };
    this.#wake?.();
    this.#descent ??= this.#run();
    return this.#descent;
  }

  async #run(): Promise<void> {
    const { tree, endInput } = this.#parts;
    // Those who lose their parent on the next rung are found only if they were seen before.
    tree.look();
    endInput();
    if (await this.#goneWithin(() => this.#grace.end)) return;
    tree.signal('SIGTERM');
    if (await this.#goneWithin(() => this.#grace.term)) return;
    tree.signal('SIGKILL');
    // Again while it goes on, for what was forked between looking and killing.
    await this.#goneWithin(
      () => lastWait,
      () => tree.signal('SIGKILL'),
    );
  }

  async #goneWithin(limit: () => number, again?: () => void): Promise<boolean> {
    const { tree, clock } = this.#parts;
    const start = clock.now();
    for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
      if (this.#exited && !tree.alive()) return true;
      const left = start + limit() - clock.now();
      if (left <= 0) return false;
      // While the child lives its exit wakes us; looking again and again would only cost.
      await this.#pause(this.#exited || again !== undefined ? Math.min(pause, left) : left);
      if (this.#exited) again?.();
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      const { clock } = this.#parts;
      const timer = clock.after(ms, () => this.#wake?.(), true);
      this.#wake = () => {
        this.#wake = undefined;
        timer.cancel();
        resolve();
      };
    });
  }
}
