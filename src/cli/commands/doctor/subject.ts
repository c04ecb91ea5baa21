/** Which servers a check-up looks at: the one that was named, or all that configuration names. */
import { TenonError } from '../../../basics/failure.ts';
import { EntryFault, readEntry } from '../../../bridge/allow-list/server-entry.ts';
import { showCommandLine } from '../../../channels/command-line.ts';
import { showUrl } from '../../../channels/http-client-options.ts';
import type { Given } from '../../command.ts';
import { listServers, type Search } from '../../server/find-server.ts';
import { type ChosenServer, findTarget } from '../../server/server-target.ts';
import type { Patient } from './failure.ts';
import type { Finding } from './report.ts';

/** A server to look at, or why its configuration cannot be used. */
export type Subject = {
  readonly name: string;
  /** For people. */
  readonly from: string;
} & ({ readonly chosen: ChosenServer } | { readonly fault: Finding });

/** The server that was named. Throws a `UsageError` when there is none of that name. */
export function findSubject(see: string, given: Given, warn: (text: string) => void): Subject {
  try {
    const chosen = findTarget(see, given, warn);
    const { name, place } = chosen;
    return { name, from: place === undefined ? 'the command line' : place.file, chosen };
  } catch (error) {
    if (!(error instanceof TenonError)) throw error;
    const [name = ''] = given.words;
    return { name, from: String(given.values['config'] ?? 'configuration'), fault: faultOf(error.message) };
  }
}

/** All servers of all files; of those with one name, the first counts. Also what cannot be read, as findings. */
export function findSubjects(search: Search): { readonly subjects: Subject[]; readonly faults: Finding[] } {
  const { servers, faults } = listServers(search);
  const subjects = new Map<string, Subject>();
  for (const { name, raw, place } of servers) {
    if (subjects.has(name)) continue;
    const from = place.file;
    try {
      const entry = readEntry(raw, search.surroundings);
      subjects.set(name, { name, from, chosen: { name, entry, inherit: 'safe', place } });
    } catch (error) {
      if (!(error instanceof EntryFault)) throw error;
      const message = `server ${JSON.stringify(name)} in ${place.file}: ${error.message}`;
      subjects.set(name, { name, from, fault: faultOf(message) });
    }
  }
  return { subjects: [...subjects.values()], faults: faults.map(faultOf) };
}

/** What is wrong in a configuration, by the message of whoever read it. */
function faultOf(message: string): Finding {
  const [, name] = /names the variable (\w+), which is not set/.exec(message) ?? [];
  if (name !== undefined) {
    const remedy = `Set ${name} where the client runs, or give it a value in the file: $\{${name}:-value}. A program that is started from a desktop does not get what a shell's profile sets.`;
    return { code: 'variable-not-set', cause: message.replace(/; set it.*$/s, ''), remedy };
  }
  if (/asks an editor for/.test(message)) {
    const [cause = message, remedy = ''] = message.split('; ');
    return { code: 'variable-of-editor', cause, remedy };
  }
  const unreadable = / (?:cannot be read: |names no servers: )(line \d+: )?/.exec(message);
  if (unreadable !== null) {
    const remedy =
      unreadable[1] === undefined
        ? 'Correct the file or the name of it: what is read is a JSON object with the servers in "mcpServers".'
        : 'Mend the file at that line; comments and a comma too many are fine.';
    return { code: 'bad-config-file', cause: message, remedy };
  }
  const remedy =
    'Correct that field: "command" with "args" (a list) and "env" for a program, or "url" and "headers" for a server elsewhere.';
  return { code: 'bad-config-value', cause: message, remedy };
}

/** The server without what may be secret. */
export function patientOf({ entry, place }: ChosenServer): Patient {
  const configured = place !== undefined;
  if (entry.transport === 'http') {
    const headers = Object.keys(entry.headers).map(name => name.toLowerCase());
    if (/^https?:\/\/[^/]*@/.test(entry.url)) headers.push('authorization');
    return { transport: 'http', configured, target: showUrl(entry.url), args: [], variables: [], headers };
  }
  const { command, args, env } = entry;
  return { transport: 'stdio', configured, target: command, args, variables: Object.keys(env), headers: [] };
}

/** Its command line or its URL on one line, without what may be secret. */
export function labelOf({ entry }: ChosenServer): string {
  return entry.transport === 'http' ? showUrl(entry.url) : showCommandLine(entry);
}
