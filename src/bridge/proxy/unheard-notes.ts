/** What the server behind told of a call while no request of the client was there to hear it. */
import type { Call } from '../../protocol/call.ts';

/** The newest are kept, up to so many, and so many characters. */
const most = { notes: 100, characters: 1_048_576 };

interface Note {
  readonly characters: number;
  readonly tell: (call: Call) => void;
}

export class UnheardNotes {
  #notes: Note[] = [];
  #characters = 0;

  /** `about`: what is told, any JSON. */
  keep(about: unknown, tell: (call: Call) => void): void {
    const characters = JSON.stringify(about)?.length ?? 0;
    this.#notes.push({ characters, tell });
    this.#characters += characters;
    while (this.#notes.length > most.notes || this.#characters > most.characters) {
      this.#characters -= this.#notes.shift()?.characters ?? 0;
    }
  }

  /** Tells all of it, in order, by the request that has come, and forgets it. */
  tell(call: Call): void {
    const notes = this.#notes;
    this.#notes = [];
    this.#characters = 0;
    for (const { tell } of notes) tell(call);
  }
}
