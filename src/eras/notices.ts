/** Reads the notifications that mean the same in every era: progress and log messages. */
import type { Progress } from '../rpc/inflight.ts';
import type { Id, Params } from '../rpc/message.ts';
import type { LogEntry } from './era.ts';
import type { Link } from './link.ts';
import { isLogLevel } from './running-call.ts';

/** Hands progress to the request it is about; what fits none is dropped with a diagnostic. */
export function takeProgress(link: Link, params: Params | undefined): void {
  const token = params?.['progressToken'];
  const progress = params?.['progress'];
  const known =
    (typeof token === 'string' || typeof token === 'number') &&
    typeof progress === 'number' &&
    link.inflight.progress(token as Id, readProgress(progress, params ?? {}));
  if (known) return;
  const message = `dropped a progress report for ${JSON.stringify(token)}, which no request of ours is waiting with`;
  link.diagnostic({ kind: 'unknown-progress', message });
}

function readProgress(progress: number, params: Params): Progress {
  const { total, message } = params;
  return {
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

/** A log message; an unknown level counts as `info`. */
export function readLog(params: Params | undefined): LogEntry {
  const level = params?.['level'];
  const logger = params?.['logger'];
  return {
    level: isLogLevel(level) ? level : 'info',
    ...(typeof logger === 'string' ? { logger } : {}),
    data: params?.['data'],
  };
}
