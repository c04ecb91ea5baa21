/** Remembers what tools configured servers listed, so that completion need not start them; names only, in the user's cache. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject, parseJson } from '../../basics/json.ts';
import type { ToolListing } from '../../protocol/tool-listing.ts';
import type { Given } from '../command.ts';
import { listServers, type Search } from './find-server.ts';
import { searchFor } from './server-target.ts';

/** The names of the arguments of each tool. */
export type KnownTools = Readonly<Record<string, readonly string[]>>;

const mostServers = 100;
const mostTools = 500;

/** What the server of that name or URL listed last; nothing where that is not known. */
export function recallTools(server: string, search: Search): KnownTools {
  const tools = readAll()[keyOf(server, search) ?? ''];
  if (!isObject(tools)) return {};
  const isList = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every(each => typeof each === 'string');
  return Object.fromEntries(
    Object.entries(tools).filter((entry): entry is [string, string[]] => isList(entry[1])),
  );
}

/** Of a server that was named. Never throws: what cannot be kept is not missed. */
export function rememberTools(
  { words: [server], values, commandLine }: Given,
  tools: readonly ToolListing[],
): void {
  if (server === undefined || commandLine !== undefined) return;
  const key = keyOf(server, searchFor(values['config'] as string | undefined));
  if (key === undefined) return;
  const { [key]: before, ...others } = readAll();
  const now = Object.fromEntries(
    tools
      .filter(({ name }) => isTypable(name))
      .slice(0, mostTools)
      .map(({ name, inputSchema: { properties } }) => [
        name,
        isObject(properties) ? Object.keys(properties).filter(isTypable) : [],
      ]),
  );
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const kept = Object.entries(others).slice(-mostServers + 1);
  write(JSON.stringify(Object.fromEntries([...kept, [key, now]])));
}

/** Names come from servers and go into a shell's line. */
function isTypable(name: string): boolean {
  return /^[\w./:@-]{1,200}$/.test(name) && !name.startsWith('-');
}

/** Servers of one name in two files are two. */
function keyOf(server: string, search: Search): string | undefined {
  if (/^https?:\/\//i.test(server)) return undefined;
  const found = listServers(search).servers.find(({ name }) => name === server);
  return found && `${found.place.file}#${server}`;
}

function cacheFile(): string {
  const { XDG_CACHE_HOME: chosen, LOCALAPPDATA: local } = process.env;
  return join(chosen || local || join(homedir(), '.cache'), 'tenon', 'tools.json');
}

function readAll(): Readonly<Record<string, unknown>> {
  try {
    const read = parseJson(readFileSync(cacheFile(), 'utf8'));
    return read.ok && isObject(read.value) ? read.value : {};
  } catch {
    return {};
  }
}

function write(text: string): void {
  const file = cacheFile();
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Whoever reads meanwhile finds the one or the other.
    writeFileSync(fresh, text, { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    // A home that cannot be written has no cache.
  }
}
