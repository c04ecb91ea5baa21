/** The token counts of an answer, which come in several events and grow. */
import type { TokenUsage } from '../provider/provider.ts';
import { TokenCounts } from '../provider/token-counts.ts';

/** What is told later replaces what was told before; what is not told stays. */
export class UsageReader {
  readonly #counts = new TokenCounts();
  #input = 0;
  #written = 0;
  #output = 0;
  #cached: number | undefined;
  #thought: number | undefined;

  get uncounted(): readonly string[] {
    return this.#counts.odd;
  }

  /** All input counts as input, whether it was read afresh, put into the cache or taken from there. */
  get total(): TokenUsage {
    return {
      inputTokens: this.#input + this.#written + (this.#cached ?? 0),
      outputTokens: this.#output,
      ...(this.#cached === undefined ? {} : { cachedInputTokens: this.#cached }),
      ...(this.#thought === undefined ? {} : { reasoningTokens: this.#thought }),
    };
  }

  read(usage: unknown): void {
    const told = this.#counts.members(usage, 'usage');
    this.#input = this.#counts.read(told, 'input_tokens') ?? this.#input;
    this.#written = this.#counts.read(told, 'cache_creation_input_tokens') ?? this.#written;
    this.#cached = this.#counts.read(told, 'cache_read_input_tokens') ?? this.#cached;
    this.#output = this.#counts.read(told, 'output_tokens') ?? this.#output;
    const details = this.#counts.members(told['output_tokens_details'], 'output_tokens_details');
    this.#thought = this.#counts.read(details, 'thinking_tokens') ?? this.#thought;
  }
}
