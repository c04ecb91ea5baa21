/** The names of a set of tools at a provider, and the way back: no two alike, none lost. */
import { aliasFor, type NameRule, writeAlias } from './name-rule.ts';

export interface Aliases {
  /** Also for a name outside the set. */
  aliasOf(name: string): string;
  /** The name in the set that is called so; an unknown word as it is. */
  nameOf(alias: string): string;
}

/** `names` must differ from each other. Those that fit keep their own, so that no alias can take one from them. */
export function assignAliases(names: readonly string[], rule: NameRule): Aliases {
  const aliases = new Map<string, string>();
  const owners = new Map<string, string>();
  const own = (name: string, alias: string): void => {
    aliases.set(name, alias);
    owners.set(alias, name);
  };
  const [fitting, others] = [names.filter(fits), names.filter(name => !fits(name))];
  for (const name of fitting) own(name, name);
  for (const name of others) {
    let alias = aliasFor(name, rule);
    // Only a hash that clashes by chance, or a tool that was named like another's alias, comes here twice.
    for (let attempt = 1; owners.has(alias); attempt += 1) alias = writeAlias(name, attempt);
    own(name, alias);
  }
  function fits(name: string): boolean {
    return rule.pattern.test(name);
  }
  return {
    aliasOf: name => aliases.get(name) ?? aliasFor(name, rule),
    nameOf: alias => owners.get(alias) ?? alias,
  };
}
