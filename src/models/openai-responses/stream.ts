/** The JSON of the responses endpoint, whole or as events, as our parts; pure. */
import { isObject } from '../../basics/json.ts';
import type { FinishReason, Part } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { decodeError } from '../provider/decode-error.ts';
import type { AnswerReader, TokenUsage } from '../provider/provider.ts';
import { TokenCounts } from '../provider/token-counts.ts';
import { type Json, toReplay } from './replay.ts';

/** States of a response without an answer in it. */
const unanswered: ReadonlySet<string> = new Set(['cancelled', 'failed', 'queued', 'in_progress']);

interface Slot {
  readonly index: number;
  /** Whether pieces of its arguments came, so that the whole of them would repeat them. */
  streamed: boolean;
  ended: boolean;
}

/** Takes the events of one response in order, or the whole of it. Throws a ModelError of kind `decode`. */
export class ResponseReader implements AnswerReader {
  readonly #provider: string;
  readonly #idPrefix: string;
  /** By the place in the response's output. */
  readonly #calls = new Map<number, Slot>();
  /** Places whose text, refusal or reasoning was passed on in pieces. */
  readonly #told = new Set<number>();
  readonly #items = new Map<number, Json>();
  readonly #counts = new TokenCounts();
  #finish: FinishReason | undefined;
  #refused = false;
  #answered = false;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };

  constructor(provider: string, idPrefix: string) {
    this.#provider = provider;
    this.#idPrefix = idPrefix;
  }

  get answered(): boolean {
    return this.#answered;
  }

  get finished(): boolean {
    return this.#finish !== undefined;
  }

  get done(): boolean {
    return this.finished;
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  get uncounted(): readonly string[] {
    return this.#counts.odd;
  }

  *read(event: unknown): Generator<Part> {
    if (!isObject(event)) throw this.#fault('an event is not a JSON object');
    const { type, delta } = event;
    // A whole answer that a server sends as the only event of a stream.
    if (event['object'] === 'response') return yield* this.readWhole(event);
    const place = typeof event['output_index'] === 'number' ? event['output_index'] : 0;
    switch (type) {
      case 'response.output_item.added':
        return yield* this.#openItem(place, event['item']);
      case 'response.output_item.done':
        return yield* this.#closeItem(place, event['item']);
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        if (typeof delta === 'string' && delta !== '') yield this.#tell(type, place, delta);
        return;
      case 'response.function_call_arguments.delta':
        return yield* this.#addArguments(place, delta);
      case 'response.completed':
      case 'response.done':
      case 'response.incomplete':
      case 'response.cancelled':
        return yield* this.readWhole(event['response']);
      default:
        // Many events repeat what others said, or are of tools that we do not offer.
        return;
    }
  }

  *readWhole(response: unknown): Generator<Part> {
    if (!isObject(response)) throw this.#fault('the response is not a JSON object');
    const { status } = response;
    // Some servers leave out at the end what they sent before.
    const output = response['output'] ?? (this.#answered ? [] : undefined);
    if (typeof status === 'string' && unanswered.has(status)) throw this.#unanswered(status);
    if (!Array.isArray(output)) throw this.#fault('"output" is not a list');
    this.#answered = true;
    for (const [place, item] of output.entries()) yield* this.#closeItem(place, item);
    this.#readUsage(response['usage']);
    this.#finish = status === 'incomplete' ? this.#whyIncomplete(response) : 'stop';
  }

  *end(): Generator<Part> {
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    const replay = toReplay(items);
    if (replay !== undefined) yield { type: 'replay', replay };
    const stopped = this.#finish === 'stop' && this.#calls.size > 0 ? 'tool-calls' : this.#finish;
    yield { type: 'finish', reason: this.#refused ? 'refusal' : (stopped ?? 'other') };
  }

  #tell(type: string, place: number, text: string): Part {
    this.#answered = true;
    this.#told.add(place);
    if (type.startsWith('response.reasoning')) return { type: 'reasoning', text };
    if (type === 'response.refusal.delta') this.#refused = true;
    return { type: 'text', text };
  }

  *#openItem(place: number, item: unknown): Generator<Part> {
    if (!isObject(item)) throw this.#fault('an item of the output is not a JSON object');
    if (item['type'] !== 'function_call' || this.#calls.has(place)) return;
    const { name, call_id: id } = item;
    if (typeof name !== 'string' || name === '') throw this.#fault('a tool call has no name');
    const index = this.#calls.size;
    this.#answered = true;
    this.#calls.set(place, { index, streamed: false, ended: false });
    const known = typeof id === 'string' && id !== '' ? id : `${this.#idPrefix}_${index}`;
    yield { type: 'tool-call-start', index, id: known, name };
  }

  *#addArguments(place: number, delta: unknown): Generator<Part> {
    const call = this.#calls.get(place);
    if (call === undefined) throw this.#fault('arguments came for a call that did not begin');
    if (typeof delta !== 'string' || delta === '') return;
    call.streamed = true;
    yield { type: 'tool-call-delta', index: call.index, arguments: delta };
  }

  /** The item as it is at last: whatever of it was not passed on in pieces is passed on now. */
  *#closeItem(place: number, item: unknown): Generator<Part> {
    yield* this.#openItem(place, item);
    if (!isObject(item)) return;
    const { status: _, ...kept } = item;
    this.#items.set(place, kept);
    const call = this.#calls.get(place);
    if (call !== undefined) yield* this.#closeCall(call, item['arguments']);
    else if (!this.#told.has(place)) yield* this.#tellWhole(place, item);
  }

  *#closeCall(call: Slot, whole: unknown): Generator<Part> {
    if (call.ended) return;
    call.ended = true;
    if (call.streamed || typeof whole !== 'string' || whole === '') return;
    yield { type: 'tool-call-delta', index: call.index, arguments: whole };
  }

  *#tellWhole(place: number, item: Json): Generator<Part> {
    const pieces = item['type'] === 'reasoning' ? (item['summary'] ?? item['content']) : item['content'];
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces) {
      const { text, refusal } = isObject(piece) ? piece : ({} as Json);
      const kind = item['type'] === 'reasoning' ? 'response.reasoning' : 'response.text';
      if (typeof text === 'string' && text !== '') yield this.#tell(kind, place, text);
      if (typeof refusal === 'string') yield this.#tell('response.refusal.delta', place, refusal);
    }
  }

  #whyIncomplete(response: Json): FinishReason {
    const details = response['incomplete_details'];
    const reason = isObject(details) ? details['reason'] : undefined;
    if (reason === 'content_filter') return 'refusal';
    return reason === 'max_output_tokens' ? 'length' : 'other';
  }

  #readUsage(usage: unknown): void {
    const told = this.#counts.members(usage, 'usage');
    const input = this.#counts.members(told['input_tokens_details'], 'input_tokens_details');
    const output = this.#counts.members(told['output_tokens_details'], 'output_tokens_details');
    const cachedInputTokens = this.#counts.read(input, 'cached_tokens');
    const reasoningTokens = this.#counts.read(output, 'reasoning_tokens');
    this.#usage = {
      inputTokens: this.#counts.read(told, 'input_tokens') ?? 0,
      outputTokens: this.#counts.read(told, 'output_tokens') ?? 0,
      ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
      ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    };
  }

  #unanswered(status: string): ModelError {
    return new ModelError(`${this.#provider} gave no answer: the response is ${status}`, {
      kind: 'server',
      provider: this.#provider,
      hint: 'It was given up, or is answered in the background, which is not waited for; leave `background` out of extra.',
    });
  }

  #fault(why: string): ModelError {
    return decodeError(this.#provider, why);
  }
}
