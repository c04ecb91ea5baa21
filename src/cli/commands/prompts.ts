/** `tenon prompts`: what prompts a server has. */
import type { Command } from '../command.ts';
import { listCommand } from '../listing/list-command.ts';
import { firstSentence, namesOf } from '../listing/signature.ts';

const help = `Usage: tenon prompts <server> [options]
       tenon prompts [options] -- command [arguments]

Lists the prompts of a server, one to a line: its name, what it takes (? marks
what may be left out), and the first sentence of what it is for. See what one
says with tenon prompt.

<server> is a URL, or a name from .mcp.json here or from the files of
well-known editors.

Options:
  -h, --help       Show this
  --config <file>  Look for <server> there alone
  --timeout <s>    Seconds to wait for the server; 60 for a start unless given
  --json           Print the whole list as JSON

Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted.`;

export const promptsCommand: Command = listCommand({
  see: 'tenon prompts',
  help,
  noun: 'prompt',
  async read(client, signal) {
    const prompts = await client.prompts({ signal }).all();
    const lines = prompts.map(prompt => ({
      name: prompt.name,
      signature: `(${namesOf(prompt.arguments)})`,
      about: firstSentence(prompt.description ?? prompt.title),
    }));
    return { lists: { prompts }, lines };
  },
});
