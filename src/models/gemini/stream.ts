/** The JSON of generateContent, whole or in chunks, as our parts; pure. */
import { isObject } from '../../basics/json.ts';
import { shorten } from '../../basics/shorten.ts';
import type { Part } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { decodeError } from '../provider/decode-error.ts';
import type { AnswerReader, TokenUsage } from '../provider/provider.ts';
import { TokenCounts } from '../provider/token-counts.ts';
import { type Ending, endingOf } from './ending.ts';
import { TurnKeeper } from './turn-keeper.ts';
import { readUsage } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

/** Members of a part that say how it is meant rather than what it is. */
const manners: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'partMetadata']);

/** What the model wrote makes no sense; mostly it does at the next try. */
const faults: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'MALFORMED_RESPONSE',
]);

/** Takes the chunks of one response in order; a whole response is one chunk. Throws a ModelError of kind `decode`. */
export class CandidateReader implements AnswerReader {
  /** There is no end marker: the stream just ends. */
  readonly done = false;
  readonly #provider: string;
  readonly #idPrefix: string;
  readonly #counts = new TokenCounts();
  readonly #turn = new TurnKeeper();
  readonly #ids = new Set<string>();
  readonly #unread = new Set<string>();
  #calls = 0;
  #ending: Ending | undefined;
  #answered = false;
  #told: Json = {};
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };

  /** `idPrefix` begins the ids of calls that come without one; it must be new in the conversation. */
  constructor(provider: string, idPrefix: string) {
    this.#provider = provider;
    this.#idPrefix = idPrefix;
  }

  get answered(): boolean {
    return this.#answered;
  }

  /** Whether the server said why it stopped. */
  get finished(): boolean {
    return this.#ending !== undefined;
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  get uncounted(): readonly string[] {
    return this.#counts.odd;
  }

  *read(chunk: unknown): Generator<Part> {
    if (!isObject(chunk)) throw this.#fault('a chunk is not a JSON object');
    this.#readUsage(chunk['usageMetadata']);
    const { promptFeedback: feedback, candidates } = chunk;
    if (isObject(feedback) && isWord(feedback['blockReason'])) {
      this.#answered = true;
      this.#ending = endingOf({ reason: feedback['blockReason'], about: feedback, isPrompt: true });
    }
    if (candidates === undefined || candidates === null) return;
    if (!Array.isArray(candidates)) throw this.#fault('"candidates" is not a list');
    // Only one is asked for.
    const candidate: unknown = candidates.find(one => !isObject(one) || (one['index'] ?? 0) === 0);
    if (candidate !== undefined) yield* this.#readCandidate(candidate);
  }

  readWhole(answer: unknown): Iterable<Part> {
    return this.read(answer);
  }

  *end(): Generator<Part> {
    const replay = this.#turn.replay;
    if (replay !== undefined) yield { type: 'replay', replay };
    if (this.#unread.size > 0) yield this.#unreadNote();
    const { finish = 'other', note } = this.#ending ?? {};
    if (note !== undefined) yield { type: 'note', ...note };
    yield { type: 'finish', reason: finish === 'stop' && this.#calls > 0 ? 'tool-calls' : finish };
  }

  #unreadNote(): Part {
    const kinds = [...this.#unread].slice(0, 5).map(kind => shorten(kind, 40));
    const message = `parts of the model are kept for its next turn but not shown: ${kinds.join(', ')}`;
    return { type: 'note', code: 'parts-not-shown', message };
  }

  *#readCandidate(candidate: unknown): Generator<Part> {
    if (!isObject(candidate)) throw this.#fault('a candidate is not a JSON object');
    this.#answered = true;
    const { content, finishReason: reason } = candidate;
    const parts = isObject(content) ? (content['parts'] ?? []) : [];
    if (!Array.isArray(parts)) throw this.#fault('"parts" is not a list');
    for (const part of parts) {
      if (!isObject(part)) throw this.#fault('a part is not a JSON object');
      yield* this.#readPart(part);
    }
    if (!isWord(reason)) return;
    if (faults.has(reason)) throw this.#garbled(reason, candidate['finishMessage']);
    this.#ending = endingOf({ reason, about: candidate, isPrompt: false });
  }

  *#readPart(part: Json): Generator<Part> {
    const { text, thought, functionCall: call } = part;
    this.#turn.keep(part);
    if (call !== undefined && call !== null) {
      if (!isObject(call)) throw this.#fault('a function call is not a JSON object');
      yield* this.#readCall(call);
    } else if (typeof text === 'string') {
      if (text !== '') yield { type: thought === true ? 'reasoning' : 'text', text };
    } else {
      for (const kind of Object.keys(part)) if (!manners.has(kind)) this.#unread.add(kind);
    }
  }

  *#readCall({ id: given, name, args }: Json): Generator<Part> {
    if (!isWord(name)) throw this.#fault('a function call has no name');
    const index = this.#calls;
    const id = isWord(given) && !this.#ids.has(given) ? given : `${this.#idPrefix}_${index}`;
    this.#calls += 1;
    this.#ids.add(id);
    yield { type: 'tool-call-start', index, id, name };
    yield { type: 'tool-call-delta', index, arguments: JSON.stringify(args ?? {}) };
  }

  /** Each chunk may tell some of the counts so far. */
  #readUsage(usage: unknown): void {
    this.#told = { ...this.#told, ...this.#counts.members(usage, 'usageMetadata') };
    this.#usage = readUsage(this.#told, this.#counts);
  }

  #garbled(reason: string, words: unknown): ModelError {
    const more = isWord(words) ? `: ${shorten(words, 200)}` : '';
    return new ModelError(`${this.#provider} gave up an answer of its model as ${reason}${more}`, {
      kind: 'server',
      provider: this.#provider,
      retryable: true,
    });
  }

  #fault(why: string): ModelError {
    return decodeError(this.#provider, why);
  }
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
