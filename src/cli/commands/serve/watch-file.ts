/** Tells when a file holds another text than before, once for each change, however its editor writes it. */
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock, Timer } from '../../../basics/clock.ts';
import { messageOf, TenonError } from '../../../basics/failure.ts';
import { type WayFolder, wayTo } from './way-to-file.ts';

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

/** How often the way is walked again because it changed while watches were put on it. */
const mostWalks = 5;

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** What is watched is the folder itself, whatever stands under its path later. */
  readonly identity: string;
  names: ReadonlySet<string>;
  /** The file itself is in it: a system may name that otherwise than it was written. */
  isLast: boolean;
  /** It was moved or deleted; another one may have been made with the same number. */
  isStale: boolean;
}

/**
 * Until it is closed; `seen` is its text as it was read, nothing where there was no file yet. The folders on the way to
 * it are watched, and on that of each link, since a watch of the file itself would go with the file that was replaced.
 * Throws a TenonError when its folder cannot be watched.
 */
export function watchFile(
  file: string,
  seen: string | undefined,
  { clock, onChange, onGone, onFault }: WatchFacts,
): FileWatch {
  const folders = new Map<string, WatchedFolder>();
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
  const begin = ({ path, identity, names }: WayFolder, isLast: boolean): void => {
    const watcher = watch(path, (_type, name) => {
      const isOnTheWay = name === null || entry.names.has(name);
      // Also how the system names what happens to the folder itself.
      const isItself = name === null || name === basename(path);
      if (isItself) entry.isStale = true;
      if (isOnTheWay || isItself || entry.isLast) onEvent(isOnTheWay);
    });
    const own = { identity, names, isLast, isStale: false };
    const entry: WatchedFolder = { watcher: watcher.on('error', onFault), ...own };
    folders.set(path, entry);
  };
  /** Watches the folders that matter now. Throws when the last of them, which holds the file, cannot be watched. */
  const follow = (): void => {
    for (let walk = 1, before = ''; walk <= mostWalks; walk += 1) {
      const way = wayTo(file);
      const now = JSON.stringify(way.map(({ path, identity }) => [path, identity]));
      // What happened before there was a watch is seen now.
      if (now === before) return;
      before = now;
      const wanted = new Map(way.map(each => [each.path, each]));
      for (const [path, known] of folders) {
        const { identity, names } = wanted.get(path) ?? {};
        if (names !== undefined && identity === known.identity && !known.isStale) known.names = names;
        else {
          known.watcher.close();
          folders.delete(path);
        }
      }
      for (const each of way) {
        const isLast = each === way.at(-1);
        const known = folders.get(each.path);
        if (known !== undefined) known.isLast = isLast;
        else {
          try {
            begin(each, isLast);
          } catch (error) {
            const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
            if (!isGone && isLast) throw error;
          }
        }
      }
    }
  };
  const close = (): void => {
    timer?.cancel();
    for (const { watcher } of folders.values()) watcher.close();
  };
  try {
    statSync(dirname(file));
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
