/** Whether the names and patterns of rules, hosts and lists of tools mean anything that is allowed, as far as a configuration tells. */
import { suggest } from '../../schema/suggest.ts';
import { isLiteral, matchesGlob } from '../toolset/glob.ts';
import type { AllowedServer, ServerAccess } from './config.ts';

const positive = (pattern: string): string => pattern.replace(/^!/, '');

/** What is wrong with the key of a rule, which would otherwise hold for nothing; nothing where its server has to be asked. */
export function ruleNameFault(key: string, { allow }: Pick<ServerAccess, 'allow'>): string | undefined {
  const names = allow.map(positive);
  if (names.includes(key)) return undefined;
  if (key.startsWith('!')) return 'must not begin with "!": a rule holds for the tools that it names';
  if (key.includes('/')) {
    const rest = key.slice(key.indexOf('/') + 1);
    return `must be the name of a tool alone, without that of its server${did(suggestFrom(rest, names))}`;
  }
  if (meansOne(key, allow)) return undefined;
  return `means no tool of "allow", so it would hold for nothing${did(suggestFrom(key, names))}`;
}

/** What is wrong with an entry of `hosts`, which no URL would fit. */
export function hostFault(host: string): string | undefined {
  if (/^(?:[\w*?-]+(?:\.[\w*?-]+)*|\[[\dA-Fa-f:.*?]+\])(?::[\d*?]{1,5})?$/.test(host)) return undefined;
  if (/\P{ASCII}/u.test(host)) return 'must be in its ASCII form, such as "xn--bcher-kva.example"';
  return 'must be a host alone, such as "example.com", "*.example.com" or "example.com:8080": no scheme, no path';
}

/**
 * What is wrong with `server/tool` as a list of tools names it, which would otherwise take in or out nothing; nothing
 * where a server has to be asked. `builtin`: names under the key of this package itself.
 */
export function listedFault(
  pattern: string,
  servers: Readonly<Record<string, AllowedServer>>,
  [builtinKey, builtin]: readonly [key: string, names: readonly string[]],
): string | undefined {
  const known = [...Object.keys(servers), builtinKey];
  const wanted = positive(pattern);
  const slash = wanted.indexOf('/');
  if (slash === -1) return `must be server/tool, such as "${known[0]}/*"`;
  const [server, tool] = [wanted.slice(0, slash), wanted.slice(slash + 1)];
  const meant = known.filter(name => matchesGlob(server, name));
  if (meant.length === 0) {
    return `nothing is allowed of a server of this name; there are ${known.join(', ')}`;
  }
  const namesOf = (name: string): readonly string[] =>
    name === builtinKey ? builtin : (servers[name]?.access.allow ?? []);
  if (meant.some(name => meansOne(tool, namesOf(name)))) return undefined;
  const all = meant.flatMap(name => namesOf(name).map(each => `${name}/${positive(each)}`));
  return `means no tool that is allowed${did(suggestFrom(wanted, all))}`;
}

/** Keys of rules that hold something back and fit no tool that is allowed by name: a slip would let it through. */
export function looseRules({ allow, rules = {} }: ServerAccess): readonly string[] {
  const names = allow.map(positive).filter(isLiteral);
  return Object.entries(rules).flatMap(([key, { approval, pin, hide, arguments: judged, maxCalls }]) => {
    const isStrict = approval === 'ask' || approval === 'deny';
    const isGuard = isStrict || [pin, hide, judged, maxCalls].some(each => each !== undefined);
    return isGuard && !names.some(name => matchesGlob(key, name)) ? [key] : [];
  });
}

/** What is told of such a rule when its server has no tool for it. */
export function describeLoose(server: string, key: string): string {
  const what = `the rule ${JSON.stringify(key)} for the server ${server} means none of its tools`;
  return isLiteral(key)
    ? `${what}; until it means one, each call of the others has to be approved`
    : `${what}, so it holds for nothing`;
}

/** Of two patterns only the server knows whether they mean the same tool; of one that takes tools out there is none. */
function meansOne(pattern: string, allow: readonly string[]): boolean {
  return allow.some(each => {
    const name = positive(each);
    if (isLiteral(name)) return matchesGlob(pattern, name);
    return isLiteral(pattern) ? matchesGlob(name, pattern) : name === each;
  });
}

function suggestFrom(name: string, candidates: readonly string[]): string | undefined {
  const literal = candidates.filter(isLiteral);
  return literal.includes(name) ? name : suggest(name, literal);
}

function did(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}
