/** Finds the servers in the text of a configuration file, whichever program it was written for. */
import { isObject } from '../../basics/json.ts';
import { suggest } from '../../schema/suggest.ts';
import { readJsonc } from './jsonc.ts';

export type ConfigFile =
  | { readonly ok: true; readonly servers: Readonly<Record<string, unknown>> }
  /** Where and why, as the rest of a sentence that begins with the file. */
  | { readonly ok: false; readonly reason: string };

const usual = 'mcpServers';
/** Where the servers stand: most programs, VS Code, VS Code's settings, Zed. */
const paths = [[usual], ['servers'], ['mcp', 'servers'], ['context_servers']] as const;

/** The servers by name, not yet looked at. A file that names none has none, which is no fault. */
export function readConfigFile(text: string, folder: string): ConfigFile {
  const read = readJsonc(text);
  if (!read.ok) return { ok: false, reason: `cannot be read: line ${read.line}: ${read.reason}` };
  if (!isObject(read.value)) return { ok: false, reason: 'cannot be read: it holds no JSON object' };
  const all: [string, unknown][] = [];
  let isNamed = false;
  for (const path of [...paths, ['projects', folder, 'mcpServers']]) {
    const found = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), read.value);
    if (found === undefined || found === null) continue;
    if (!isObject(found)) {
      return { ok: false, reason: `cannot be read: ${JSON.stringify(path.join('.'))} must be an object` };
    }
    all.push(...Object.entries(found));
    isNamed = true;
  }
  const slip = isNamed ? undefined : Object.keys(read.value).find(key => suggest(key, [usual]) === usual);
  if (slip !== undefined) {
    const reason = `names no servers: it has ${JSON.stringify(slip)}; did you mean ${JSON.stringify(usual)}?`;
    return { ok: false, reason };
  }
  return { ok: true, servers: Object.fromEntries(all) };
}
