/** What this process has learnt about servers: which era answers, so that the next connection need not ask. */

/** The era that a server answered in; a server of the handshake era is not asked anything before `initialize`. */
export type Learnt = 'stateless' | 'handshake';

/** Bounded; the oldest entry goes first. */
export class EraMemory {
  readonly #learnt = new Map<string, Learnt>();
  readonly #limit: number;

  constructor(limit = 1000) {
    this.#limit = limit;
  }

  get(label: string): Learnt | undefined {
    return this.#learnt.get(label);
  }

  set(label: string, learnt: Learnt): void {
    this.#learnt.delete(label);
    this.#learnt.set(label, learnt);
    const [oldest] = this.#learnt.keys();
    if (this.#learnt.size > this.#limit && oldest !== undefined) this.#learnt.delete(oldest);
  }

  forget(label: string): void {
    this.#learnt.delete(label);
  }
}

/** Shared by all clients of this process that bring none of their own. */
export const processMemory: EraMemory = new EraMemory();
