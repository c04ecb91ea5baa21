/** Looks at a configuration of what `tenon serve` serves, when there is one. */
import { isObject } from '../../../basics/json.ts';
import { readConfig } from '../../../bridge/allow-list/read-config.ts';
import type { Search } from '../../server/find-server.ts';
import { readJsonc } from '../../server/jsonc.ts';
import type { Finding } from './report.ts';

export interface ServingConfig {
  readonly file: string;
  readonly findings: readonly Finding[];
}

/** What only such a configuration says. */
const marks = ['patterns', 'agents', 'models', 'budgets', 'tools'];

/** The first file of the search that says what is served; a file that cannot be read is told of elsewhere. */
export async function findServingConfig({
  places,
  surroundings,
  read,
}: Search): Promise<ServingConfig | undefined> {
  for (const { file } of places) {
    if (places.length > 1 && !file.endsWith('tenon.config.json')) continue;
    const json = jsonOf(file, read);
    if (!isObject(json) || !marks.some(mark => json[mark] !== undefined)) continue;
    const outcome = await readConfig(json, surroundings);
    const faults = outcome.ok ? [] : outcome.errors;
    const findings = faults.map(({ path, message }) => ({
      code: 'bad-config-value',
      cause: `${file}: ${path === '' ? 'it' : path} ${message}`,
      remedy: 'Correct that field; until then tenon serve serves nothing.',
    }));
    return { file, findings };
  }
  return undefined;
}

function jsonOf(file: string, read: Search['read']): unknown {
  try {
    const json = readJsonc(read(file) ?? '');
    return json.ok ? json.value : undefined;
  } catch {
    return undefined;
  }
}
