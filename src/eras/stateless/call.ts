/** A call of the stateless era while it runs: an unanswered question ends the run, and the client comes again. */

import { isObject } from '../../basics/json.ts';
import { nextTurn } from '../../basics/next-turn.ts';
import { sketch } from '../../basics/sketch.ts';
import type { Exchange } from '../../channels/channel.ts';
import { type Outcome, RoundEnded } from '../../protocol/call.ts';
import { isMissingCapability, isMissingResource } from '../../protocol/errors.ts';
import { readObject } from '../../protocol/identity.ts';
import { factsOf } from '../../protocol/methods.ts';
import { type Question, questionKinds } from '../../protocol/question.ts';
import type { ErrorBody, Params, Request } from '../../rpc/message.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import type { LogLevel } from '../../tools/context.ts';
import { AskedKeys, printQuestion } from '../asked-keys.ts';
import type { Calls, Router } from '../era.ts';
import { chosenError } from '../failures.ts';
import { isAtLeast, RunningCall } from '../running-call.ts';
import { type Envelope, statelessCodes, wrapResult } from './envelope.ts';
import type { RoundState, StateSeal } from './state.ts';

export interface StatelessSeat {
  readonly router: Router;
  readonly calls: Calls;
  readonly seal: StateSeal;
}

interface Pending {
  readonly question: Question;
  readonly reject: (error: unknown) => void;
}

const nothing: RoundState = { asked: {}, answers: {}, done: {} };

export class StatelessCall extends RunningCall {
  readonly #seat: StatelessSeat;
  readonly #logLevel: LogLevel | undefined;
  #state: RoundState = nothing;
  #keys: AskedKeys | undefined;
  #pending: Map<string, Pending> | undefined;
  #effects: Map<string, Promise<unknown>> | undefined;
  readonly #done: Record<string, unknown> = {};
  #ending = false;

  constructor(request: Request, exchange: Exchange, envelope: Envelope, seat: StatelessSeat) {
    super(request, exchange, envelope.client);
    this.#seat = seat;
    this.#logLevel = envelope.logLevel;
  }

  get takesKinds(): boolean {
    return true;
  }

  override begin(router: Router): Outcome | Promise<Outcome> {
    const { requestState: state, inputResponses } = this.params;
    if (!factsOf(this.method).mayAsk) return router.handle(this);
    if (state !== undefined) return this.#resume(state, router);
    // A client that knows the questions may answer at once; nothing was asked that the answers could be held against.
    if (inputResponses !== undefined) this.#state = { ...nothing, answers: readAnswers(inputResponses) };
    return router.handle(this);
  }

  override get superseded(): boolean {
    return this.#ending;
  }

  ask(key: string, question: Question): Promise<unknown> {
    this.#keys ??= new AskedKeys();
    return this.#keys.ask(key, question, () => this.#ask(key, question));
  }

  get answers(): Readonly<Record<string, unknown>> {
    return this.#state.answers;
  }

  get memo(): unknown {
    return this.#state.memo;
  }

  needInput(questions: Readonly<Record<string, Question>>, memo: unknown): Promise<void> {
    if (!factsOf(this.method).mayAsk) {
      return Promise.reject(new TypeError(`needInput: a handler of ${this.method} may not ask the client`));
    }
    if (this.#ending || this.settled) return Promise.reject(new RoundEnded());
    // Its keys are asked anew; what else was asked in this run goes along.
    const asked = Object.entries(questions);
    const { answers } = this.#state;
    const kept = Object.entries(answers).filter(([key]) => !Object.hasOwn(questions, key));
    this.#state = { ...this.#state, answers: Object.fromEntries(kept), memo };
    this.#pending ??= new Map();
    for (const [key, question] of asked) this.#pending.set(key, { question, reject: () => {} });
    this.#endRound();
    return Promise.reject(new RoundEnded());
  }

  once<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    if (Object.hasOwn(this.#state.done, name)) return Promise.resolve(this.#state.done[name] as T);
    this.#effects ??= new Map();
    let running = this.#effects.get(name);
    if (!running && this.#ending) {
      // It could not be remembered any more.
      running = Promise.reject(new RoundEnded());
      running.catch(() => {});
    } else if (!running) {
      running = Promise.resolve()
        .then(() => this.#effect(name, effect))
        .then(value => {
          this.#done[name] = value ?? null;
          return value;
        });
      this.#effects.set(name, running);
    }
    return running as Promise<T>;
  }

  result(outcome: Outcome): object {
    return wrapResult(this.method, outcome, this.#seat.router.describe().info);
  }

  failure(thrown: unknown): ErrorBody | undefined {
    if (isMissingResource(thrown)) {
      return { code: codes.invalidParams, message: thrown.message, data: { uri: thrown.uri } };
    }
    if (!isMissingCapability(thrown)) return chosenError(thrown);
    const data = { requiredCapabilities: thrown.required };
    return { code: statelessCodes.missingCapability, message: thrown.message, data };
  }

  protected logs(level: LogLevel): boolean {
    return this.#logLevel !== undefined && isAtLeast(level, this.#logLevel);
  }

  #effect<T>(name: string, effect: () => T | Promise<T>): T | Promise<T> {
    const { effects } = this.#seat.seal;
    return effects.kept ? effects.run(`once ${this.#chain()} ${name}`, effect) : effect();
  }

  /** The name of this chain of rounds, the same in each of them. */
  #chain(): string {
    const chain = this.#state.chain ?? crypto.randomUUID();
    this.#state = { ...this.#state, chain };
    return chain;
  }

  async #resume(state: unknown, router: Router): Promise<Outcome> {
    const { method, params, principal } = this;
    const opened =
      typeof state === 'string'
        ? await this.#seat.seal.open(state, method, params, principal)
        : { refused: `it must be a string, got ${sketch(state)}` };
    // The client has given up meanwhile.
    if (this.settled) throw new RoundEnded();
    if ('refused' in opened) {
      throw new ProtocolError(codes.invalidParams, `params.requestState is refused: ${opened.refused}`);
    }
    const { asked, answers } = opened.state;
    // Only what was asked counts as an answer; other keys are ignored.
    const given = Object.entries(readAnswers(params['inputResponses'])).filter(([key]) =>
      Object.hasOwn(asked, key),
    );
    // What was answered before stands: effects may have come of it.
    this.#state = { ...opened.state, answers: { ...Object.fromEntries(given), ...answers } };
    Object.assign(this.#done, opened.state.done);
    return router.handle(this);
  }

  #ask(key: string, question: Question): Promise<unknown> {
    const { asked, answers } = this.#state;
    if (!factsOf(this.method).mayAsk) {
      return Promise.reject(new TypeError(`ask: a handler of ${this.method} may not ask the client`));
    }
    if (Object.hasOwn(asked, key) && asked[key] !== printQuestion(question)) {
      const why = `ask: the question "${key}" is not the one that was asked under this key in an earlier round`;
      return Promise.reject(new TypeError(why));
    }
    if (Object.hasOwn(answers, key)) return Promise.resolve(answers[key]);
    if (this.#ending || this.settled) return Promise.reject(new RoundEnded());
    if (!this.#pending) {
      this.#pending = new Map();
      nextTurn(() => this.#endRound());
    }
    const pending = this.#pending;
    return new Promise<unknown>((_resolve, reject) => pending.set(key, { question, reject }));
  }

  #endRound(): void {
    if (this.#ending) return;
    if (!this.settled) {
      // From here on whatever the handler comes to is discarded.
      this.#ending = true;
      this.#seal().then(
        outcome => this.#seat.calls.conclude(this, outcome),
        thrown => this.#seat.calls.conclude(this, undefined, thrown),
      );
    }
    const ended = new RoundEnded();
    for (const { reject } of this.#pending?.values() ?? []) reject(ended);
    this.abort(ended);
  }

  async #seal(): Promise<Outcome> {
    const pending = [...(this.#pending ?? [])];
    const prints = pending.map(([key, { question }]) => [key, printQuestion(question)]);
    const asked = { ...this.#state.asked, ...Object.fromEntries(prints) };
    // An effect that runs has to be remembered, or the next round would repeat it.
    await Promise.allSettled(this.#effects?.values() ?? []);
    if (this.#seat.seal.effects.kept) this.#chain();
    const state: RoundState = { ...this.#state, asked, done: { ...this.#done } };
    const { method, params, principal } = this;
    const requests = pending.map(([key, { question }]) => [key, questionRequest(question)]);
    const value: Params = {
      ...(requests.length > 0 ? { inputRequests: Object.fromEntries(requests) } : {}),
      requestState: await this.#seat.seal.seal(state, method, params, principal),
    };
    return { kind: 'input_required', value };
  }
}

function questionRequest(question: Question): Params {
  const { method } = questionKinds[question.kind];
  return question.params === undefined ? { method } : { method, params: question.params };
}

/** Answers as they came; what is no object answers nothing, and its question is asked again. */
function readAnswers(value: unknown): Readonly<Record<string, unknown>> {
  const given = Object.entries(readObject(value));
  return Object.fromEntries(given.filter(([, answer]) => isObject(answer)));
}
