/** Reads which servers a configuration lets be used, and what of each. */
import { suggest } from '../../schema/suggest.ts';
import type { AllowedServer, ConfigFault, ServerAccess } from './config.ts';
import { pathOf } from './field-path.ts';
import type { RawConfig } from './read-config.ts';
import { hostFault, ruleNameFault } from './rule-names.ts';
import { EntryFault, readEntry, type ServerEntry } from './server-entry.ts';
import { isWildcard } from './tool-access.ts';
import type { Surroundings } from './variables.ts';

/** Under this name stand the tools of this package itself. */
export const builtinKey = 'builtin';

/** Those with an entry under `tools`; whatever is wrong is added to `errors`. */
export function readServers(
  { mcpServers = {}, tools = {} }: RawConfig,
  surroundings: Surroundings,
  errors: ConfigFault[],
): Readonly<Record<string, AllowedServer>> {
  const allowed: [string, AllowedServer][] = [];
  for (const [name, access] of Object.entries(tools)) {
    checkAccess(name, access, errors);
    if (name === builtinKey || name.includes('/') || name.trim() === '') {
      const why =
        name === builtinKey ? 'stands for the tools of this package' : 'must not be blank or have a "/"';
      errors.push({ path: pathOf(['tools', name]), message: `${why}; call the server something else` });
      continue;
    }
    if (!Object.hasOwn(mcpServers, name)) {
      errors.push({ path: pathOf(['tools', name]), message: unknownServer(name, Object.keys(mcpServers)) });
      continue;
    }
    const entry = readOne(name, mcpServers[name], surroundings, errors);
    if (entry !== undefined) allowed.push([name, { entry, access }]);
  }
  return Object.fromEntries(allowed);
}

function readOne(
  name: string,
  raw: unknown,
  surroundings: Surroundings,
  errors: ConfigFault[],
): ServerEntry | undefined {
  try {
    return readEntry(raw, surroundings);
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    const [, field = '', rest = error.message] = fieldFirst.exec(error.message) ?? [];
    const path = pathOf(['mcpServers', name]);
    errors.push({ path: field === '' ? path : `${path}.${field}`, message: rest });
    return undefined;
  }
}

/** Faults of an entry begin with its field. */
const fieldFirst =
  /^((?:command|cmd|url|serverUrl|httpUrl|endpoint|type|transport|transportType|cwd|workingDirectory|args|env|headers)(?:[.[]\S*)?) ([\s\S]*)$/;

function unknownServer(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  const remedy =
    known.length === 0 ? 'there are none; add it to "mcpServers"' : `there are ${known.join(', ')}`;
  return `there is no server of this name in "mcpServers"${meant === undefined ? `; ${remedy}` : `, did you mean ${JSON.stringify(meant)}?`}`;
}

function checkAccess(name: string, access: ServerAccess, errors: ConfigFault[]): void {
  const { allow, readOnly = true, trustAnnotations = false, rules = {} } = access;
  const at = (...parts: (string | number)[]): string => pathOf(['tools', name, ...parts]);
  if (allow.every(pattern => pattern.startsWith('!'))) {
    const message = 'allows nothing by name, so it would mean all else; name the tools that may be used';
    errors.push({ path: at('allow'), message });
  }
  for (const [index, pattern] of allow.entries()) {
    if (pattern.startsWith('!') || !isWildcard(pattern)) continue;
    // What a server calls its tools says as little as what it says of them.
    if (!readOnly || trustAnnotations || /^[^*?]/.test(pattern)) continue;
    const message =
      'takes in tools that nobody named; name them, or begin the pattern with their name, or set "trustAnnotations" to ' +
      'believe the server which of them only read, or "readOnly": false for all of them';
    errors.push({ path: at('allow', index), message });
  }
  for (const [pattern, { arguments: args = {}, pin = {} }] of Object.entries(rules)) {
    const fault = ruleNameFault(pattern, access);
    if (fault !== undefined) errors.push({ path: at('rules', pattern), message: fault });
    for (const [argument, { within = [], hosts = [] }] of Object.entries(args)) {
      for (const [index, host] of hosts.entries()) {
        const message = hostFault(host);
        const path = at('rules', pattern, 'arguments', argument, 'hosts', index);
        if (message !== undefined) errors.push({ path, message });
      }
      for (const [index, folder] of within.entries()) {
        if (isAbsolute(folder)) continue;
        const path = at('rules', pattern, 'arguments', argument, 'within', index);
        errors.push({ path, message: 'must be an absolute folder without ".."' });
      }
      if (!Object.hasOwn(pin, argument)) continue;
      const message = 'is pinned too; one of the two is enough';
      errors.push({ path: at('rules', pattern, 'arguments', argument), message });
    }
  }
}

function isAbsolute(folder: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(folder) && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(folder);
}
