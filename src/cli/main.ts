/** Picks the command, reads its options and gives the exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted. */
import { version } from '../basics/version.ts';
import { suggest } from '../schema/suggest.ts';
import { readGiven, readOptions } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { describeFailure, formatColumns } from './print.ts';
import type { Terminal } from './terminal.ts';

interface Entry {
  readonly summary: string;
  /** Loaded when it is asked for, so that no command pays for another. */
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  call: {
    summary: 'Call a tool of a server',
    load: async () => (await import('./commands/call.ts')).callCommand,
  },
  chat: {
    summary: 'Talk with a model that has the tools of servers',
    load: async () => (await import('./commands/chat.ts')).chatCommand,
  },
  doctor: {
    summary: 'Say what goes wrong with a server, and what mends it',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  lint: {
    summary: "Say what becomes of a server's tools at each family of model providers",
    load: async () => (await import('./commands/lint.ts')).lintCommand,
  },
  prompt: {
    summary: 'Print what a prompt of a server says',
    load: async () => (await import('./commands/prompt.ts')).promptCommand,
  },
  prompts: {
    summary: 'List the prompts of a server',
    load: async () => (await import('./commands/prompts.ts')).promptsCommand,
  },
  proxy: {
    summary: 'Serve a server to clients that could not use it: over HTTP, over stdio, in every era',
    load: async () => (await import('./commands/proxy.ts')).proxyCommand,
  },
  read: {
    summary: 'Print what a resource of a server holds',
    load: async () => (await import('./commands/read.ts')).readCommand,
  },
  resources: {
    summary: 'List the resources of a server',
    load: async () => (await import('./commands/resources.ts')).resourcesCommand,
  },
  run: {
    summary: 'Let a model work on a prompt with the tools of servers',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  serve: {
    summary: 'Serve patterns, agents, and what they may use of other servers, as MCP tools',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  tools: {
    summary: 'List the tools of a server',
    load: async () => (await import('./commands/tools.ts')).toolsCommand,
  },
  trace: {
    summary: 'Show a recording as text, or as a page for a browser',
    load: async () => (await import('./commands/trace.ts')).traceCommand,
  },
  types: {
    summary: "Write a TypeScript file that types the calls of a server's tools",
    load: async () => (await import('./commands/write-types.ts')).typesCommand,
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
  const values = readOptions(before, { version: { type: 'boolean', short: 'v' } });
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
