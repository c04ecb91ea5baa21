/** Picks the command, reads its options and gives the exit code: 0 done, 1 failed, 2 wrong use. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { version } from '../basics/version.ts';
import { suggest } from '../schema/suggest.ts';
import { type Command, UsageError } from './command.ts';
import { describeFailure, formatColumns, type Terminal } from './print.ts';

interface Entry {
  readonly summary: string;
  /** Loaded when it is asked for, so that no command pays for another. */
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'Serve the patterns consensus and react_loop as MCP tools over stdio',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
};

const summaries = Object.fromEntries(Object.entries(commands).map(([name, { summary }]) => [name, summary]));

const help = `Usage: tenon <command> [options]

Both ends of the Model Context Protocol.

Commands:
${formatColumns(summaries)}

Options:
${formatColumns({ '-h, --help': 'Show this, or the help of a command', '-v, --version': 'Show the version' })}`;

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
  const values = readOptions(before, {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  });
  if (values['version'] === true) {
    terminal.print(version);
    return 0;
  }
  const name = at === -1 ? undefined : args[at];
  if (name === undefined) {
    if (values['help'] !== true) throw new UsageError(`which command? See tenon --help`);
    terminal.print(help);
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw unknownCommand(name);
  const command = await entry.load();
  const given = readOptions(args.slice(at + 1), {
    ...command.options,
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true || given['help'] === true) {
    terminal.print(command.help);
    return 0;
  }
  return command.run(given, terminal);
}

function readOptions(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}. See tenon --help`);
  }
}

function unknownCommand(name: string): UsageError {
  const meant = suggest(name, Object.keys(commands));
  const hint = meant === undefined ? '.' : `; did you mean ${JSON.stringify(meant)}?`;
  return new UsageError(`there is no command ${JSON.stringify(name)}${hint} See tenon --help`);
}
