/** What happened on a server in a test, counted by name, and waiting for it. */

interface Wanted {
  readonly name: string;
  readonly count: number;
  readonly resolve: () => void;
}

export class Happenings {
  readonly #counts = new Map<string, number>();
  readonly #wanted = new Set<Wanted>();

  note(name: string): void {
    this.#counts.set(name, this.count(name) + 1);
    for (const wanted of this.#wanted) {
      if (this.count(wanted.name) < wanted.count) continue;
      this.#wanted.delete(wanted);
      wanted.resolve();
    }
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Resolves once it has happened `count` times. */
  reached(name: string, count: number): Promise<void> {
    if (this.count(name) >= count) return Promise.resolve();
    return new Promise(resolve => this.#wanted.add({ name, count, resolve }));
  }
}
