/** The file that a command is told to write: where it is, and what of somebody else's must not be lost there. */
import { closeSync, openSync, readlinkSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { UsageError } from './command.ts';

/** What begins a file that may be replaced, and what such a file is called. */
export interface Replaceable {
  readonly begins: RegExp;
  readonly called: string;
}

/** Characters that are looked at. */
const head = 512;

/** Throws a UsageError for a file that holds something else than what is going to be written; an empty one holds nothing. */
export function checkReplaceable(option: string, file: string, { begins, called }: Replaceable): void {
  const found = statOf(file);
  if (found === undefined || !found.isFile() || found.size === 0) return;
  const text = beginningOf(file);
  if (text === undefined || begins.test(text)) return;
  throw new UsageError(
    `${option}: ${file} holds something else than ${called}, which is not replaced; name another file, or remove it`,
  );
}

/** Where what is written to this path ends up: at the end of its symbolic links, also when nothing is there yet. */
export function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const link = linkOf(file);
  if (link !== undefined) return placeOf(resolve(dirname(file), link));
  const folder = dirname(resolve(file));
  return statOf(folder) === undefined ? resolve(file) : resolve(realpathSync(folder), basename(file));
}

/** Nothing where there is none, or none that may be looked at. */
export function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

function beginningOf(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(head);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
