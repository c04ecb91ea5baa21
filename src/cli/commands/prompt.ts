/** `tenon prompt`: what a prompt of a server says, with its arguments filled in. */
import type { PromptResult } from '../../client/read-results.ts';
import type { PromptListing } from '../../protocol/listings.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { suggest } from '../../schema/suggest.ts';
import { seeHelp } from '../arguments.ts';
import { askMissing, missingNames } from '../asking/ask-missing.ts';
import { readTexts } from '../asking/pairs.ts';
import { answeringOptions, useAnswering } from '../asking/use-answering.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { folderOf, printBlock } from '../content/print-content.ts';
import { findNamed } from '../listing/find-named.ts';
import { needWord, splitServer } from '../server/operands.ts';
import type { Terminal } from '../terminal.ts';

const see = 'tenon prompt';

const help = `Usage: tenon prompt <server> <prompt> [name=value …] [options]
       tenon prompt <prompt> [name=value …] [options] -- command [arguments]

Prints the messages of a prompt. Values are texts. On a terminal, what is
missing is asked for. tenon prompts lists the prompts.

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

export const promptCommand: Command = {
  help,
  options: answeringOptions,
  operands: { most: Number.POSITIVE_INFINITY, commandLine: true },
  run(given, screen) {
    const operands = splitServer(given);
    const name = needWord(operands, `which prompt? tenon prompts lists them. ${seeHelp(see)}`);
    const typed = readTexts(operands.rest.slice(1));
    return useAnswering({ see, server: operands.server, screen }, async (used, signal) => {
      const { client, asker, terminal } = used;
      const prompts = await client.prompts({ signal }).all();
      const prompt = findNamed(prompts, name, 'prompt', 'tenon prompts');
      const schema = schemaOf(prompt);
      const args = asker === undefined ? typed : await askMissing(asker, schema, typed, signal);
      checkNames(prompt, schema, args);
      // Each was typed as a text, or asked for as one.
      const texts = args as Readonly<Record<string, string>>;
      deliver(given, prompt.name, await client.prompt(prompt.name, texts, { signal }), terminal);
      return 0;
    });
  },
};

/** Its arguments as a schema, so that they are asked for like those of a tool. */
function schemaOf({ arguments: args = [] }: PromptListing): JsonSchemaObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      args.map(({ name, title, description }) => [name, { type: 'string', title, description }]),
    ),
    required: args.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function checkNames(
  { name, arguments: args = [] }: PromptListing,
  schema: JsonSchemaObject,
  given: Readonly<Record<string, unknown>>,
): void {
  const known = args.map(each => each.name);
  const unknown = Object.keys(given).find(key => !known.includes(key));
  if (unknown !== undefined) {
    const meant = suggest(unknown, known);
    const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
    throw new UsageError(`the prompt ${name} takes no ${JSON.stringify(unknown)}${hint}`);
  }
  const [missing] = missingNames(schema, given);
  if (missing !== undefined) throw new UsageError(`the prompt ${name} needs ${missing}=…`);
}

function deliver({ values }: Given, name: string, result: PromptResult, terminal: Terminal): void {
  if (values['json'] === true) {
    terminal.print(JSON.stringify(result, null, 2));
    return;
  }
  const place = { terminal, folder: folderOf(values), name };
  for (const { role, content } of result.messages) {
    terminal.print(terminal.paint('bold', `${role}:`));
    printBlock(content, place);
  }
  if (result.messages.length === 0) terminal.warn('the prompt says nothing');
}
