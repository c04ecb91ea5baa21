/** Tells when a file holds another text than before, once for each change, however its editor writes it. */
import { type FSWatcher, readFileSync, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock, Timer } from '../../../basics/clock.ts';
import { messageOf, TenonError } from '../../../basics/failure.ts';

export interface WatchFacts {
  readonly clock: Clock;
  /** The text is another one. */
  readonly onChange: () => void;
  /** There is no such file any more, or it cannot be read. */
  readonly onGone: (reason: string) => void;
  /** Changes will not be noticed any more. */
  readonly onFault: (error: unknown) => void;
}

export interface FileWatch {
  close(): void;
}

/** Milliseconds without a further event of the file: editors truncate and write, or put another file in its place. */
const quietMs = 100;

/**
 * Until it is closed; `seen` is its text as it was read, nothing where there was no file yet. Its folder is watched, and that of what it links to, since a watch of the
 * file itself would go with the file that was replaced. Throws a TenonError when the folder cannot be watched.
 */
export function watchFile(
  file: string,
  seen: string | undefined,
  { clock, onChange, onGone, onFault }: WatchFacts,
): FileWatch {
  const folders = new Map<string, FSWatcher>();
  let last = seen;
  let timer: Timer | undefined;

  const look = (): void => {
    timer = undefined;
    try {
      follow();
    } catch (error) {
      onFault(error);
    }
    const { text, reason } = textOf(file);
    // An empty file is one that is being written.
    if (text === last || text === '') return;
    last = text;
    if (text === undefined) onGone(reason);
    else onChange();
  };
  const onEvent = (isFile: boolean): void => {
    // What else goes on in the folder must not put off the look for ever.
    if (timer !== undefined && !isFile) return;
    timer?.cancel();
    timer = clock.after(quietMs, look);
  };
  /** Watches the folders that matter now: a link may lead elsewhere than before. */
  const follow = (): void => {
    const paths = new Map([targetOf(file), file].map(path => [dirname(path), basename(path)]));
    for (const [folder, watcher] of folders) {
      if (paths.has(folder)) continue;
      watcher.close();
      folders.delete(folder);
    }
    for (const [folder, own] of paths) {
      if (folders.has(folder)) continue;
      const watcher = watch(folder, (_type, name) => onEvent(name === null || name === own));
      folders.set(folder, watcher.on('error', onFault));
    }
  };
  const close = (): void => {
    timer?.cancel();
    for (const watcher of folders.values()) watcher.close();
  };
  try {
    follow();
  } catch (error) {
    close();
    throw new TenonError(`--watch: ${file} cannot be watched: ${messageOf(error)}`, { cause: error });
  }
  // It may have been written since it was read.
  onEvent(true);
  return { close };
}

function textOf(file: string): { readonly text: string | undefined; readonly reason: string } {
  try {
    return { text: readFileSync(file, 'utf8'), reason: '' };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return {
      text: undefined,
      reason: isMissing ? 'is not there any more' : `cannot be read: ${messageOf(error)}`,
    };
  }
}

function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
