/** A call of the handshake era while it runs: what it cannot find in the message comes from the session. */
import type { Exchange } from '../../channels/channel.ts';
import type { Outcome } from '../../protocol/call.ts';
import { isMissingCapability, isMissingResource } from '../../protocol/errors.ts';
import type { Question } from '../../protocol/question.ts';
import type { ErrorBody, Request } from '../../rpc/message.ts';
import { codes } from '../../rpc/protocol-error.ts';
import type { LogLevel, ProgressDetail } from '../../tools/context.ts';
import { AskedKeys } from '../asked-keys.ts';
import { chosenError } from '../failures.ts';
import { isAtLeast, RunningCall } from '../running-call.ts';
import { downlevel } from './downlevel.ts';
import { handshakeCodes } from './revisions.ts';
import type { ServedClient } from './served-client.ts';

export class HandshakeCall extends RunningCall {
  readonly #session: ServedClient;
  #keys: AskedKeys | undefined;
  #once: Map<string, Promise<unknown>> | undefined;

  constructor(request: Request, exchange: Exchange, session: ServedClient) {
    super(request, exchange, session.client);
    this.#session = session;
  }

  get takesKinds(): boolean {
    return false;
  }

  override progress(done: number, detail?: ProgressDetail): void {
    if (detail?.message !== undefined && !this.#session.facts.progressMessage) {
      const { message: _tooNew, ...known } = detail;
      super.progress(done, known);
    } else super.progress(done, detail);
  }

  get answers(): Readonly<Record<string, unknown>> {
    return this.#keys?.answers ?? {};
  }

  get memo(): unknown {
    return this.#keys?.memo;
  }

  ask(key: string, question: Question): Promise<unknown> {
    this.#keys ??= new AskedKeys();
    return this.#keys.ask(key, question, () => this.#ask(question));
  }

  needInput(questions: Readonly<Record<string, Question>>, memo: unknown): Promise<void> {
    this.#keys ??= new AskedKeys();
    return this.#keys.needInput(questions, memo, (_key, question) => this.#ask(question));
  }

  once<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    // Whoever runs it again does so in this process, with this call.
    this.#once ??= new Map();
    let done = this.#once.get(name);
    if (!done) {
      done = Promise.resolve().then(effect);
      this.#once.set(name, done);
    }
    return done as Promise<T>;
  }

  #ask(question: Question): Promise<unknown> {
    return this.#session.asker.ask(question, this);
  }

  protected logs(level: LogLevel): boolean {
    return isAtLeast(level, this.#session.logLevel);
  }

  result(outcome: Outcome): object {
    if (outcome.kind !== undefined) {
      throw new TypeError(
        `${this.method}: a result of kind "${outcome.kind}" has no form in this client's revision`,
      );
    }
    return downlevel(this.method, outcome.value, this.#session.facts);
  }

  failure(thrown: unknown): ErrorBody | undefined {
    if (isMissingCapability(thrown)) {
      return {
        code: codes.invalidRequest,
        message: thrown.message,
        data: { requiredCapabilities: thrown.required },
      };
    }
    if (isMissingResource(thrown)) {
      return { code: handshakeCodes.resourceNotFound, message: thrown.message, data: { uri: thrown.uri } };
    }
    return chosenError(thrown);
  }
}
