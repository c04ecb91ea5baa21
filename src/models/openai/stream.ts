/** The JSON of chat completions, whole or in chunks, as our parts; pure. */
import { isObject } from '../../basics/json.ts';
import type { FinishReason, Part } from '../model.ts';
import type { ModelError } from '../model-error.ts';
import { decodeError, readCount } from '../provider/decode-error.ts';
import type { AnswerReader, TokenUsage } from '../provider/provider.ts';

type Json = Readonly<Record<string, unknown>>;

interface Slot {
  readonly index: number;
  id: string;
  name: string;
  started: boolean;
  /** Arguments that came before the name. */
  pending: string;
}

/** Takes the chunks of one response in order; a whole response is one chunk. Throws a ModelError of kind `decode`. */
export class ChunkReader implements AnswerReader {
  /** The end marker is no JSON and is seen before. */
  readonly done = false;
  readonly #provider: string;
  readonly #idPrefix: string;
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();
  #finish: FinishReason | undefined;
  #answered = false;
  #refused = false;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };

  /** `idPrefix` begins the ids of calls that come without one; it must be new in the conversation. */
  constructor(provider: string, idPrefix: string) {
    this.#provider = provider;
    this.#idPrefix = idPrefix;
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

  /** The parts of this chunk. */
  *read(chunk: unknown): Generator<Part> {
    if (!isObject(chunk)) throw this.#fault('a chunk is not a JSON object');
    this.#readUsage(chunk['usage']);
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
    if (typeof reason === 'string' && reason !== '') this.#finish = finishReasons[reason] ?? 'other';
  }

  readWhole(answer: unknown): Iterable<Part> {
    return this.read(answer);
  }

  /** What is left at the end. The usage is without requests, which only the caller knows. */
  *end(): Generator<Part> {
    for (const slot of this.#slots) {
      if (!slot.started) throw this.#fault('a tool call has no name');
    }
    yield { type: 'finish', reason: this.#refused ? 'refusal' : (this.#finish ?? 'other') };
  }

  *#readMessage(message: Json): Generator<Part> {
    const reasoning = message['reasoning_content'] ?? message['reasoning'];
    if (typeof reasoning === 'string' && reasoning !== '') yield { type: 'reasoning', text: reasoning };
    const text = this.#readText(message['content']);
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
      yield* this.#readCall(call);
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

  *#readCall(call: Json): Generator<Part> {
    const about = isObject(call['function']) ? call['function'] : {};
    const id = typeof call['id'] === 'string' ? call['id'] : '';
    const name = typeof about['name'] === 'string' ? about['name'] : '';
    const slot = this.#slotFor(call['index'], id, name);
    if (!slot.started) {
      if (slot.id === '') slot.id = id;
      slot.name += name;
    }
    const raw = about['arguments'];
    const piece =
      typeof raw === 'string' ? raw : raw === undefined || raw === null ? '' : JSON.stringify(raw);
    if (!slot.started && slot.name === '') {
      slot.pending += piece;
      return;
    }
    const { index } = slot;
    if (!slot.started) {
      slot.started = true;
      if (slot.id === '') slot.id = `${this.#idPrefix}_${index}`;
      yield { type: 'tool-call-start', index, id: slot.id, name: slot.name };
    }
    const text = slot.pending + piece;
    slot.pending = '';
    if (text !== '') yield { type: 'tool-call-delta', index, arguments: text };
  }

  /** Some servers number no calls, some number all of them 0; a new id with a name is a new call. */
  #slotFor(given: unknown, id: string, name: string): Slot {
    const known = typeof given === 'number' ? this.#byIndex.get(given) : undefined;
    if (known !== undefined && (id === '' || name === '' || !known.started || known.id === id)) return known;
    const last = this.#slots.at(-1);
    if (typeof given !== 'number' && id === '' && name === '' && last !== undefined) return last;
    const slot: Slot = { index: this.#slots.length, id: '', name: '', started: false, pending: '' };
    this.#slots.push(slot);
    if (typeof given === 'number') this.#byIndex.set(given, slot);
    return slot;
  }

  #readUsage(usage: unknown): void {
    if (usage === undefined || usage === null) return;
    if (!isObject(usage)) throw this.#fault('"usage" is not a JSON object');
    const count = (...names: readonly string[]): number | undefined =>
      readCount(usage, names, this.#provider);
    const detail = (name: string, member: string): number | undefined => {
      const details = usage[name];
      return isObject(details) ? readCount(details, [member], this.#provider) : undefined;
    };
    const cachedInputTokens = detail('prompt_tokens_details', 'cached_tokens');
    const reasoningTokens = detail('completion_tokens_details', 'reasoning_tokens');
    this.#usage = {
      inputTokens: count('prompt_tokens', 'input_tokens') ?? 0,
      outputTokens: count('completion_tokens', 'output_tokens') ?? 0,
      ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
      ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    };
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
