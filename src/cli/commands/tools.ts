/** `tenon tools`: what tools a server has. */
import type { Command } from '../command.ts';
import { printList } from '../listing/list-lines.ts';
import { argumentsOf, firstSentence } from '../listing/signature.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type ListedTools, listTools, serverOptions } from '../server/list-tools.ts';

const see = 'tenon tools';

const help = `Usage: tenon tools <server> [options]
       tenon tools [options] -- command [arguments]

Lists the tools of a server, one to a line: its name, what it takes, and the
first sentence of what it says of itself. Call one with tenon call.

<server> is a URL, or a name from .mcp.json here or from the files of
well-known editors.

Options:
  -h, --help       Show this
  --config <file>  Look for <server> there alone
  --file <file>    Read a saved answer to tools/list instead of asking a server
  --timeout <s>    Seconds to wait for the server; 60 for a start unless given
  --json           Print the whole list as JSON

Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted.`;

export const toolsCommand: Command = {
  help,
  options: serverOptions,
  operands: { most: 1, commandLine: true },
  run(given, terminal) {
    return runInterruptible(async signal => {
      const listed = await listTools(see, given, terminal, signal);
      const { server, tools, notes } = listed;
      const lines = tools.map(({ name, description, inputSchema }) => ({
        name,
        signature: `(${argumentsOf(inputSchema)})`,
        about: firstSentence(description),
      }));
      const title = titleOf(listed);
      printList({ title, server, lists: { tools }, noun: 'tool', lines, notes }, given, terminal);
      return 0;
    });
  },
};

function titleOf({ name, server }: ListedTools): string {
  return server === undefined ? name : `${server.name} ${server.version}`;
}
