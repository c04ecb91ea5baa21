/** What Node starts processes with, loaded when the first is started: a server on stdio starts none. */
import type * as childProcess from 'node:child_process';

type System = Pick<typeof childProcess, 'spawn' | 'spawnSync'>;

/** Not an import, which would load it, and what it needs itself, whenever `tenon/stdio` is loaded. */
export function childSystem(): System {
  return process.getBuiltinModule('node:child_process');
}
