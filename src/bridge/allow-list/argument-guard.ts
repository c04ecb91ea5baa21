/** Keeps the arguments of a call within what the operator set: folders, hosts, values; pure, no file system. */
import { matchesGlob } from '../toolset/glob.ts';
import type { ArgumentRule } from './config.ts';

/** Why the call must not be sent, as the rest of a sentence; nothing when it may. */
export function argumentFault(
  args: Readonly<Record<string, unknown>>,
  rules: readonly (readonly [name: string, rule: ArgumentRule])[],
): string | undefined {
  for (const [name, rule] of rules) {
    if (!Object.hasOwn(args, name)) continue;
    const fault = valueFault(args[name], rule);
    if (fault !== undefined) return `the argument ${JSON.stringify(name)} ${fault}`;
  }
  return undefined;
}

/** Each value of a list is judged by itself. */
function valueFault(value: unknown, rule: ArgumentRule): string | undefined {
  if (Array.isArray(value)) {
    for (const each of value) {
      const fault = valueFault(each, rule);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  const { within, hosts, values, maxLength } = rule;
  if (values !== undefined && !values.some(each => Object.is(each, value) || sameJson(each, value))) {
    return `must be one of ${JSON.stringify(values).slice(0, 500)}`;
  }
  if (within === undefined && hosts === undefined && maxLength === undefined) return undefined;
  if (typeof value !== 'string') return 'must be text';
  if (maxLength !== undefined && value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (within !== undefined && !within.some(folder => liesWithin(value, folder))) {
    return `must be an absolute path within ${within.join(' or ')}, without ".."`;
  }
  if (hosts !== undefined && !hosts.some(host => isUrlOf(value, host))) {
    return `must be a plain http or https URL of ${hosts.join(' or ')}, without a user name, "\\" or white space`;
  }
  return undefined;
}

/**
 * By its text alone: where a link on the disk leads cannot be seen from here. What could be read in two ways (`..`, `%`
 * before two digits, `~`, a control character, `\` on a system of `/`) is refused rather than interpreted.
 */
function liesWithin(path: string, folder: string): boolean {
  const isWindows = /^[A-Za-z]:/.test(folder);
  const split = (text: string): string[] =>
    text
      .split(isWindows ? /[\\/]/ : '/')
      .filter((part, index) => index === 0 || (part !== '' && part !== '.'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001F\u007F]|%[0-9A-Fa-f]{2}/.test(path) || (!isWindows && path.includes('\\'))) return false;
  const parts = split(path);
  if (parts.some(part => /^\.\.[ .]*$/.test(part) || part.startsWith('~'))) return false;
  const root = split(folder);
  const fold = (text: string | undefined): string | undefined => (isWindows ? text?.toLowerCase() : text);
  return root.every((part, index) => fold(part) === fold(parts[index]));
}

/** One spelling, which every parser takes apart in the same way: `scheme://host:port`, then nothing, `/`, `?` or `#`. */
const plainUrl =
  /^(https?|HTTPS?):\/\/([\w-]+(?:\.[\w-]+)*|\[[\dA-Fa-f:.]+\])(?::([1-9]\d{0,4}))?(?:[/?#][^\\\s\p{C}]*)?$/u;

/** Whoever opens the URL may have another parser than we; a host that ours would spell otherwise is refused. */
function isUrlOf(text: string, host: string): boolean {
  const [, scheme = '', written = '', port] = plainUrl.exec(text) ?? [];
  const named = written.toLowerCase();
  if (named === '' || !URL.canParse(text) || new URL(text).hostname !== named) return false;
  const wanted = host.toLowerCase();
  const usualPort = scheme.toLowerCase() === 'http' ? '80' : '443';
  return matchesGlob(wanted, named) || matchesGlob(wanted, `${named}:${port ?? usualPort}`);
}

function sameJson(a: unknown, b: unknown): boolean {
  return typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b);
}
