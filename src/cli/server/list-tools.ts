/** The tools that a command was told to look at: those of a server, or those of a saved list. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { TenonError } from '../../basics/failure.ts';
import { isObject } from '../../basics/json.ts';
import type { Diagnostic } from '../../channels/channel.ts';
import { readTools } from '../../client/tool-listing.ts';
import type { ToolListing } from '../../protocol/tool-listing.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { readJsonc } from './jsonc.ts';
import { rememberTools } from './known-tools.ts';
import { whyUnreadable } from './unreadable.ts';
import { readTimeouts, useServer } from './use-server.ts';

/** The options of every command that looks at a server. */
export const serverOptions: Command['options'] = {
  config: { type: 'string' },
  file: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
};

export interface ListedTools {
  /** What the server is called by its configuration or its address. */
  readonly name: string;
  /** What the server says of itself; absent for a saved list. */
  readonly server?: { readonly name: string; readonly version: string };
  readonly tools: readonly ToolListing[];
  /** What was mended or left out while reading the list. */
  readonly notes: readonly Diagnostic[];
}

/** Reads the list and closes the server. `see` is the command, for messages. */
export async function listTools(
  see: string,
  given: Given,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ListedTools> {
  const { file } = given.values;
  readTimeouts(see, given);
  if (typeof file === 'string') {
    if (given.words.length > 0 || given.commandLine !== undefined) {
      throw new UsageError(`${see} takes a server or --file, not both. ${seeHelp(see)}`);
    }
    return readSavedList(file);
  }
  return useServer({ see, given, terminal, signal }, async ({ client, name, notes }) => {
    const tools = await client.tools({ signal }).all();
    rememberTools(given, tools);
    const { name: own, version } = client.server;
    return { name, server: { name: own, version }, tools, notes };
  });
}

/** A list as `tools/list` answers it, with or without what is around it. */
function readSavedList(file: string): ListedTools {
  const read = readJsonc(readText(file));
  if (!read.ok) throw new TenonError(`${file}, line ${read.line}: ${read.reason}`);
  const notes: Diagnostic[] = [];
  const tools = readTools(pageOf(read.value, file), new Set(), note => notes.push(note));
  return { name: basename(file).replace(/\.\w+$/, ''), tools, notes };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--file: ${file} cannot be read: ${whyUnreadable(error)}`);
  }
}

function pageOf(value: unknown, file: string): { readonly tools: readonly unknown[] } {
  const page = isObject(value) && isObject(value['result']) ? value['result'] : value;
  const tools = isObject(page) ? page['tools'] : page;
  if (Array.isArray(tools)) return { tools };
  throw new TenonError(`${file} holds no list of tools`, {
    hint: 'It must be an array of tools, or an object with an array "tools", as tools/list answers.',
  });
}
