/** The JSON of chat completions, whole or in chunks, as our parts; pure. */
import { isObject } from '../../basics/json.ts';
import { excerpt } from '../../basics/redact.ts';
import type { FinishReason, Part } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { decodeError } from '../provider/decode-error.ts';
import type { AnswerReader, TokenUsage } from '../provider/provider.ts';
import { TokenCounts } from '../provider/token-counts.ts';
import { CallSlots } from './call-slots.ts';
import { type Json, toReplay } from './replay.ts';
import { Thoughts } from './thoughts.ts';
import { readUsage } from './usage.ts';

/** Takes the chunks of one response in order; a whole response is one chunk. Throws a ModelError of kind `decode`. */
export class ChunkReader implements AnswerReader {
  /** The end marker is no JSON and is seen before. */
  readonly done = false;
  readonly #provider: string;
  readonly #slots: CallSlots;
  readonly #thoughts = new Thoughts();
  readonly #counts = new TokenCounts();
  #text = '';
  #finish: FinishReason | undefined;
  #answered = false;
  #refused = false;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };

  /** `idPrefix` begins the ids of calls that come without one; it must be new in the conversation. */
  constructor(provider: string, idPrefix: string) {
    this.#provider = provider;
    this.#slots = new CallSlots(idPrefix);
  }

  /** Whether there was anything of an answer. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Whether the server said why it stopped, which it does at the end. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  get uncounted(): readonly string[] {
    return this.#counts.odd;
  }

  /** The parts of this chunk. */
  *read(chunk: unknown): Generator<Part> {
    if (!isObject(chunk)) throw this.#fault('a chunk is not a JSON object');
    const { usage } = chunk;
    if (usage !== undefined && usage !== null) this.#usage = readUsage(usage, this.#counts);
    const { choices } = chunk;
    if (choices === undefined || choices === null) return;
    if (!Array.isArray(choices)) throw this.#fault('"choices" is not a list');
    // Only one was asked for; servers that send more number them.
    const choice: unknown = choices.find(one => !isObject(one) || (one['index'] ?? 0) === 0);
    if (choice === undefined) return;
    if (!isObject(choice)) throw this.#fault('a choice is not a JSON object');
    this.#answered = true;
    const message = choice['delta'] ?? choice['message'];
    if (isObject(message)) yield* this.#readMessage(message);
    const reason = choice['finish_reason'];
    if (reason === 'error') throw this.#givenUp(choice['error']);
    if (typeof reason === 'string' && reason !== '') this.#finish = finishReasons[reason] ?? 'other';
  }

  readWhole(answer: unknown): Iterable<Part> {
    return this.read(answer);
  }

  /** What is left at the end. The usage is without requests, which only the caller knows. */
  *end(): Generator<Part> {
    if (!this.#slots.areNamed) throw this.#fault('a tool call has no name');
    const { calls } = this.#slots;
    const replay = this.#refused
      ? undefined
      : toReplay(this.#text, calls, this.#thoughts.more(calls.length > 0));
    if (replay !== undefined) yield { type: 'replay', replay };
    yield { type: 'finish', reason: this.#refused ? 'refusal' : (this.#finish ?? 'other') };
  }

  *#readMessage(message: Json): Generator<Part> {
    const reasoning = this.#thoughts.read(message);
    if (reasoning !== '') yield { type: 'reasoning', text: reasoning };
    const text = this.#readText(message['content']);
    this.#text += text;
    if (text !== '') yield { type: 'text', text };
    const { refusal, tool_calls: calls } = message;
    if (typeof refusal === 'string' && refusal !== '') {
      this.#refused = true;
      yield { type: 'text', text: refusal };
    }
    if (calls === undefined || calls === null) return;
    if (!Array.isArray(calls)) throw this.#fault('"tool_calls" is not a list');
    for (const call of calls) {
      if (!isObject(call)) throw this.#fault('a tool call is not a JSON object');
      yield* this.#slots.read(call);
    }
  }

  /** Text, nothing, or a list of parts of which the texts count. */
  #readText(content: unknown): string {
    if (typeof content === 'string') return content;
    if (content === undefined || content === null) return '';
    if (!Array.isArray(content)) throw this.#fault('"content" is neither text nor a list of parts');
    return content
      .map(part => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
      .join('');
  }

  #givenUp(error: unknown): ModelError {
    const { message } = isObject(error) ? error : ({} as Json);
    const why = typeof message === 'string' && message !== '' ? `: ${excerpt(message)}` : '';
    return new ModelError(`${this.#provider} gave up its answer with an error${why}`, {
      kind: 'server',
      provider: this.#provider,
      retryable: true,
    });
  }

  #fault(why: string): ModelError {
    return decodeError(this.#provider, why);
  }
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'refusal',
};
