/** Picks the command, reads its options and gives the exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted. */
import { version } from '../basics/version.ts';
import { suggest } from '../schema/suggest.ts';
import { readGiven, readOptions } from './arguments.ts';
import { UsageError } from './command.ts';
import { type CommandEntry, commandGroups, commands } from './command-table.ts';
import { describeFailure, formatColumns } from './print.ts';
import type { Terminal } from './terminal.ts';

const width = Math.max(...Object.keys(commands).map(name => name.length));

const help = `Usage: tenon <command> [options]

${commandGroups.map(([heading, entries]) => `${heading}:\n${formatColumns(summariesOf(entries), width)}`).join('\n')}
Options: -h, --help shows this, or the help of a command; -v, --version`;

function summariesOf(entries: Readonly<Record<string, CommandEntry>>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([name, { summary }]) => [name, summary]));
}

/** Runs what `args` (without the program's own name) ask for. Never rejects. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      terminal.warn(describeFailure(error));
      return 1;
    }
    terminal.warn(`tenon: ${error.message}`);
    return 2;
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const at = args.findIndex(argument => !argument.startsWith('-'));
  const before = at === -1 ? args : args.slice(0, at);
  const values = readOptions(before, { version: { type: 'boolean', short: 'v' } });
  if (values['version'] === true) {
    terminal.print(version);
    return 0;
  }
  const name = at === -1 ? undefined : args[at];
  if (name === undefined) {
    const isAsked = values['help'] === true;
    (isAsked ? terminal.print : terminal.warn)(help);
    return isAsked ? 0 : 2;
  }
  if (name === 'help') return dispatch([...args.slice(at + 1, at + 2), '--help'], terminal);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw unknownCommand(name);
  const command = await entry.load();
  const given = readGiven(name, command, values['help'] === true ? ['--help'] : args.slice(at + 1));
  if (given.values['help'] !== true) return command.run(given, terminal);
  terminal.print(command.help);
  return 0;
}

function unknownCommand(name: string): UsageError {
  const meant = suggest(name, Object.keys(commands));
  const hint = meant === undefined ? '.' : `; did you mean ${JSON.stringify(meant)}?`;
  return new UsageError(`there is no command ${JSON.stringify(name)}${hint} See tenon --help`);
}
