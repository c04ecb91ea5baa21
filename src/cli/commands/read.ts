/** `tenon read`: what a resource of a server holds. */
import { seeHelp } from '../arguments.ts';
import { answeringOptions, useAnswering } from '../asking/use-answering.ts';
import { type Command, UsageError } from '../command.ts';
import { folderOf, printResource } from '../content/print-content.ts';
import { needWord, splitServer } from '../server/operands.ts';

const see = 'tenon read';

const help = `Usage: tenon read <server> <uri> [options]
       tenon read <uri> [options] -- command [arguments]

Prints what a resource holds. Text is printed; bytes are saved as files, whose
names are printed. tenon resources lists the addresses.

<server> is a URL, or a name from .mcp.json here or from the files of
well-known editors.

Options:
  -h, --help       Show this
  --out <folder>   Where files go; this folder unless given
  --config <file>  Look for <server> there alone
  --timeout <s>    Seconds to wait for the server; 60 for a start unless given
  --record <file>  Write all messages there, for tenon trace
  --json           Print the whole answer as JSON; saves no files

Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted.`;

export const readCommand: Command = {
  help,
  options: answeringOptions,
  operands: { most: 2, commandLine: true },
  run(given, screen) {
    const operands = splitServer(given);
    const uri = needWord(operands, `which resource? tenon resources lists them. ${seeHelp(see)}`);
    const extra = operands.rest[1];
    if (extra !== undefined) {
      throw new UsageError(
        `${see} reads one resource, so ${JSON.stringify(extra)} is too many. ${seeHelp(see)}`,
      );
    }
    const { values } = given;
    return useAnswering({ see, server: operands.server, screen }, async ({ client, terminal }, signal) => {
      const result = await client.read(uri, { signal });
      if (values['json'] === true) {
        terminal.print(JSON.stringify(result, null, 2));
        return 0;
      }
      const place = { terminal, folder: folderOf(values), name: nameIn(uri) };
      for (const contents of result.contents) printResource(contents, place);
      if (result.contents.length === 0) terminal.warn('the resource holds nothing');
      return 0;
    });
  },
};

/** The last part of the path. */
function nameIn(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}
