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

const mostLines = 5;
/** Frames of a stack, and what Node puts around them. */
const frame = /^(?:at .*[:(<].*|Node\.js v[\d.]+|node:internal\S*|throw \w+;)$/;
/** How Node, Python, Java, Go, Rust and npm begin the line that says it. */
const naming =
  /^(?:(?:Uncaught |Exception in thread \S+ )?[\w.]*(?:Error|Exception)\b|(?:fatal|panic|error)\b|npm (?:error|ERR!)|thread .* panicked)/i;

/**
 * What a message tells of it: at most 5 lines, each at most 200 characters, joined by ` | `. These are the last ones that
 * say anything; the last that names an error stands before them where it came earlier.
 */
export function lastLines(tail: string): string {
  // Lines of signs alone say nothing. No bundler makes a literal of this: V8 gathers its characters when it reads a file.
  const word = new RegExp(['L', 'N'].map(category => `\\p{${category}}`).join('|'), 'u');
  const lines = tail
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => word.test(line) && !frame.test(line));
  const named = lines.findLastIndex(line => naming.test(line));
  const from = Math.max(lines.length - mostLines, 0);
  const told =
    named === -1 || named >= from ? lines.slice(from) : [lines[named] ?? '', ...lines.slice(from + 1)];
  return told.map(line => (line.length > 200 ? `${line.slice(0, 199)}…` : line)).join(' | ');
}
