/** Ids of tool calls: each call of a response needs one of its own, or its result could not be told from another's. */
import type { ModelMessage, Part } from '../../models/model.ts';

type CallStart = Extract<Part, { readonly type: 'tool-call-start' }>;

export interface NamedCall {
  readonly callId: string;
  readonly tool: string;
}

/** Names the calls of one response as they begin. */
export class CallNames {
  readonly #turn: number;
  readonly #before: readonly ModelMessage[];
  readonly #calls = new Map<number, NamedCall>();
  readonly #used = new Set<string>();

  /** `before`: the conversation so far, whose ids are not given again. */
  constructor(turn: number, before: readonly ModelMessage[]) {
    this.#turn = turn;
    this.#before = before;
  }

  /** The same start, with an id of our own where the model gave none, or one it had used already in this response. */
  begin(start: CallStart): CallStart {
    const id = start.id !== '' && !this.#used.has(start.id) ? start.id : this.#free(start.index);
    this.#used.add(id);
    this.#calls.set(start.index, { callId: id, tool: start.name });
    return id === start.id ? start : { ...start, id };
  }

  find(index: number): NamedCall | undefined {
    return this.#calls.get(index);
  }

  #free(index: number): string {
    const name = `call_${this.#turn}_${index}`;
    let free = name;
    for (let number = 1; this.#used.has(free) || this.#isKnown(free); number += 1) free = `${name}_${number}`;
    return free;
  }

  #isKnown(id: string): boolean {
    return this.#before.some(
      message => message.role === 'assistant' && message.toolCalls?.some(call => call.id === id),
    );
  }
}
