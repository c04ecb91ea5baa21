/** Where tasks are kept, and the store in this process's memory: bounded, and forgetful when their time is over. */
import type { Clock } from '../../basics/clock.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import { isOver, type TaskRecord } from './task.ts';

/**
 * Keeps tasks and what they came to until their time to live is over. The handler of a task lives in the process that
 * took the call: a store of several processes lets each of them tell of a task, not go on with it.
 */
export interface TaskStore {
  /** Keeps a new task; when it resolves, `get` finds it. Rejects with a `ProtocolError` when there is no room. */
  create(record: TaskRecord): void | Promise<void>;
  get(taskId: string): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /** Puts the record in place of the earlier one. One that is no longer kept stays forgotten. */
  update(record: TaskRecord): void | Promise<void>;
}

export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** Tasks at most. */
  readonly limit: number;
}

interface Kept {
  readonly record: TaskRecord;
  readonly due: number;
}

/**
 * When it is full, the oldest task that is over makes room, of the caller who keeps the most of them; when none is over a
 * new one is refused.
 */
export class MemoryTaskStore implements TaskStore {
  readonly #options: MemoryStoreOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  /** How many are kept, those whose time is over included until somebody looks. */
  get size(): number {
    return this.#kept.size;
  }

  create(record: TaskRecord): void {
    const { clock, limit } = this.#options;
    if (this.#kept.size >= limit) this.#makeRoom();
    const due = record.ttlMs === null ? Number.POSITIVE_INFINITY : clock.now() + record.ttlMs;
    this.#kept.set(record.taskId, { record, due });
  }

  get(taskId: string): TaskRecord | undefined {
    return this.#find(taskId)?.record;
  }

  update(record: TaskRecord): void {
    const kept = this.#find(record.taskId);
    if (kept) this.#kept.set(record.taskId, { record, due: kept.due });
  }

  #find(taskId: string): Kept | undefined {
    const kept = this.#kept.get(taskId);
    if (!kept || kept.due > this.#options.clock.now()) return kept;
    this.#kept.delete(taskId);
    return undefined;
  }

  #makeRoom(): void {
    const { clock, limit } = this.#options;
    for (const [id, { due }] of this.#kept) if (due <= clock.now()) this.#kept.delete(id);
    if (this.#kept.size < limit) return;
    const id = this.#oldestOfHeaviest();
    if (id !== undefined) {
      this.#kept.delete(id);
      return;
    }
    const why = `busy: ${limit} tasks are running, which is the limit; try again later`;
    throw new ProtocolError(codes.internalError, why);
  }

  /** Nobody pushes out what others have not read yet by starting many of their own. */
  #oldestOfHeaviest(): string | undefined {
    const over = new Map<string | null, { readonly oldest: string; count: number }>();
    for (const [id, { record }] of this.#kept) {
      if (!isOver(record.status)) continue;
      const known = over.get(record.principal);
      if (known) known.count += 1;
      else over.set(record.principal, { oldest: id, count: 1 });
    }
    let heaviest: { readonly oldest: string; count: number } | undefined;
    for (const each of over.values()) if (each.count > (heaviest?.count ?? 0)) heaviest = each;
    return heaviest?.oldest;
  }
}
