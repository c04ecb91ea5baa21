/** The command line of the benchmark: what is asked for, or what is wrong with it in one sentence. Pure. */

export const usage = `Usage: npm run bench -- [options]

  --only TEXT         the rows whose name holds TEXT; the sizes are left out
  --subjects A,B      whom to measure; the floor always is
  --rounds N          how often each is measured, 5 unless said (2 with --quick)
  --quick             fewer calls: for a look
  --limit SECONDS     how long one measurement may take, 1200 unless said
  --json [FILE]       the figures as JSON, into FILE or in place of the tables
  --write             writes docs/benchmarks.md; needs a whole run
  --help              prints this`;

const needs = {
  only: 'a value',
  subjects: 'a value',
  rounds: 'a value',
  limit: 'a value',
  json: 'a value or nothing',
  quick: 'nothing',
  write: 'nothing',
  help: 'nothing',
};

/** `{ given }`, a text or true by name, or `{ fault }`. */
function split(args) {
  const given = {};
  for (let index = 0; index < args.length; index += 1) {
    const [, name, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(args[index]) ?? [];
    if (name === undefined) return { fault: `"${args[index]}" is not an option; a row is chosen by --only` };
    const wanted = Object.hasOwn(needs, name) ? needs[name] : undefined;
    if (wanted === undefined)
      return { fault: `there is no option --${name}; there are --${Object.keys(needs).join(', --')}` };
    const next = args[index + 1];
    if (attached !== undefined && wanted === 'nothing') return { fault: `--${name} takes no value` };
    if (attached !== undefined || wanted === 'nothing') given[name] = attached ?? true;
    else if (next !== undefined && !next.startsWith('--')) {
      given[name] = next;
      index += 1;
    } else if (wanted === 'a value') return { fault: `--${name} needs a value` };
    else given[name] = true;
  }
  return { given };
}

/** As it comes from a keyboard. */
const typed = text => text.toLowerCase().replaceAll('’', "'");

/** What keeps a run from being the whole one that the page shows. */
const parts = ['only', 'quick', 'subjects'];

/**
 * `{ help: true }`, `{ fault }` or `{ options }`. `rows`, `known`: the names that there are. `options.json` is a file's
 * name or true.
 */
export function readOptions(args, { rows, known }) {
  const { given, fault } = split(args);
  if (fault !== undefined) return { fault };
  if (given.help) return { help: true };
  const { only = '', quick = false, write = false, json } = given;
  const chosen = rows.filter(name => typed(name).includes(typed(only)));
  const subjects = [...new Set(['floor', ...(given.subjects?.split(',') ?? known)])];
  const unknown = subjects.filter(subject => !known.includes(subject));
  const rounds = Number(given.rounds ?? (quick ? 2 : 5));
  const limit = Number(given.limit ?? 1200);
  const part = parts.filter(name => name in given);
  if (chosen.length === 0)
    return { fault: `no row is named like "${only}"; there are:\n  ${rows.join('\n  ')}` };
  if (unknown.length > 0)
    return { fault: `there is no subject "${unknown.join('", "')}"; there are ${known.join(', ')}` };
  if (!(Number.isInteger(rounds) && rounds > 0)) return { fault: '--rounds must be a whole number above 0' };
  if (!(limit > 0 && limit <= 86_400)) return { fault: '--limit must be a number of seconds, at most 86400' };
  if (write && part.length > 0)
    return {
      fault: `--write replaces the whole page, so it needs a whole run: leave out --${part.join(', --')}`,
    };
  return { options: { chosen, whole: only === '', subjects, rounds, limit, quick, write, json } };
}
