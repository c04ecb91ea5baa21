/** An error that a server wrote between its events without making it one, as the Gemini API does. */
import { parseJson } from '../../basics/json.ts';
import type { ModelError } from '../model-error.ts';
import { type FailureFacts, failureIn } from './failure.ts';

const mostBytes = 64 * 1024;

/** Keeps the end of a stream, to look for an error there when it ends too early. */
export class StreamTail {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  keep(piece: Uint8Array): void {
    // A copy: the sender may use its buffer again.
    const end = piece.slice(-mostBytes);
    this.#pieces.push(end);
    this.#bytes += end.length;
    while (this.#bytes - (this.#pieces[0]?.length ?? 0) >= mostBytes) {
      this.#bytes -= this.#pieces.shift()?.length ?? 0;
    }
  }

  /** The failure that the last JSON document on lines of its own reports, if there is one. */
  failure(facts: FailureFacts): ModelError | undefined {
    const text = new TextDecoder().decode(this.#joined());
    const parsed = parseJson(text.slice(text.lastIndexOf('\n{') + 1).trim());
    return parsed.ok ? failureIn(parsed.value, facts) : undefined;
  }

  #joined(): Uint8Array {
    const joined = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}
