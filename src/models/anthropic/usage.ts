/** The token counts of an answer, which come in several events and grow. */
import { isObject } from '../../basics/json.ts';
import { decodeError, readCount } from '../provider/decode-error.ts';
import type { TokenUsage } from '../provider/provider.ts';

/** What is told later replaces what was told before; what is not told stays. */
export class UsageReader {
  readonly #provider: string;
  #input = 0;
  #written = 0;
  #output = 0;
  #cached: number | undefined;
  #thought: number | undefined;

  constructor(provider: string) {
    this.#provider = provider;
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

  /** Throws a ModelError of kind `decode` for counts that are none. */
  read(usage: unknown): void {
    if (usage === undefined || usage === null) return;
    if (!isObject(usage)) throw decodeError(this.#provider, '"usage" is not a JSON object');
    const count = (name: string): number | undefined => readCount(usage, [name], this.#provider);
    this.#input = count('input_tokens') ?? this.#input;
    this.#written = count('cache_creation_input_tokens') ?? this.#written;
    this.#cached = count('cache_read_input_tokens') ?? this.#cached;
    this.#output = count('output_tokens') ?? this.#output;
    const { output_tokens_details: details } = usage;
    if (isObject(details)) {
      this.#thought = readCount(details, ['thinking_tokens'], this.#provider) ?? this.#thought;
    }
  }
}
