/** Answers of the Messages API, whole or in events, as our parts; pure. */
import { isObject } from '../../basics/json.ts';
import type { FinishReason, Part } from '../model.ts';
import type { ModelError } from '../model-error.ts';
import { decodeError } from '../provider/decode-error.ts';
import type { AnswerReader, TokenUsage } from '../provider/provider.ts';
import { deltas, GrowingBlock } from './growing-block.ts';
import { toReplay } from './replay.ts';
import { UsageReader } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

/** Takes the events of one answer in order. Events, blocks and deltas of unknown kinds are not a fault. */
export class EventReader implements AnswerReader {
  readonly #provider: string;
  readonly #idPrefix: string;
  readonly #usage = new UsageReader();
  readonly #growing = new Map<unknown, GrowingBlock>();
  readonly #blocks: Json[] = [];
  #calls = 0;
  #finish: FinishReason | undefined;
  #answered = false;
  #done = false;

  /** `idPrefix` begins the ids of calls that come without one; it must be new in the conversation. */
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
    return this.#done;
  }

  get usage(): TokenUsage {
    return this.#usage.total;
  }

  get uncounted(): readonly string[] {
    return this.#usage.uncounted;
  }

  *read(event: unknown): Generator<Part> {
    const { type, index, message, usage, delta, content_block: block } = this.#object(event, 'an event');
    if (type === 'message') yield* this.readWhole(event);
    else if (type === 'message_start') this.#begin(message);
    else if (type === 'content_block_start') yield* this.#start(index, this.#object(block, 'content_block'));
    else if (type === 'content_block_delta') yield* this.#grow(index, this.#object(delta, 'delta'));
    else if (type === 'content_block_stop') yield* this.#stop(index);
    else if (type === 'message_delta') {
      this.#usage.read(usage);
      yield* this.#conclude(this.#object(delta, 'delta'));
    } else if (type === 'message_stop') this.#done = true;
  }

  *readWhole(answer: unknown): Generator<Part> {
    const message = this.#object(answer, 'the answer');
    const { content } = message;
    if (!Array.isArray(content)) throw this.#fault('"content" is not a list of blocks');
    this.#begin(message);
    for (const [index, block] of content.entries()) {
      yield* this.#start(index, this.#object(block, 'a block'));
      yield* this.#stop(index);
    }
    yield* this.#conclude(message);
    this.#done = true;
  }

  *end(): Generator<Part> {
    // Some servers do not close their blocks.
    for (const index of this.#growing.keys()) yield* this.#stop(index);
    const replay = toReplay(this.#blocks);
    if (replay !== undefined) yield { type: 'replay', replay };
    yield { type: 'finish', reason: this.#finish ?? 'other' };
  }

  #begin(message: unknown): void {
    this.#answered = true;
    if (isObject(message)) this.#usage.read(message['usage']);
  }

  *#start(index: unknown, block: Json): Generator<Part> {
    if (block['type'] !== 'tool_use') {
      const growing = new GrowingBlock(block);
      this.#growing.set(index, growing);
      yield* growing.begin();
      return;
    }
    const { id, name } = block;
    if (typeof name !== 'string' || name === '') throw this.#fault('a tool call has no name');
    const call = this.#calls;
    this.#calls += 1;
    const known = typeof id === 'string' && id !== '' ? id : `${this.#idPrefix}_${call}`;
    this.#growing.set(index, new GrowingBlock({ ...block, id: known }, call));
    yield { type: 'tool-call-start', index: call, id: known, name };
  }

  *#grow(index: unknown, delta: Json): Generator<Part> {
    const { type } = delta;
    if (!isDelta(type)) return;
    const { member, kind } = deltas[type];
    const piece = delta[member];
    if (typeof piece !== 'string') throw this.#fault(`"${member}" of a delta is not text`);
    if (!this.#growing.has(index)) yield* this.#start(index, { type: kind });
    const growing = this.#growing.get(index);
    if (growing !== undefined) yield* growing.add(member, piece);
  }

  *#stop(index: unknown): Generator<Part> {
    const growing = this.#growing.get(index);
    if (growing === undefined) return;
    this.#growing.delete(index);
    yield* growing.end();
    this.#blocks.push(growing.whole());
  }

  *#conclude({ stop_reason: reason, stop_details: details }: Json): Generator<Part> {
    if (typeof reason !== 'string' || reason === '') return;
    this.#finish = isReason(reason) ? finishReasons[reason] : 'other';
    if (reason !== 'refusal' || !isObject(details)) return;
    const { category, explanation } = details;
    const why = [category, explanation].filter(word => typeof word === 'string' && word !== '').join(': ');
    if (why !== '') yield { type: 'note', code: 'refusal', message: `the model refuses: ${why}` };
  }

  #object(value: unknown, name: string): Json {
    if (isObject(value)) return value;
    throw this.#fault(`${name} is not a JSON object`);
  }

  #fault(why: string): ModelError {
    return decodeError(this.#provider, why);
  }
}

/** A turn that was paused is no answer yet; the replay holds what the provider wants to go on from. */
export const finishReasons: {
  readonly end_turn: 'stop';
  readonly stop_sequence: 'stop';
  readonly tool_use: 'tool-calls';
  readonly max_tokens: 'length';
  readonly model_context_window_exceeded: 'length';
  readonly refusal: 'refusal';
  readonly pause_turn: 'other';
} = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  pause_turn: 'other',
};

function isDelta(type: unknown): type is keyof typeof deltas {
  return typeof type === 'string' && Object.hasOwn(deltas, type);
}

function isReason(reason: string): reason is keyof typeof finishReasons {
  return Object.hasOwn(finishReasons, reason);
}
