/** A task as a client reads it: whatever a server sent, checked before anything depends on it. */
import { isObject } from '../../basics/json.ts';
import { sketch } from '../../basics/sketch.ts';
import { readObject } from '../../protocol/identity.ts';
import type { Params } from '../../rpc/message.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import type { TaskStatus } from './task.ts';

export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage: string | undefined;
  /** Milliseconds from its creation until the server may forget it; `null` for never or not said. */
  readonly ttlMs: number | null;
  /** Milliseconds to wait before looking again. */
  readonly pollIntervalMs: number;
  readonly inputRequests: Params;
  readonly result: Params | undefined;
  readonly error: { readonly code: number; readonly message: string; readonly data: unknown } | undefined;
}

const statuses: ReadonlySet<unknown> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/** Looks are this far apart when the server does not say; never closer than the least, nor further than the most. */
const interval = { usual: 1000, least: 50, most: 300_000 };

/** Throws a `ProtocolError` when it is no task, or another than `taskId`. */
export function readTask(value: Params, taskId?: string): TaskView {
  const { taskId: id, status, statusMessage, ttlMs, pollIntervalMs, result } = value;
  if (typeof id !== 'string' || id === '') throw unusable(`its taskId is ${sketch(id)}`);
  if (taskId !== undefined && id !== taskId)
    throw unusable(`${sketch(taskId)} was asked for, it is ${sketch(id)}`);
  if (!statuses.has(status)) throw unusable(`its status is ${sketch(status)}`);
  return {
    taskId: id,
    status: status as TaskStatus,
    statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined,
    ttlMs: typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : null,
    pollIntervalMs: readInterval(pollIntervalMs),
    inputRequests: readObject(value['inputRequests']),
    result: isObject(result) ? result : undefined,
    error: readError(value['error']),
  };
}

/** The task that a call became. Only tools are called as tasks: any other answer of this kind is a mistake. */
export function readSeed(value: Params, method: string): TaskView {
  if (method === 'tools/call') return readTask(value);
  throw new ProtocolError(codes.internalError, "the server's result cannot be used: it is a task", {
    method,
  });
}

/** The error for a task that cannot be followed. */
export function unusable(why: string): ProtocolError {
  return new ProtocolError(codes.internalError, `the server's task cannot be used: ${why}`, {
    method: 'tasks/get',
  });
}

function readInterval(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return interval.usual;
  return Math.min(Math.max(value, interval.least), interval.most);
}

function readError(value: unknown): TaskView['error'] {
  if (!isObject(value)) return undefined;
  const { code, message, data } = value;
  return {
    code: typeof code === 'number' ? code : codes.internalError,
    message: typeof message === 'string' ? message : 'no message was given',
    data,
  };
}
