/** The questions of one run by their key: the same key is the same question and has one answer. */
import type { Question } from '../protocol/question.ts';

export class AskedKeys {
  readonly #asked = new Map<string, { readonly print: string; readonly answer: Promise<unknown> }>();

  /** The answer that is known or under way for `key`, else what `ask` begins. */
  ask(key: string, question: Question, ask: () => Promise<unknown>): Promise<unknown> {
    const answer = this.#find(key, question, ask);
    // A handler may ask without waiting; what becomes of the question is not its concern then.
    answer.catch(() => {});
    return answer;
  }

  #find(key: string, question: Question, ask: () => Promise<unknown>): Promise<unknown> {
    const print = printQuestion(question);
    const known = this.#asked.get(key);
    if (!known) {
      const answer = ask();
      this.#asked.set(key, { print, answer });
      return answer;
    }
    if (known.print === print) return known.answer;
    const why = `ask: the key "${key}" already names another question in this call; give each question its own key`;
    return Promise.reject(new TypeError(why));
  }
}

/** The same text for the same question. */
export function printQuestion(question: Question): string {
  return JSON.stringify([question.kind, question.params ?? null]);
}
