/** The end of what a child said on stderr: bounded, readable, and without the secrets that it was given or that look like some. */
import { redact } from '../basics/redact.ts';

/** How many characters are kept. */
const tailLimit = 8192;

/** Collects text and keeps the last 8 KiB of it. */
export class Tail {
  readonly #decoder = new TextDecoder();
  readonly #secrets: readonly string[];
  #text = '';

  /** `secrets`, and what looks like one, are replaced by `***` in what is read back. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Takes the next bytes and returns them as text; a character cut by the chunk's end comes with the next. */
  push(chunk: Uint8Array): string {
    const text = this.#decoder.decode(chunk, { stream: true });
    const joined =
      this.#text.length + text.length > tailLimit ? (this.#text + text).slice(-tailLimit) : this.#text + text;
    // Half a character at the cut.
    this.#text = /^[\uDC00-\uDFFF]/.test(joined) ? joined.slice(1) : joined;
    return text;
  }

  /** The last 8 KiB; empty when nothing was said. */
  read(): string {
    let text = this.#text;
    for (const secret of this.#secrets) text = text.replaceAll(secret, '***');
    return redact(text);
  }
}

/** The last lines that are not blank, joined by ` | `, for a message: at most 5, each at most 200 characters. */
export function lastLines(tail: string): string {
  return tail
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .slice(-5)
    .map(line => (line.length > 200 ? `${line.slice(0, 199)}…` : line))
    .join(' | ');
}
