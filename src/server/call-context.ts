/** What a tool on a server is handed: the neutral call in the shape of a tool's context. */
import type { TraceContext } from '../basics/trace.ts';
import type { Call } from '../protocol/call.ts';
import type { Question } from '../protocol/question.ts';
import type { ClientView, ToolContext } from '../tools/context.ts';
import type { InputAnswers } from '../tools/need-input.ts';
import { readElicitAnswer, readElicited, readRoots, readSampleAnswer } from './answers.ts';
import { checkQuestion } from './ask.ts';
import { memoOf } from './rounds.ts';
import { traceOf } from './trace-call.ts';

/** Getters on the prototype: nothing is made that a tool does not look at. Its functions may be taken off it. */
export class CallContext implements ToolContext<unknown> {
  readonly #call: Call;
  readonly #ownSignal: AbortSignal | undefined;

  /** `signal` takes the place of the call's when the tool has a time limit of its own. */
  constructor(call: Call, signal?: AbortSignal) {
    this.#call = call;
    this.#ownSignal = signal;
  }

  get signal(): AbortSignal {
    return this.#ownSignal ?? this.#call.signal;
  }

  get client(): ClientView {
    return this.#call.client;
  }

  get principal(): string | undefined {
    return this.#call.principal;
  }

  /** A server gives its tools none; tools that need any are refused by the compiler. */
  get deps(): unknown {
    return undefined;
  }

  get trace(): TraceContext | undefined {
    return traceOf(this.#call);
  }

  get progress(): ToolContext['progress'] {
    return (done, detail) => this.#call.progress(done, detail);
  }

  get log(): ToolContext['log'] {
    return (level, data, logger) => this.#call.log(level, data, logger);
  }

  get elicit(): ToolContext['elicit'] {
    return (key, question) =>
      this.#ask(key, { kind: 'elicit', params: question }, (_key, answer) =>
        readElicitAnswer(key, answer, question),
      );
  }

  get sample(): ToolContext['sample'] {
    return (key, question) => this.#ask(key, { kind: 'sample', params: question }, readSampleAnswer);
  }

  get roots(): ToolContext['roots'] {
    return (key = 'roots') => this.#ask(key, { kind: 'roots' }, readRoots);
  }

  get answers(): InputAnswers {
    return answersOf(this.#call);
  }

  get memo(): unknown {
    return memoOf(this.#call);
  }

  get once(): ToolContext['once'] {
    return (name, effect) => this.#call.once(name, effect);
  }

  get closeStream(): ToolContext['closeStream'] {
    return () => this.#call.closeStream();
  }

  get startTask(): ToolContext['startTask'] {
    return async () => await this.#call.startTask?.();
  }

  /** A tool may ask without waiting: what comes of it is then nobody's concern, and no unhandled rejection. */
  #ask<Answer>(
    key: string,
    question: Question,
    read: (key: string, answer: unknown) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const answer = this.#send(key, question).then(given => read(key, given));
    answer.catch(() => {});
    return answer;
  }

  async #send(key: string, question: Question): Promise<unknown> {
    checkQuestion(key, question, this.client);
    return this.#call.ask(key, question);
  }
}

/** Answers of earlier rounds, read when they are looked at. */
function answersOf(call: Call): InputAnswers {
  const find = <Answer>(key: string, read: (key: string, answer: unknown) => Answer): Answer | undefined =>
    Object.hasOwn(call.answers, key) ? read(key, call.answers[key]) : undefined;
  return {
    elicit: key => find(key, readElicited),
    sample: key => find(key, readSampleAnswer),
    roots: key => find(key, readRoots),
  };
}
