/** The questions of one call by their key: the same key is the same question and has one answer. */
import type { Question } from '../protocol/question.ts';

interface Asked {
  readonly print: string;
  readonly answer: Promise<unknown>;
}

export class AskedKeys {
  readonly #asked = new Map<string, Asked>();
  #answers: Readonly<Record<string, unknown>> = {};
  #memo: unknown;

  /** What was answered so far. */
  get answers(): Readonly<Record<string, unknown>> {
    return this.#answers;
  }

  /** What the last `needInput` was to remember. */
  get memo(): unknown {
    return this.#memo;
  }

  /** The answer that is known or under way for `key`, else what `ask` begins. */
  ask(key: string, question: Question, ask: () => Promise<unknown>): Promise<unknown> {
    const answer = this.#find(key, question, ask);
    // A handler may ask without waiting; what becomes of the question is not its concern then.
    answer.catch(() => {});
    return answer;
  }

  /** Asks each question anew, whatever was answered under its key; resolves when all are answered. */
  async needInput(
    questions: Readonly<Record<string, Question>>,
    memo: unknown,
    ask: (key: string, question: Question) => Promise<unknown>,
  ): Promise<void> {
    const entries = Object.entries(questions);
    for (const [key] of entries) this.#asked.delete(key);
    await Promise.all(entries.map(([key, question]) => this.ask(key, question, () => ask(key, question))));
    // The handler gets what it would get back from a client: a copy.
    this.#memo = memo === undefined ? undefined : (JSON.parse(JSON.stringify(memo)) as unknown);
  }

  #find(key: string, question: Question, ask: () => Promise<unknown>): Promise<unknown> {
    const print = printQuestion(question);
    const known = this.#asked.get(key);
    if (!known) {
      const answer = ask().then(value => {
        this.#answers = { ...this.#answers, [key]: value };
        return value;
      });
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
