/** `tenon resources`: what resources a server has, and which families of them. */
import type { ResourceListing, ResourceTemplateListing } from '../../protocol/listings.ts';
import type { Command } from '../command.ts';
import { type ListLine, printLines } from '../listing/list-lines.ts';
import { firstSentence } from '../listing/signature.ts';
import { plainLine } from '../print.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { useServer } from '../server/use-server.ts';

const see = 'tenon resources';

const help = `Usage: tenon resources <server> [options]
       tenon resources [options] -- command [arguments]

Lists the resources of a server, one to a line: its address, its type, and the
first sentence of what it is. Addresses with {names} are families; fill the
names in. Read one with tenon read.

<server> is a URL, or a name from .mcp.json here or from the files of
well-known editors.

Options:
  -h, --help       Show this
  --config <file>  Look for <server> there alone
  --timeout <s>    Seconds to wait for the server; 60 for a start unless given
  --json           Print the whole list as JSON

Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted.`;

export const resourcesCommand: Command = {
  help,
  options: { config: { type: 'string' }, timeout: { type: 'string' }, json: { type: 'boolean' } },
  operands: { most: 1, commandLine: true },
  run(given, terminal) {
    return runInterruptible(signal =>
      useServer({ see, given, terminal, signal }, async ({ client, notes }) => {
        const { name, version } = client.server;
        const resources = await client.resources({ signal }).all();
        const templates = await client.resourceTemplates({ signal }).all();
        if (given.values['json'] === true) {
          const server = { name, version };
          terminal.print(JSON.stringify({ server, resources, templates, notes }, null, 2));
          return 0;
        }
        const lines = [
          ...resources.map(resource => lineOf(resource.uri, resource)),
          ...templates.map(template => lineOf(template.uriTemplate, template)),
        ];
        printLines({ title: `${name} ${version}`, noun: 'resource', lines, notes }, terminal);
        return 0;
      }),
    );
  },
};

function lineOf(
  address: string,
  { name, title, description, mimeType }: ResourceListing | ResourceTemplateListing,
): ListLine {
  const type = typeof mimeType === 'string' ? `  ${plainLine(mimeType)}` : '';
  return { name: address, signature: type, about: firstSentence(description ?? title ?? name) };
}
