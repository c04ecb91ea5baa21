/** The transcript as the model is shown it: the same messages, with each tool result presented. */
import type { ModelMessage, ToolMessage } from '../../models/model.ts';
import { callRefs } from './artifacts.ts';
import { presentResult, type ShownResult } from './present-result.ts';

export interface ShownMessages {
  readonly messages: readonly ModelMessage[];
  /** Whether something of a result was left out for its size, and can be read on. */
  readonly cut: boolean;
}

/** Presents each result of a run once, however often it is shown: within a run messages do not change. */
export class Presenter {
  readonly #maxTokens: number;
  readonly #shown = new WeakMap<ToolMessage, { readonly readMore: string; readonly result: ShownResult }>();

  /** Most tokens of one result; Infinity for no limit. */
  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  /**
   * `readMore` is what the tool is called that reads on; `transcript` has the messages and those that are not shown, and
   * is what handles are of.
   */
  present(
    messages: readonly ModelMessage[],
    readMore: string,
    transcript: readonly ModelMessage[] = messages,
  ): ShownMessages {
    const refs = callRefs(transcript);
    let cut = false;
    const shown = messages.map(message => {
      if (message.role !== 'tool') return message;
      const result = this.#present(message, readMore, refs.get(message));
      cut ||= result.cut;
      if (message.structuredContent === undefined && result.content === message.content) return message;
      const { structuredContent: _, ...rest } = message;
      return { ...rest, content: result.content };
    });
    return { messages: shown, cut };
  }

  #present(message: ToolMessage, readMore: string, ref: string | undefined): ShownResult {
    const known = this.#shown.get(message);
    if (known?.readMore === readMore) return known.result;
    const result = presentResult(message, { maxTokens: this.#maxTokens, readMore, ref });
    this.#shown.set(message, { readMore, result });
    return result;
  }
}
