/** What a server's own words on stderr say about why it does not work: a table of what people meet. */
import { type Failure, lastLine, type Patient } from './failure.ts';
import type { Finding } from './report.ts';

interface Clue {
  readonly code: string;
  readonly matches: (line: string) => boolean;
  /** Why, as the rest of a sentence that begins with what happened. */
  readonly because: string;
  remedy(line: string, failure: Failure): string;
}

const lacks =
  /missing|\bno\b|not (?:set|found|provided|configured|defined)|undefined|requires?d?|must be (?:set|provided|defined)|please (?:set|provide)|is empty|unset|invalid|expired/i;
const variable = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/;
const secret = /\b(?:api[ _-]?key|access[ _-]?token|token|credentials?|secret|password)\b/i;

/** The first that matches counts. */
const clues: readonly Clue[] = [
  {
    code: 'port-in-use',
    matches: line => /EADDRINUSE|address already in use|port \d+ .{0,20}in use/i.test(line),
    because: 'the port that it wants is in use',
    remedy: line =>
      `End what listens on ${portIn(line)}, perhaps an earlier run of the same server, or give this one another port.`,
  },
  {
    code: 'package-not-found',
    matches: line =>
      /npm (?:error|ERR!).{0,20}E404|404 Not Found - GET|No matching distribution found|No solution found/i.test(
        line,
      ),
    because: 'there is no such package, or no such version of it',
    remedy: () => 'Correct the name and the version of the package in the command line.',
  },
  {
    code: 'registry-unreachable',
    matches: line =>
      /npm (?:error|ERR!).{0,200}(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET)|Failed to fetch: /i.test(
        line,
      ),
    because: 'its package could not be fetched',
    remedy: () => 'Check the network, the proxy and the registry, or install the package beforehand.',
  },
  {
    code: 'old-runtime',
    matches: line =>
      /EBADENGINE|Unsupported engine|requires? (?:node|python)(?:\.js)?[^a-z]{0,20}\d|ERR_REQUIRE_ESM/i.test(
        line,
      ),
    because: 'the runtime is too old for it',
    remedy: () => 'Update the runtime that its command starts, or name a newer one by its full path.',
  },
  {
    code: 'module-not-found',
    matches: line =>
      /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|No module named/i.test(line),
    because: 'a part of it is not there',
    remedy: () =>
      'Install or build the server, and check the path in "args"; a relative one is taken from "cwd", not from the file of the configuration.',
  },
  {
    code: 'docker-not-running',
    matches: line => /Cannot connect to the Docker daemon|docker daemon .{0,20}not running/i.test(line),
    because: 'Docker is not running',
    remedy: () => 'Start Docker, and try again.',
  },
  {
    code: 'key-missing',
    matches: line => lacks.test(line) && (variable.test(line) || secret.test(line)),
    because: 'a setting that it needs is missing or wrong',
    remedy: remedyOfKey,
  },
  {
    code: 'read-only',
    matches: line => /EROFS|read-only file system/i.test(line),
    because: 'it may not write where it wants to',
    remedy: () => 'Set HOME, and for npx npm_config_cache, in "env" to a folder that can be written to.',
  },
  {
    code: 'permission-denied',
    matches: line => /EACCES|EPERM|permission denied/i.test(line),
    because: 'it may not use a file, a folder or a port',
    remedy: () => 'Give your user the right to what the line names, or point the server elsewhere.',
  },
  {
    code: 'file-missing',
    matches: line => /ENOENT|no such file or directory/i.test(line),
    because: 'a file or folder that it was given is not there',
    remedy: () => 'Check the paths in "args" and "env"; a relative one is taken from "cwd".',
  },
  {
    code: 'bad-arguments',
    matches: line =>
      /^usage:|unknown (?:option|argument|command)|unrecognized arguments?|missing (?:required )?argument/i.test(
        line,
      ),
    because: 'it does not take the arguments that it was given',
    remedy: () => 'Compare "args" with what the server says in its help.',
  },
];

/** The clue in what it said, with the line that holds it; `happened` begins the sentence, such as `it ended with code 1`. */
export function readClues(failure: Failure, happened: string): Finding | undefined {
  for (const { code, matches, because, remedy } of clues) {
    const line = lastLine(failure.stderr, matches);
    if (line === undefined) continue;
    const cause = `${happened}, because ${because}; it said: ${JSON.stringify(line)}`;
    return { code, cause, remedy: remedy(line, failure) };
  }
  return undefined;
}

function portIn(line: string): string {
  const port = /(?:port |:)(\d{2,5})\b/i.exec(line)?.[1];
  return port === undefined ? 'that port' : `port ${port}`;
}

function remedyOfKey(line: string, { patient, isSet }: Failure): string {
  const name = variable.exec(line)?.[0];
  if (name === undefined) return `Give it the key that the line speaks of${placeOf(patient)}.`;
  if (patient.variables.includes(name) || (!patient.configured && isSet(name)))
    return `${name} is given: check its value.`;
  if (!patient.configured) return `Set ${name} before the command: ${name}=… tenon doctor -- …`;
  const reference = `$\{${name}}`;
  return isSet(name)
    ? `${name} is set here, but a configured server gets only the safe part of the environment: write "${name}": "${reference}" in "env" of its entry.`
    : `Put ${name} into "env" of its entry, or set it here and write "${name}": "${reference}" there.`;
}

function placeOf({ configured }: Patient): string {
  return configured ? ', in "env" of its entry or in "args"' : ', as a variable or an argument';
}
