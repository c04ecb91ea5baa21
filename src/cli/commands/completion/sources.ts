/** What completion knows of servers: their names out of configuration, their tools from the last time they were listed. */
import { statSync } from 'node:fs';
import { listServers, type Search } from '../../server/find-server.ts';
import { recallTools } from '../../server/known-tools.ts';
import { searchFor } from '../../server/server-target.ts';
import type { Candidate, Completion, Sources, Typed } from './complete.ts';

/** A configuration that is larger, in bytes, is passed over: whoever presses a key does not wait for it. */
const largestFile = 4 * 1024 * 1024;

/** No server is started or asked, and no file but configuration is read. */
export const sources: Sources = {
  server: serverNames,
  tool: ({ words: [server = ''], config }) =>
    Object.keys(recallTools(server, searchIn(config))).map(value => ({ value, about: '' })),
  'name=value …': argumentNames,
  file: () => 'files',
  config: () => 'files',
  folder: () => 'folders',
};

function serverNames({ config }: Typed): Completion {
  const names = new Map<string, Candidate>();
  for (const { name, place } of listServers(searchIn(config)).servers) {
    if (isTypable(name) && !names.has(name)) names.set(name, { value: name, about: place.of });
  }
  return [...names.values()];
}

/** The file may be a stranger's, and the name goes into a shell's line: nothing that a shell reads as more than a letter or a blank. */
function isTypable(name: string): boolean {
  return /^[\p{L}\p{M}\p{N}_./:@ -]{1,200}$/u.test(name) && !/^[ -]| $/.test(name);
}

function argumentNames({ words: [server = '', tool = '', ...given], config }: Typed): Completion {
  const tools = recallTools(server, searchIn(config));
  const names = Object.hasOwn(tools, tool) ? (tools[tool] ?? []) : [];
  return names
    .filter(name => !given.some(word => word.startsWith(`${name}=`)))
    .map(name => ({ value: `${name}=`, about: '' }));
}

/** Nowhere, when there is no such file (yet). */
function searchIn(config: string | undefined): Search {
  const isThere = config === undefined || sizeOf(config) !== undefined;
  const search = searchFor(isThere ? config : undefined);
  return {
    ...search,
    places: isThere ? search.places : [],
    read: file => ((sizeOf(file) ?? 0) > largestFile ? undefined : search.read(file)),
  };
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
