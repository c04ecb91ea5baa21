/** Reads the file that says what is served; whatever is wrong with it is told with its place in the file. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../../basics/failure.ts';
import type { ConfigFault, ServedConfig } from '../../../bridge/allow-list/config.ts';
import { readConfig } from '../../../bridge/allow-list/read-config.ts';
import type { Surroundings } from '../../../bridge/allow-list/variables.ts';
import { readJsonc } from '../../server/jsonc.ts';
import { type MadeModels, makeModels } from './configured-models.ts';

/** The file that counts where none is named. */
export const usualFile = 'tenon.config.json';

export type ReadFile =
  | {
      readonly ok: true;
      readonly file: string;
      readonly text: string;
      readonly config: ServedConfig;
      readonly models: MadeModels;
    }
  | { readonly ok: false; readonly file: string; readonly faults: readonly ConfigFault[] };

/** The named file, else the usual one of this folder; nothing when there is none and none was named. */
export async function readServedFile(
  named: string | undefined,
  surroundings: Surroundings,
): Promise<ReadFile | undefined> {
  const file = resolve(surroundings.folder, named ?? usualFile);
  const failed = (message: string): ReadFile => ({ ok: false, file, faults: [{ path: '', message }] });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (isMissing && named === undefined) return undefined;
    return failed(isMissing ? 'there is no such file' : `cannot be read: ${messageOf(error)}`);
  }
  const json = readJsonc(text, { unique: true });
  if (!json.ok) return failed(`line ${json.line}: ${json.reason}`);
  const read = await readConfig(json.value, surroundings);
  if (!read.ok) return { ok: false, file, faults: read.errors };
  const models = await makeModels(read.config.models);
  if (models.faults.length > 0) return { ok: false, file, faults: models.faults };
  return { ok: true, file, text, config: read.config, models };
}

/** Each fault on a line of its own. */
export function tellFaults({ file, faults }: Extract<ReadFile, { ok: false }>): string {
  const lines = faults.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`);
  return `${file} cannot be served:\n${lines.join('\n')}`;
}
