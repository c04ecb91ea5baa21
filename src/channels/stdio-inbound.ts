/** What a server prints on stdout, told apart: messages, and noise that is noted and passed over. */
import { parseJson } from '../basics/json.ts';
import { type LineFault, LineSplitter } from '../basics/lines.ts';
import type { Receiver } from './channel.ts';
import { standInFor } from './unread-answer.ts';

/** How much of a line a diagnostic shows. */
const shownLength = 200;

/** Turns chunks into messages for `receiver`; `overflow` is told of a line beyond the limit. */
export class Inbound {
  readonly #lines: LineSplitter;
  readonly #receiver: Receiver;
  readonly #overflow: (fault: LineFault) => void;
  #stopped = false;
  #heard = false;
  #ending = false;

  constructor(receiver: Receiver, lineLimit: number, overflow: (fault: LineFault) => void) {
    this.#receiver = receiver;
    this.#overflow = overflow;
    this.#lines = new LineSplitter({
      limit: lineLimit,
      line: text => this.#line(text),
      fault: fault => this.#fault(fault),
    });
  }

  /** Whether any message has come. */
  get heard(): boolean {
    return this.#heard;
  }

  push(chunk: Uint8Array): void {
    if (this.#stopped) return;
    this.#receiver.activity('output');
    this.#lines.push(chunk);
  }

  /**
   * The output has ended; a last line without a newline is a line all the same. Returns the size of a message that was
   * cut off in the middle, 0 when there was none.
   */
  end(): number {
    if (this.#stopped) return 0;
    const heardBefore = this.#heard;
    this.#heard = false;
    this.#ending = true;
    const unfinished = this.#lines.end();
    const complete = unfinished === 0 || this.#heard;
    this.#heard ||= heardBefore;
    return complete ? 0 : unfinished;
  }

  /** Delivers nothing more, not even the rest of a chunk that is being taken apart. */
  stop(): void {
    this.#stopped = true;
  }

  #line(text: string): void {
    if (this.#stopped) return;
    const parsed = parseJson(text);
    if (parsed.ok && looksLikeMessage(parsed.value)) {
      this.#heard = true;
      this.#receiver.message(parsed.value);
      return;
    }
    if (!parsed.ok && this.#unread(text, parsed.reason)) return;
    const what = parsed.ok
      ? 'JSON that is no JSON-RPC message'
      : `a line that is not JSON (${parsed.reason})`;
    this.#note('stdout-noise', `the server printed ${what} on stdout; it was skipped`, text);
  }

  #fault(fault: LineFault): void {
    if (this.#stopped) return;
    if (fault.kind === 'too-long') this.#overflow(fault);
    else if (!this.#unread(fault.sample, `its ${fault.bytes} bytes are not UTF-8`)) {
      const message = `the server printed a line of ${fault.bytes} bytes that is not UTF-8 on stdout; it was skipped`;
      this.#note('not-utf8', message, fault.sample);
    }
  }

  /** Fails at once the request that the line answers; what the end of the output cut off fails with the connection. */
  #unread(line: string, reason: string): boolean {
    const answer = this.#ending ? undefined : standInFor(line, reason);
    if (answer === undefined) return false;
    this.#heard = true;
    const message = `the server printed an answer on stdout that cannot be read: ${reason}; its request fails`;
    this.#note('unreadable-answer', message, line);
    this.#receiver.message(answer);
    return true;
  }

  #note(kind: string, message: string, line: string): void {
    const data = line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
    this.#receiver.diagnostic({ kind, message, data });
  }
}

/** A JSON log line is JSON too; what it lacks is the shape. A batch is a message when a member is one. */
function looksLikeMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(member => !Array.isArray(member) && looksLikeMessage(member));
  if ('jsonrpc' in value) return true;
  return 'id' in value && ('result' in value || 'error' in value || 'method' in value);
}
