/** The neutral call: all that a handler may know of one request, in every era; and what it answers with. */
import type { Id, Params } from '../rpc/message.ts';
import type { ClientView, LogLevel, ProgressDetail } from '../tools/context.ts';
import type { Question } from './question.ts';

/** One request as handlers see it. */
export interface Call {
  readonly method: string;
  readonly params: Params;
  readonly client: ClientView;
  /** For traces: the id that the request came with, and of the session that it belongs to, where there are such. */
  readonly id?: Id;
  readonly session?: string | undefined;
  /** Who the caller proved to be, when the transport authenticates. */
  readonly principal: string | undefined;
  /** Whether it may be answered by a result of an extension's kind; elsewhere only ordinary results travel. */
  readonly takesKinds: boolean;
  /** Made on first use; aborts when the caller cancels or leaves, or when the run is over for other reasons. */
  readonly signal: AbortSignal;
  progress(done: number, detail?: ProgressDetail): void;
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Asks the client. `key` names the question within the call. Where questions are requests the handler waits; where
   * they are not, the first unanswered ask ends this run (the promise rejects with `RoundEnded`) and the handler runs
   * again with the answers.
   */
  ask(key: string, question: Question): Promise<unknown>;
  /** What was answered in this call so far, by key, as the client sent it. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What the last `needInput` of this call was to remember. */
  readonly memo: unknown;
  /**
   * Asks all questions at once, forgetting earlier answers under their keys, and remembers `memo`. Resolves when they
   * are answered and the handler may run again; where the client comes again instead, rejects with `RoundEnded`.
   */
  needInput(questions: Readonly<Record<string, Question>>, memo: unknown): Promise<void>;
  /** Runs `effect` unless its JSON value is remembered from an earlier round of this call. */
  once<T>(name: string, effect: () => T | Promise<T>): Promise<T>;
  closeStream(): void;
  /** Lets the call go on as a task; absent where it cannot. */
  startTask?(): Promise<void>;
}

/** How long a result may be kept, and by whom. */
export interface Freshness {
  /** Milliseconds from receipt; 0 means stale at once. */
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** What a call came to. `kind` is absent for an ordinary result; extensions register others. */
export interface Outcome {
  readonly value: Params;
  readonly kind?: string;
  readonly freshness?: Freshness;
}

const roundEnded = Symbol.for('tenon.round-ended');

/** Ends a run whose question has to travel first. Handlers may catch it to tidy up; what they do then is discarded. */
export class RoundEnded extends Error {
  override readonly name = 'RoundEnded';

  constructor() {
    super('this run ended because its question has to be answered first; it runs again with the answer');
    Object.defineProperty(this, roundEnded, { value: true });
  }
}

/** True for a `RoundEnded` of this or any other copy of the package. */
export function isRoundEnded(value: unknown): value is RoundEnded {
  return (
    typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[roundEnded] === true
  );
}
