/** What a tool on a server is handed: the neutral call in the shape of a tool's context. */
import type { Call } from '../protocol/call.ts';
import { MissingCapability } from '../protocol/errors.ts';
import { type Question, questionKinds } from '../protocol/question.ts';
import type { ClientView, ToolContext } from '../tools/context.ts';
import { readElicitAnswer, readRoots, readSampleAnswer } from './answers.ts';
import { missingOf } from './required.ts';

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

  get progress(): ToolContext['progress'] {
    return (done, detail) => this.#call.progress(done, detail);
  }

  get log(): ToolContext['log'] {
    return (level, data, logger) => this.#call.log(level, data, logger);
  }

  get elicit(): ToolContext['elicit'] {
    return (key, question) => {
      const mode = question.mode ?? 'form';
      return this.#ask(key, { kind: 'elicit', params: question }, mode, readElicitAnswer);
    };
  }

  get sample(): ToolContext['sample'] {
    return (key, question) => {
      const mode = question.tools ? 'tools' : undefined;
      return this.#ask(key, { kind: 'sample', params: question }, mode, readSampleAnswer);
    };
  }

  get roots(): ToolContext['roots'] {
    return (key = 'roots') => this.#ask(key, { kind: 'roots' }, undefined, readRoots);
  }

  get once(): ToolContext['once'] {
    return (name, effect) => this.#call.once(name, effect);
  }

  get closeStream(): ToolContext['closeStream'] {
    return () => this.#call.closeStream();
  }

  /** A tool may ask without waiting: what comes of it is then nobody's concern, and no unhandled rejection. */
  #ask<Answer>(
    key: string,
    question: Question,
    mode: string | undefined,
    read: (key: string, answer: unknown) => Answer,
  ): Promise<Answer> {
    const answer = this.#send(key, question, mode).then(given => read(key, given));
    answer.catch(() => {});
    return answer;
  }

  async #send(key: string, question: Question, mode: string | undefined): Promise<unknown> {
    const { capability } = questionKinds[question.kind];
    const required = { [capability]: mode === undefined ? {} : { [mode]: {} } };
    const missing = missingOf(required, this.client.capabilities);
    if (missing) {
      const what = mode === undefined ? capability : `${capability} (${mode})`;
      throw new MissingCapability(`the client cannot be asked "${key}": it does not offer ${what}`, missing);
    }
    return this.#call.ask(key, question);
  }
}
