/** Finds what was typed in a list, or says what was meant. */
import { TenonError } from '../../basics/failure.ts';
import { suggest } from '../../schema/suggest.ts';
import { UsageError } from '../command.ts';
import { plainLine } from '../print.ts';

/** The entry of that name. Throws a `UsageError` that says which was meant when there is none. */
export function findNamed<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
  noun: string,
  list: string,
): Entry {
  const found = entries.find(entry => entry.name === name);
  if (found !== undefined) return found;
  if (entries.length === 0) throw new TenonError(`the server has no ${noun}s`);
  const meant = suggest(
    name,
    entries.map(entry => entry.name),
  );
  const hint = meant === undefined ? '.' : `; did you mean ${JSON.stringify(plainLine(meant))}?`;
  throw new UsageError(`the server has no ${noun} ${JSON.stringify(name)}${hint} See ${list}`);
}
