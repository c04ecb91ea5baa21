/** Finds a server by its name in configuration files. */
import { TenonError } from '../../basics/failure.ts';
import { EntryFault, readEntry, type ServerEntry } from '../../bridge/allow-list/server-entry.ts';
import type { Surroundings } from '../../bridge/allow-list/variables.ts';
import { suggest } from '../../schema/suggest.ts';
import { UsageError } from '../command.ts';
import { readConfigFile } from './config-file.ts';
import type { ConfigPlace } from './config-places.ts';
import { whyUnreadable } from './unreadable.ts';

/** Where to look, and how. */
export interface Search {
  readonly places: readonly ConfigPlace[];
  readonly surroundings: Surroundings;
  /** The text of a file; undefined when there is none. */
  read(file: string): string | undefined;
}

export interface FoundServer {
  readonly entry: ServerEntry;
  readonly place: ConfigPlace;
}

/** A server as a file names it, not yet looked at. */
export interface ListedServer {
  readonly name: string;
  readonly raw: unknown;
  readonly place: ConfigPlace;
}

export interface KnownServers {
  readonly servers: readonly ListedServer[];
  /** Files that could not be read, each as a sentence. */
  readonly faults: readonly string[];
}

/** How many names a message lists. */
const mostNames = 20;

/**
 * The server of that name, from the first file that has it; `warn` is told of files before it that cannot be read. Throws
 * a `UsageError` when there is none, and a `TenonError` when what is said of it cannot be used.
 */
export function findServer(name: string, search: Search, warn: (text: string) => void): FoundServer {
  const { servers, faults } = listServers(search);
  const found = servers.find(server => server.name === name);
  if (found === undefined && search.places.length === 1 && faults[0] !== undefined) {
    throw new TenonError(faults[0]);
  }
  if (found === undefined) throw unknownServer(name, servers, faults, search);
  for (const fault of faults) warn(fault);
  try {
    return { entry: readEntry(found.raw, search.surroundings), place: found.place };
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    throw new TenonError(`server ${JSON.stringify(name)} in ${found.place.file}: ${error.message}`);
  }
}

/** A sentence on which servers there are to choose from; empty when there are none. */
export function tellServers(search: Search): string {
  const { servers, faults } = listServers(search);
  return [...(servers.length > 0 ? [`Known by name: ${namesOf(servers)}.`] : []), ...faults].join(' ');
}

/** Every server that a file names, and which files cannot be read; a name may come more than once, the first one counts. */
export function listServers({ places, surroundings, read }: Search): KnownServers {
  const servers: ListedServer[] = [];
  const faults: string[] = [];
  for (const place of places) {
    try {
      const text = read(place.file);
      if (text === undefined) continue;
      const file = readConfigFile(text, surroundings.folder);
      if (!file.ok) faults.push(`${place.file} ${file.reason}${file.reason.endsWith('?') ? '' : '.'}`);
      else servers.push(...Object.entries(file.servers).map(([name, raw]) => ({ name, raw, place })));
    } catch (error) {
      faults.push(`${place.file} cannot be read: ${whyUnreadable(error)}.`);
    }
  }
  return { servers, faults };
}

function unknownServer(
  name: string,
  servers: readonly ListedServer[],
  faults: readonly string[],
  { places }: Search,
): UsageError {
  const meant = suggest(
    name,
    servers.map(server => server.name),
  );
  const where = places.length === 1 ? ` in ${places[0]?.file}` : '';
  const sentences = [
    // Why it is not there, when that is known, before that it is not.
    ...faults,
    `there is no server ${JSON.stringify(name)}${where}${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`,
    servers.length > 0
      ? `known: ${namesOf(servers)}`
      : 'no configuration file names a server; give a URL, or -- and a command',
  ];
  return new UsageError(sentences.join('\n'));
}

function namesOf(servers: readonly ListedServer[]): string {
  const names = [...new Set(servers.map(({ name, place }) => `${name} (${place.of})`))];
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
