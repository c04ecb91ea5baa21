/** What is served now and what takes its place: calls that run end with what they began with, which is closed after them. */
import type { Tool } from '../../../tools/tool.ts';
import type { Offered } from './offered.ts';

interface Generation {
  readonly offered: Offered;
  /** Calls that run. */
  running: number;
  isOver: boolean;
  closing?: Promise<void>;
}

export class Turnover {
  readonly #generations = new Set<Generation>();
  readonly #onClosed: (left: readonly Offered[]) => Promise<void>;

  /** `onClosed` is told what is still in use each time that something is not any more. */
  constructor(onClosed: (left: readonly Offered[]) => Promise<void>) {
    this.#onClosed = onClosed;
  }

  /** Takes the place of what came before when the tools that it gives are served. */
  begin(offered: Offered): readonly Tool[] {
    const generation: Generation = { offered, running: 0, isOver: false };
    this.#generations.add(generation);
    return offered.tools.map(tool => this.#counted(tool, generation));
  }

  /** All but what began last get no further calls. */
  endBefore(): void {
    const [...before] = this.#generations;
    before.pop();
    for (const generation of before) {
      generation.isOver = true;
      this.#closeUnused(generation);
    }
  }

  /** It cannot be served after all. */
  async drop(offered: Offered): Promise<void> {
    const dropped = [...this.#generations].filter(each => each.offered === offered);
    await Promise.all(dropped.map(each => this.#end(each)));
  }

  /** Ends all. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#generations].map(each => this.#end(each)));
  }

  #counted(tool: Tool, generation: Generation): Tool {
    return {
      ...tool,
      run: async (args, ctx) => {
        generation.running += 1;
        try {
          return await tool.run(args, ctx);
        } finally {
          generation.running -= 1;
          this.#closeUnused(generation);
        }
      },
    };
  }

  #closeUnused(generation: Generation): void {
    if (generation.isOver && generation.running === 0) void this.#end(generation);
  }

  #end(generation: Generation): Promise<void> {
    generation.closing ??= (async () => {
      await generation.offered.close();
      this.#generations.delete(generation);
      await this.#onClosed([...this.#generations].map(({ offered }) => offered));
    })();
    return generation.closing;
  }
}
