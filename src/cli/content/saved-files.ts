/** Puts what a server sends as bytes into files: safe names, and never over a file that is there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, TenonError } from '../../basics/failure.ts';

const endings: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/octet-stream': 'bin',
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/html': 'html',
  'text/plain': 'txt',
};

const longestName = 80;
const mostTries = 10_000;
/** Names that are devices on Windows, whatever follows the dot. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A name without folders, signs and dots at its ends; `name` where nothing is left of it. */
export function safeName(wanted: string): string {
  const plain = wanted
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, longestName)
    .replace(/[._-]+$/, '');
  if (plain === '') return 'name';
  return devices.test(plain) ? `_${plain}` : plain;
}

/** How names of files with such content end, without the dot. */
export function endingOf(mimeType: string | undefined): string {
  const type = mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const known = Object.hasOwn(endings, type) ? endings[type] : undefined;
  return known ?? /^[a-z]+\/([a-z0-9]{1,8})$/.exec(type)?.[1] ?? 'bin';
}

/**
 * Writes the bytes under that name in the folder, which is made when it is not there, with a number when the name is
 * taken; gives the path. Throws a TenonError when it cannot.
 */
export function saveBytes(folder: string, base: string, ending: string, bytes: Uint8Array): string {
  try {
    mkdirSync(folder, { recursive: true });
    for (let number = 1; number <= mostTries; number += 1) {
      const path = join(
        folder,
        `${base}${number === 1 ? '' : `-${number}`}${ending === '' ? '' : `.${ending}`}`,
      );
      if (write(path, bytes)) return path;
    }
  } catch (error) {
    throw new TenonError(`what the server sent cannot be saved: ${messageOf(error)}`, { cause: error });
  }
  throw new TenonError(`there are ${mostTries} files ${base} in ${folder} already; nothing was saved`);
}

/** False when something of that name is there, a dangling link included. */
function write(path: string, bytes: Uint8Array): boolean {
  try {
    writeFileSync(path, bytes, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
