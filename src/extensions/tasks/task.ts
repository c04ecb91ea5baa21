/** A task as it is kept and as it travels: its states, its fields, and who may see it. */
import type { ErrorBody, Params } from '../../rpc/message.ts';

/** The extension's name in capabilities. */
export const tasksId = 'io.modelcontextprotocol/tasks';

/** `completed`, `failed` and `cancelled` are final. A tool's own failure is `completed` with an `isError` result. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as a store keeps it: JSON. */
export interface TaskRecord {
  readonly taskId: string;
  /** Who made the call; nobody else sees the task. `null` where the transport does not authenticate. */
  readonly principal: string | null;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds from creation until the task is forgotten; `null` for never. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  /** While `input_required`: the open questions by key. */
  readonly inputRequests?: Params;
  /** When `completed`. */
  readonly result?: Params;
  /** When `failed`. */
  readonly error?: ErrorBody;
}

export function isOver(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** What a call that became a task is answered with: nothing of what the task asks or came to. */
export function seedOf(record: TaskRecord): Params {
  const { principal, inputRequests, result, error, ...seed } = record;
  return seed;
}

/** All that its owner may see. */
export function detailOf(record: TaskRecord): Params {
  const { principal, ...detail } = record;
  return detail;
}
