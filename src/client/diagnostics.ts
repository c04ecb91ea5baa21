/** The last things a client noticed and tolerated, bounded, each also told to who listens. */
import type { Diagnostic } from '../channels/channel.ts';

const kept = 200;

export class DiagnosticLog {
  readonly #entries: Diagnostic[] = [];
  readonly #listener: ((diagnostic: Diagnostic) => void) | undefined;

  constructor(listener: ((diagnostic: Diagnostic) => void) | undefined) {
    this.#listener = listener;
  }

  /** Oldest first. */
  get entries(): readonly Diagnostic[] {
    return [...this.#entries];
  }

  add(diagnostic: Diagnostic): void {
    this.#entries.push(diagnostic);
    if (this.#entries.length > kept) this.#entries.shift();
    try {
      this.#listener?.(diagnostic);
    } catch {
      // Who only listens cannot make the connection fail.
    }
  }
}
