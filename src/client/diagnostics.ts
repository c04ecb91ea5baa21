/** The last things a client noticed and tolerated, bounded, each also told to who listens. */
import { notify } from '../basics/notify.ts';
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
    notify(this.#listener, diagnostic);
  }
}
