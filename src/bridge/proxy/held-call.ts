/** One call at the server behind a proxy: it goes on while its client answers, however often that one comes again. */
import { onAbort } from '../../basics/abort.ts';
import { type Call, isRoundEnded } from '../../protocol/call.ts';
import type { Question } from '../../protocol/question.ts';
import type { Progress } from '../../rpc/inflight.ts';
import type { Params } from '../../rpc/message.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import { lackFor } from '../../server/ask.ts';
import type { ClientView, LogLevel } from '../../tools/context.ts';
import { UnheardNotes } from './unheard-notes.ts';

/** A question of the server that has no answer yet. */
interface Asked {
  readonly key: string;
  readonly question: Question;
  readonly resolve: (answer: Params) => void;
  readonly reject: (error: unknown) => void;
}

/** A request of the client that waits for the result. */
interface Round {
  readonly call: Call;
  readonly put: (asked: Asked) => void;
}

/** How the call is made, and who is told of its end. */
export interface HeldCallSeat {
  readonly client: ClientView;
  /** Makes the call; `ask` answers its questions. */
  send(how: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: Progress) => void;
    readonly ask: (question: Question, signal: AbortSignal) => Promise<Params>;
  }): Promise<Params>;
  /** It has its result, or never will. */
  settled?(): void;
  /** No request of the client waits for it any more; told each time. */
  unattended?(): void;
}

/** Rejects a question whose call is over, so that it can be put to another. */
const over = new Error('the call is over');

export class HeldCall {
  readonly id: string = crypto.randomUUID();
  readonly #seat: HeldCallSeat;
  readonly #controller = new AbortController();
  readonly #rounds = new Set<Round>();
  readonly #asked = new Set<Asked>();
  readonly #result: Promise<Params>;
  readonly #unheard = new UnheardNotes();
  #questions = 0;
  #settled = false;
  #addressed = false;

  constructor(seat: HeldCallSeat) {
    this.#seat = seat;
    const { signal } = this.#controller;
    this.#result = seat.send({
      signal,
      onProgress: progress => this.#progress(progress),
      ask: (question, withdrawn) => this.ask(question, withdrawn),
    });
    const settle = (): void => {
      this.#settled = true;
      for (const asked of [...this.#asked]) asked.reject(over);
      seat.settled?.();
    };
    this.#result.then(settle, settle);
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Whether a request of the client waits for it now. */
  get attended(): boolean {
    return this.#rounds.size > 0;
  }

  /** Whether a client was told to come again for it, and may do so at any time. */
  get addressed(): boolean {
    return this.#addressed;
  }

  /** The result, for one request of the client; rejects with `RoundEnded` where the client has to come again. */
  attend(call: Call): Promise<Params> {
    return new Promise((resolve, reject) => {
      const round: Round = {
        call,
        put: asked => {
          call.ask(asked.key, asked.question).then(
            answer => asked.resolve(answer as Params),
            thrown => (isRoundEnded(thrown) ? reject(thrown) : asked.reject(thrown)),
          );
        },
      };
      let stop = (): void => {};
      const leave = (): void => {
        stop();
        if (this.#rounds.delete(round) && !this.attended) this.#seat.unattended?.();
      };
      this.#rounds.add(round);
      this.#unheard.tell(call);
      this.#result.then(resolve, reject).finally(leave);
      for (const asked of [...this.#asked]) round.put(asked);
      stop = onAbort(call.signal, () => {
        const { reason } = call.signal;
        if (isRoundEnded(reason)) this.#addressed = true;
        leave();
        reject(reason);
        if (!isRoundEnded(reason) && !this.attended) this.cancel(reason);
      });
    });
  }

  /** Asks the client of this call. Rejects with what `isOver` is true for when the call ends first. */
  ask(question: Question, signal: AbortSignal): Promise<Params> {
    const lack = lackFor(question, this.#seat.client);
    if (lack) {
      const why = `the client behind this proxy does not offer ${lack.what}`;
      return Promise.reject(new ProtocolError(codes.methodNotFound, why));
    }
    if (this.#settled) return Promise.reject(over);
    this.#questions += 1;
    const key = `question ${this.#questions}`;
    return new Promise<Params>((resolve, reject) => {
      let stop = (): void => {};
      const settle =
        <Value>(then: (value: Value) => void) =>
        (value: Value): void => {
          stop();
          this.#asked.delete(asked);
          then(value);
        };
      const asked: Asked = { key, question, resolve: settle(resolve), reject: settle(reject) };
      this.#asked.add(asked);
      stop = onAbort(signal, () => asked.reject(signal.reason));
      for (const round of this.#rounds) round.put(asked);
    });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#tell([data, logger], call => call.log(level, data, logger));
  }

  /** The client does not want the result any more. */
  cancel(reason: unknown): void {
    this.#controller.abort(reason);
  }

  #progress(progress: Progress): void {
    const { progress: done, total, message } = progress;
    const detail = {
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    this.#tell(progress, call => call.progress(done, detail));
  }

  #tell(about: unknown, tell: (call: Call) => void): void {
    for (const { call } of this.#rounds) tell(call);
    if (!this.attended) this.#unheard.keep(about, tell);
  }
}

/** True for what `ask` rejects with when the call ended before the answer came. */
export function isOver(thrown: unknown): boolean {
  return thrown === over;
}
