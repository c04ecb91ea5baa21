/** Whose turn it is among the questions of one server: a few are answered at once, the next wait in order, no more come in. */
import { Slots } from '../basics/slots.ts';
import type { Diagnostic } from '../channels/channel.ts';
import type { Question } from '../protocol/question.ts';
import type { Params } from '../rpc/message.ts';

export type Answer = (question: Question, signal: AbortSignal) => Promise<Params>;

const mostAtOnce = 16;
const mostWaiting = 1024;
/** Of all that wait, as JSON. */
const mostCharacters = 64 * 1024 * 1024;

interface Lane {
  readonly slots: Slots;
  /** Of the questions that wait. */
  characters: number;
  readonly told: Set<string>;
}

/** One per client. Each kind has its own turns: a person who thinks about forms keeps nobody from being told of folders. */
export class QuestionTurns {
  readonly #atOnce: number;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #lanes = new Map<Question['kind'], Lane>();

  constructor(report: (diagnostic: Diagnostic) => void, atOnce: number = mostAtOnce) {
    this.#report = report;
    this.#atOnce = atOnce;
  }

  /** Why a question that came unasked may not even wait; nothing when it may. */
  refusal({ kind }: Question): string | undefined {
    const lane = this.#laneOf(kind);
    if (lane.slots.waiting < mostWaiting && lane.characters < mostCharacters) return undefined;
    const why = `${this.#atOnce} questions of the kind "${kind}" are being answered and the queue is full`;
    this.#tell(lane, 'questions-refused', `${why}; the server is told to ask again later`);
    return `busy: ${why}; ask again later`;
  }

  /**
   * Answers when it is the question's turn; rejects with the signal's reason when that aborts before. One that is
   * withdrawn keeps its place until `answer` has ended: else asking and withdrawing would be a way round the limit.
   */
  async take(question: Question, answer: Answer, signal: AbortSignal): Promise<Params> {
    const lane = this.#laneOf(question.kind);
    const release = await (lane.slots.full ? this.#wait(lane, question, signal) : lane.slots.take(signal));
    try {
      signal.throwIfAborted();
      return await answer(question, signal);
    } finally {
      release();
    }
  }

  async #wait(lane: Lane, question: Question, signal: AbortSignal): Promise<() => void> {
    const what = `${this.#atOnce} questions of the kind "${question.kind}" are being answered`;
    this.#tell(lane, 'questions-wait', `${what}; further ones wait their turn, see the option maxQuestions`);
    const { length } = JSON.stringify(question);
    lane.characters += length;
    try {
      return await lane.slots.take(signal);
    } finally {
      lane.characters -= length;
    }
  }

  #laneOf(kind: Question['kind']): Lane {
    let lane = this.#lanes.get(kind);
    if (!lane) {
      lane = { slots: new Slots(this.#atOnce), characters: 0, told: new Set() };
      this.#lanes.set(kind, lane);
    }
    return lane;
  }

  /** Once each: a server that asks too much asks a lot. */
  #tell({ told }: Lane, kind: string, message: string): void {
    if (told.has(kind)) return;
    told.add(kind);
    this.#report({ kind, message });
  }
}
