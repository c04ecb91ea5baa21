/** How much a server may ask of the client's model: at once, in a minute, and in all. */
import type { Clock } from '../../basics/clock.ts';
import { noAnswer } from '../../client/question-refusal.ts';
import type { Usage } from '../../models/model.ts';

export interface SampleLimits {
  readonly maxPerMinute: number;
  readonly maxRequests: number;
  /** Input and output together, over all requests. */
  readonly maxTotalTokens: number;
}

/** Counts what is asked, also when it is then refused: a person must not be flooded with questions either. */
export class SampleBounds {
  readonly #limits: SampleLimits;
  readonly #clock: Clock;
  #asked = 0;
  #tokens = 0;
  /** When the requests of the last minute came. */
  #recent: number[] = [];

  constructor(limits: SampleLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Throws the `ProtocolError` to answer with when it is too much. */
  admit(): void {
    const { maxPerMinute, maxRequests, maxTotalTokens } = this.#limits;
    if (this.#asked >= maxRequests)
      throw noAnswer(`this client answers ${maxRequests} sampling requests at most`);
    if (this.#tokens >= maxTotalTokens) {
      throw noAnswer(`this client spends ${maxTotalTokens} tokens on sampling requests at most`);
    }
    const now = this.#clock.now();
    this.#recent = this.#recent.filter(at => now - at < 60_000);
    if (this.#recent.length >= maxPerMinute) {
      throw noAnswer(
        `this client answers ${maxPerMinute} sampling requests a minute at most; ask again later`,
      );
    }
    this.#asked += 1;
    this.#recent.push(now);
  }

  /** Throws when waiting for a turn or a decision has used up the tokens. */
  recheck(): void {
    const { maxTotalTokens } = this.#limits;
    if (this.#tokens < maxTotalTokens) return;
    throw noAnswer(`this client spends ${maxTotalTokens} tokens on sampling requests at most`);
  }

  spend({ inputTokens, outputTokens }: Usage): void {
    this.#tokens += inputTokens + outputTokens;
  }
}
