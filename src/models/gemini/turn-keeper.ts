/** The parts of a turn as they came, for the next request to give back; pure. */
import type { Replay } from '../model.ts';
import { providerName } from './turn.ts';

type Json = Readonly<Record<string, unknown>>;

/** Members of parts that can be written anew from our own parts. */
const own: ReadonlySet<string> = new Set(['text', 'thought', 'functionCall']);

/** Pieces of one text become one part again, except that what is signed stays as it is. */
export class TurnKeeper {
  readonly #parts: Json[] = [];
  #needed = false;

  keep(part: Json): void {
    const names = Object.keys(part);
    if (names.length === 0) return;
    if (names.some(name => !own.has(name))) this.#needed = true;
    const last = this.#parts.at(-1);
    if (!isPlainText(part)) this.#parts.push(part);
    else if (last !== undefined && isPlainText(last) && last.thought === part.thought) {
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + part.text };
    } else if (part.text !== '') this.#parts.push(part);
  }

  /** `undefined` when text and calls alone would do. */
  get replay(): Replay | undefined {
    return this.#needed ? { provider: providerName, items: this.#parts } : undefined;
  }
}

function isPlainText(part: Json): part is { readonly text: string; readonly thought?: unknown } {
  return (
    typeof part['text'] === 'string' && Object.keys(part).every(name => name === 'text' || name === 'thought')
  );
}
