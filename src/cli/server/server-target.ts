/** Which server a command was told to use: a name, a URL, or a command line. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { TenonError } from '../../basics/failure.ts';
import type { ServerEntry } from '../../bridge/allow-list/server-entry.ts';
import type { Channel } from '../../channels/channel.ts';
import { seeHelp } from '../arguments.ts';
import { type Given, UsageError } from '../command.ts';
import { type ConfigPlace, configPlaces } from './config-places.ts';
import { secretsOf } from './entry-secrets.ts';
import { findServer, type Search, tellServers } from './find-server.ts';
import { whyUnreadable } from './unreadable.ts';

export interface ServerTarget {
  readonly channel: Channel;
  /** What its configuration calls it, or what is left of its address; for names made of it. */
  readonly name: string;
  /** What must not be kept of what it says. */
  readonly secrets: readonly string[];
}

type OpenerOf<T extends ServerEntry['transport']> = (
  entry: Extract<ServerEntry, { transport: T }>,
  inherit: 'safe' | 'all',
) => Promise<Channel>;

/** Each transport is loaded when it is asked for. */
const openers: { readonly [T in ServerEntry['transport']]: OpenerOf<T> } = {
  stdio: async ({ command, args, env, cwd }, inheritEnv) => {
    const { stdio } = await import('../../channels/stdio-client.ts');
    return stdio({ command, args, env, inheritEnv, ...(cwd === undefined ? {} : { cwd }) });
  },
  http: async ({ url, headers }) => {
    const { http } = await import('../../channels/http-client.ts');
    return http(url, { headers });
  },
};

/** A server that was found and not yet opened. */
export interface ChosenServer {
  readonly name: string;
  readonly entry: ServerEntry;
  /** What a program gets of the environment. */
  readonly inherit: 'safe' | 'all';
  /** The file that names it; absent for what was typed. */
  readonly place?: ConfigPlace;
}

/** As `chooseServer`, without making its channel. */
export function findTarget(
  see: string,
  { words: [word], commandLine, values }: Given,
  warn: (text: string) => void,
): ChosenServer {
  if (commandLine !== undefined) {
    if (word !== undefined) {
      throw new UsageError(
        `${see} takes one server: ${JSON.stringify(word)}, or what stands after --. ${seeHelp(see)}`,
      );
    }
    const [command = '', ...args] = commandLine;
    const entry = { transport: 'stdio', command, args, env: {} } as const;
    return { name: basename(command), entry, inherit: 'all' };
  }
  if (word !== undefined && /^https?:\/\//i.test(word)) {
    if (!URL.canParse(word)) throw new UsageError(`${JSON.stringify(word)} is no URL. ${seeHelp(see)}`);
    const entry = { transport: 'http', url: word, headers: {} } as const;
    return { name: new URL(word).hostname, entry, inherit: 'safe' };
  }
  const search = searchFor(values['config'] as string | undefined);
  if (word === undefined) {
    const known = tellServers(search);
    throw new UsageError(
      `which server? Give its name, its URL, or -- and its command. ${known}${known === '' ? '' : ' '}${seeHelp(see)}`,
    );
  }
  return { name: word, inherit: 'safe', ...findServer(word, search, warn) };
}

/**
 * The server that was named. Throws a `UsageError` when none was, or none that is known, and a `TenonError` when its
 * configuration cannot be used. A program after `--` gets the whole environment, as from a shell; one that is configured
 * gets what is safe and what its entry says.
 */
export async function chooseServer(
  see: string,
  given: Given,
  warn: (text: string) => void,
): Promise<ServerTarget> {
  const { entry, inherit, name, place } = findTarget(see, given, warn);
  try {
    return { channel: await channelTo(entry, inherit), name, secrets: secretsOf(entry, process.env) };
  } catch (error) {
    if (place === undefined || !(error instanceof TypeError)) throw error;
    throw new TenonError(`server ${JSON.stringify(name)} in ${place.file}: ${error.message}`, {
      cause: error,
    });
  }
}

/** Throws a TypeError for what the transport cannot use. A program gets so much of the environment, and what its entry says. */
export async function channelTo(entry: ServerEntry, inherit: 'safe' | 'all'): Promise<Channel> {
  return entry.transport === 'stdio' ? openers.stdio(entry, inherit) : openers.http(entry, inherit);
}

/** Where servers are looked for: in that file alone, or in all known places. */
export function searchFor(config: string | undefined): Search {
  const { platform, env: environment } = process;
  const surroundings = { environment, folder: process.cwd(), home: homedir() };
  if (config === undefined)
    return { places: configPlaces({ platform, ...surroundings }), surroundings, read };
  const file = resolve(config);
  let text: string | undefined;
  try {
    text = read(file);
  } catch (error) {
    throw new UsageError(`--config: ${file} cannot be read: ${whyUnreadable(error)}`);
  }
  if (text === undefined) throw new UsageError(`--config: there is no file ${file}`);
  return { places: [{ file, of: basename(file) }], surroundings, read };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
