/** A queue between one who pushes and one who iterates, for turning callbacks into an async iterable. */

export interface QueueOptions {
  /** The most items that may wait; unlimited unless said. */
  readonly limit?: number;
  /** Called once when the consumer stops before the end (`break`, `return`, a throw in its loop). */
  readonly abandoned?: () => void;
}

interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

type End = { readonly error?: { readonly thrown: unknown } };

/**
 * Items come out in the order they went in, each once; several iterators share them. Items pushed before `end` or
 * `fail` are still delivered. Nothing is rejected until somebody asks for the next item.
 */
export class AsyncQueue<T> implements AsyncIterable<T, undefined> {
  readonly #limit: number;
  readonly #abandoned: (() => void) | undefined;
  #items: T[] = [];
  #head = 0;
  #waiters: Waiter<T>[] = [];
  #end: End | undefined;

  constructor(options: QueueOptions = {}) {
    this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
    this.#abandoned = options.abandoned;
  }

  /** How many items wait to be taken. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds an item; false when it was not taken: the queue is full, has ended, or its consumer left. */
  push(item: T): boolean {
    if (this.#end !== undefined) return false;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve({ done: false, value: item });
      return true;
    }
    if (this.size >= this.#limit) return false;
    this.#items.push(item);
    return true;
  }

  /** No more items will come. Only the first of `end` and `fail` counts. */
  end(): void {
    this.#finish({});
  }

  /** As `end`, but the consumer's loop throws `error` after the last item. */
  fail(error: unknown): void {
    this.#finish({ error: { thrown: error } });
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.#leave();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #next(): Promise<IteratorResult<T, undefined>> {
    if (this.size > 0) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#end === undefined) {
      return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
    }
    const { error } = this.#end;
    // A failure is told once; who asks again gets the end.
    this.#end = {};
    return error === undefined
      ? Promise.resolve({ done: true, value: undefined })
      : Promise.reject(error.thrown);
  }

  /** Taking from the front by an index, because `shift` on a long array moves all the others. */
  #take(): T {
    const item = this.#items[this.#head] as T;
    this.#items[this.#head] = undefined as T;
    this.#head += 1;
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  #finish(end: End): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    const [first, ...others] = this.#waiters;
    this.#waiters = [];
    if (first === undefined) return;
    if (end.error === undefined) first.resolve({ done: true, value: undefined });
    else {
      this.#end = {};
      first.reject(end.error.thrown);
    }
    for (const waiter of others) waiter.resolve({ done: true, value: undefined });
  }

  #leave(): void {
    const early = this.#end === undefined;
    this.#finish({});
    this.#end = {};
    this.#items = [];
    this.#head = 0;
    if (early) this.#abandoned?.();
  }
}
