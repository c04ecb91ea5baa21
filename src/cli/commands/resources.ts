/** `tenon resources`: what resources a server has, and which families of them. */
import type { ResourceListing, ResourceTemplateListing } from '../../protocol/listings.ts';
import type { Command } from '../command.ts';
import { listCommand } from '../listing/list-command.ts';
import type { ListLine } from '../listing/list-lines.ts';
import { firstSentence } from '../listing/signature.ts';
import { plainLine } from '../print.ts';

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

export const resourcesCommand: Command = listCommand({
  see: 'tenon resources',
  help,
  noun: 'resource',
  async read(client, signal) {
    const resources = await client.resources({ signal }).all();
    const templates = await client.resourceTemplates({ signal }).all();
    const lines = [
      ...resources.map(resource => lineOf(resource.uri, resource)),
      ...templates.map(template => lineOf(template.uriTemplate, template)),
    ];
    return { lists: { resources, templates }, lines };
  },
});

function lineOf(
  address: string,
  { name, title, description, mimeType }: ResourceListing | ResourceTemplateListing,
): ListLine {
  const type = typeof mimeType === 'string' ? `  ${plainLine(mimeType)}` : '';
  return { name: address, signature: type, about: firstSentence(description ?? title ?? name) };
}
