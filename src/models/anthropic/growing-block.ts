/** One block of an answer while it grows: its pieces as parts at once, and all of it as a later request may hold it. */
import type { Part } from '../model.ts';
import { readArguments } from '../provider/call-arguments.ts';

type Json = Readonly<Record<string, unknown>>;

/** Which member of a delta holds a piece, and what kind of block it belongs to. */
export const deltas = {
  text_delta: { member: 'text', kind: 'text' },
  thinking_delta: { member: 'thinking', kind: 'thinking' },
  signature_delta: { member: 'signature', kind: 'thinking' },
  input_json_delta: { member: 'partial_json', kind: 'tool_use' },
} as const;

export type PieceName = (typeof deltas)[keyof typeof deltas]['member'];

export class GrowingBlock {
  readonly #block: Json;
  /** The number of its call, if it is one. */
  readonly #call: number | undefined;
  readonly #pieces = new Map<PieceName, string[]>();

  constructor(block: Json, call?: number) {
    this.#block = block;
    this.#call = call;
  }

  /** What came with its beginning, which is all of it in a whole answer. */
  *begin(): Generator<Part> {
    const { type, text, thinking } = this.#block;
    if (type === 'text' && typeof text === 'string') yield* this.#show('text', text);
    if (type === 'thinking' && typeof thinking === 'string') yield* this.#show('thinking', thinking);
  }

  *add(member: PieceName, piece: string): Generator<Part> {
    if (piece === '') return;
    const pieces = this.#pieces.get(member);
    if (pieces === undefined) this.#pieces.set(member, [piece]);
    else pieces.push(piece);
    yield* this.#show(member, piece);
  }

  /** A call whose arguments came in no pieces has those that it began with. */
  *end(): Generator<Part> {
    if (this.#call === undefined || this.#pieces.has('partial_json')) return;
    yield* this.#show('partial_json', JSON.stringify(this.#block['input'] ?? {}));
  }

  whole(): Json {
    const grown: Record<string, unknown> = { ...this.#block };
    for (const [member, pieces] of this.#pieces) {
      const text = pieces.join('');
      if (member === 'partial_json') grown['input'] = readArguments(text);
      else grown[member] = `${grown[member] ?? ''}${text}`;
    }
    return grown;
  }

  *#show(member: PieceName, piece: string): Generator<Part> {
    if (piece === '') return;
    if (member === 'text') yield { type: 'text', text: piece };
    if (member === 'thinking') yield { type: 'reasoning', text: piece };
    if (member === 'partial_json' && this.#call !== undefined) {
      yield { type: 'tool-call-delta', index: this.#call, arguments: piece };
    }
  }
}
