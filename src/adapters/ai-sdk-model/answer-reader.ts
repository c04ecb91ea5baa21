/** An answer of an AI SDK model, streamed or whole, as our parts. */
import { isObject } from '../../basics/json.ts';
import type { FinishReason, Part, Usage } from '../../models/model.ts';
import { ModelError } from '../../models/model-error.ts';
import type { SdkPart } from './language-model.ts';
import { Turn } from './turn.ts';
import { toUsage } from './usage.ts';

interface Slot {
  readonly index: number;
  streamed: boolean;
}

/** Takes the parts of one answer in order. Kinds that say nothing to us are passed over. */
export class AnswerReader {
  readonly #provider: string;
  readonly #nameOf: (alias: string) => string;
  readonly #turn = new Turn();
  readonly #slots = new Map<string, Slot>();
  #finish: FinishReason | undefined;
  #saidWhy = false;
  usage: Omit<Usage, 'requests'> = { inputTokens: 0, outputTokens: 0 };

  constructor(provider: string, nameOf: (alias: string) => string) {
    this.#provider = provider;
    this.#nameOf = nameOf;
  }

  /** Whether the model said why it stopped. Providers make up an end, without a reason, for a stream that was cut. */
  get finished(): boolean {
    return this.#saidWhy;
  }

  /** The parts of one part of a stream, or of one piece of whole content. */
  *read(part: unknown): Generator<Part> {
    if (!isObject(part)) throw this.#fault('a part is not an object');
    switch (part['type']) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'text':
        yield* this.#readText('text', part);
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
      case 'reasoning':
        yield* this.#readText('reasoning', part);
        break;
      case 'tool-input-start':
        if (part['providerExecuted'] !== true) yield* this.#startCall(part['id'], part['toolName']);
        break;
      case 'tool-input-delta':
        yield* this.#growCall(part['id'], part['delta']);
        break;
      case 'tool-call':
        yield* this.#readCall(part);
        break;
      case 'tool-result':
        this.#turn.result(part);
        break;
      case 'file':
      case 'reasoning-file':
        this.#turn.file(part);
        yield note(
          'file-generated',
          `the model made a file (${String(part['mediaType'])}), kept for it alone`,
        );
        break;
      case 'stream-start':
        yield* this.#readWarnings(part['warnings']);
        break;
      case 'finish':
        this.#readFinish(part);
        break;
      default:
        break;
    }
  }

  /** The parts of a whole answer. */
  *readWhole(answer: unknown): Generator<Part> {
    if (!isObject(answer) || !Array.isArray(answer['content'])) throw this.#fault('it has no content');
    yield* this.#readWarnings(answer['warnings']);
    for (const [index, part] of (answer['content'] as readonly unknown[]).entries()) {
      yield* this.read(isObject(part) ? { id: index, ...part } : part);
    }
    this.#readFinish(answer);
  }

  /** What is left at the end. */
  *end(): Generator<Part> {
    const replay = this.#turn.replay(this.#provider);
    if (replay !== undefined) yield { type: 'replay', replay };
    yield { type: 'finish', reason: this.#finish ?? 'other' };
  }

  *#readText(type: 'text' | 'reasoning', part: SdkPart): Generator<Part> {
    const { id, delta, text = delta, providerMetadata } = part;
    const said = typeof text === 'string' ? text : '';
    this.#turn.grow(type, id, said, providerMetadata);
    if (said !== '') yield { type, text: said };
  }

  *#startCall(id: unknown, name: unknown): Generator<Part> {
    if (typeof id !== 'string' || typeof name !== 'string')
      throw this.#fault('a tool call has no id or name');
    if (this.#slots.has(id)) return;
    const index = this.#slots.size;
    this.#slots.set(id, { index, streamed: false });
    yield { type: 'tool-call-start', index, id, name: this.#nameOf(name) };
  }

  *#growCall(id: unknown, delta: unknown): Generator<Part> {
    const slot = this.#slots.get(String(id));
    if (slot === undefined || typeof delta !== 'string' || delta === '') return;
    slot.streamed = true;
    yield { type: 'tool-call-delta', index: slot.index, arguments: delta };
  }

  *#readCall(part: SdkPart): Generator<Part> {
    this.#turn.call(part);
    if (part['providerExecuted'] === true) return;
    const { toolCallId, toolName, input } = part;
    yield* this.#startCall(toolCallId, toolName);
    // The call repeats as a whole what was streamed of it.
    if (this.#slots.get(String(toolCallId))?.streamed === true) return;
    yield* this.#growCall(toolCallId, typeof input === 'string' ? input : JSON.stringify(input ?? {}));
  }

  *#readWarnings(warnings: unknown): Generator<Part> {
    for (const warning of Array.isArray(warnings) ? (warnings as readonly unknown[]) : []) {
      if (!isObject(warning)) continue;
      const { type, setting, feature = setting, details, message = details } = warning;
      const words = [type, feature, message].filter(word => typeof word === 'string');
      yield note('provider-warning', words.join(': '));
    }
  }

  #readFinish({ finishReason, usage }: SdkPart): void {
    const word = isObject(finishReason) ? finishReason['unified'] : finishReason;
    const isVague = word === 'other' && isObject(finishReason) && finishReason['raw'] === undefined;
    this.#saidWhy = !isVague && word !== undefined && word !== 'unknown' && word !== 'interrupted';
    this.#finish = finishReasons[String(word)] ?? 'other';
    this.usage = toUsage(usage);
  }

  #fault(why: string): ModelError {
    return new ModelError(`${this.#provider} gave an answer that makes no sense: ${why}`, {
      kind: 'decode',
      provider: this.#provider,
    });
  }
}

function note(code: string, message: string): Part {
  return { type: 'note', code, message };
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool-calls',
  'content-filter': 'refusal',
};
