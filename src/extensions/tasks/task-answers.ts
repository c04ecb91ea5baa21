/** The questions of a followed task: each is put to the client's handlers once and its answer sent on its own. */
import type { ClientAccess } from '../../protocol/extension.ts';
import { readObject } from '../../protocol/identity.ts';
import { readQuestion } from '../../protocol/question.ts';
import type { Params } from '../../rpc/message.ts';
import { unusable } from './task-view.ts';

/** Of one look; a round of questions may have no more either. */
const mostQuestions = 1000;

export class TaskAnswers {
  readonly #taskId: string;
  /** Keys that were ever asked: a key stands for one question as long as the task lives. */
  readonly #asked = new Set<string>();
  /** Questions that a handler has now. */
  readonly #open = new Map<string, AbortController>();

  constructor(taskId: string) {
    this.#taskId = taskId;
  }

  /**
   * Puts new questions to the handlers and withdraws those that are open no more; `fail` takes what goes wrong. Throws a
   * `ProtocolError` when there are too many.
   */
  take(requests: Params, access: ClientAccess, fail: (error: unknown) => void): void {
    const { length } = Object.keys(requests);
    if (length > mostQuestions) {
      throw unusable(`it asks ${length} questions at once; ${mostQuestions} are the limit`);
    }
    for (const [key, controller] of this.#open) {
      if (Object.hasOwn(requests, key)) continue;
      this.#open.delete(key);
      controller.abort(new DOMException('the server withdrew its question', 'AbortError'));
    }
    for (const [key, request] of Object.entries(requests)) {
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      const controller = new AbortController();
      this.#open.set(key, controller);
      this.#answer(key, request, controller, access).catch((error: unknown) => {
        if (controller.signal.aborted) return;
        this.#open.delete(key);
        // Whoever follows the task later may ask anew.
        this.#asked.delete(key);
        fail(error);
      });
    }
  }

  /** Nobody follows the task any more: what is open is asked anew when somebody does. */
  stop(reason: unknown): void {
    const open = [...this.#open];
    this.#open.clear();
    for (const [key, controller] of open) {
      this.#asked.delete(key);
      controller.abort(reason);
    }
  }

  async #answer(
    key: string,
    request: unknown,
    { signal }: AbortController,
    access: ClientAccess,
  ): Promise<void> {
    const { method, params } = readObject(request);
    const question = readQuestion(method, params ?? {});
    if (!question)
      throw unusable(`it asks ${JSON.stringify(key)} by a method that this client does not know`);
    const answer = await access.answer(question, signal);
    if (signal.aborted) return;
    // Whether it arrives or not: it is on its way, and is not withdrawn any more.
    this.#open.delete(key);
    const update = { taskId: this.#taskId, inputResponses: { [key]: answer } };
    await access.request('tasks/update', update, { signal: undefined });
  }
}
