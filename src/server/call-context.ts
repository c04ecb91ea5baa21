/** What a tool on a server is handed: the neutral call in the shape of a tool's context. */
import type { Call } from '../protocol/call.ts';
import { MissingCapability } from '../protocol/errors.ts';
import { type Question, questionKinds } from '../protocol/question.ts';
import type { ClientView, LogLevel, ProgressDetail, ToolContext } from '../tools/context.ts';
import type { ElicitAnswer, ElicitQuestion, Root, SampleAnswer, SampleQuestion } from '../tools/question.ts';
import { readElicitAnswer, readRoots, readSampleAnswer } from './answers.ts';

/** Getters on the prototype: nothing is made that a tool does not look at. */
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

  progress(done: number, detail?: ProgressDetail): void {
    this.#call.progress(done, detail);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#call.log(level, data, logger);
  }

  async elicit(key: string, question: ElicitQuestion): Promise<ElicitAnswer> {
    const mode = question.mode ?? 'form';
    return readElicitAnswer(key, await this.#ask(key, { kind: 'elicit', params: question }, mode));
  }

  async sample(key: string, question: SampleQuestion): Promise<SampleAnswer> {
    const mode = question.tools ? 'tools' : undefined;
    return readSampleAnswer(key, await this.#ask(key, { kind: 'sample', params: question }, mode));
  }

  async roots(key = 'roots'): Promise<readonly Root[]> {
    return readRoots(key, await this.#ask(key, { kind: 'roots' }, undefined));
  }

  once<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    return this.#call.once(name, effect);
  }

  closeStream(): void {
    this.#call.closeStream();
  }

  async #ask(key: string, question: Question, mode: string | undefined): Promise<unknown> {
    const { capability } = questionKinds[question.kind];
    if (!offers(this.client.capabilities[capability], mode)) {
      const what = mode === undefined ? capability : `${capability} (${mode})`;
      const required = { [capability]: mode === undefined ? {} : { [mode]: {} } };
      throw new MissingCapability(`the client cannot be asked "${key}": it does not offer ${what}`, required);
    }
    return this.#call.ask(key, question);
  }
}

/** An elicitation capability without modes means forms alone. */
function offers(capability: unknown, mode: string | undefined): boolean {
  if (typeof capability !== 'object' || capability === null) return false;
  if (mode === undefined || mode in capability) return true;
  return mode === 'form' && !('url' in capability);
}
