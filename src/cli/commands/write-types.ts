/** `tenon types`: a TypeScript file that types the calls of a server's tools. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, TenonError } from '../../basics/failure.ts';
import { fingerprintOf } from '../../client/catalogue.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { checkReplaceable } from '../output-file.ts';
import { count, plainLine } from '../print.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type ListedTools, listTools, serverOptions } from '../server/list-tools.ts';
import type { Terminal } from '../terminal.ts';
import { type CatalogueFile, writeCatalogueFile } from './write-types/catalogue-file.ts';
import { pascalCase } from './write-types/type-text.ts';

const see = 'tenon types';

const help = `Usage: tenon types <server> [options]
       tenon types [options] -- command [arguments]

Writes a TypeScript file that types the calls of a server's tools:
  import { files } from './files.ts';
  const client = await connect(target, { catalogue: files });

<server> is a URL, or a name from .mcp.json here or from the files of
well-known editors.

Options:
  -h, --help       Show this
  --out <file>     Write there, instead of to standard output
  --check          Write nothing; fail when --out is not what would be written
  --name <Name>    The interface's name; the constant's has a small letter;
                   what the server calls itself unless given
  --config <file>  Look for <server> there alone
  --file <file>    Read a saved answer to tools/list instead of asking a server
  --timeout <s>    Seconds to wait for the server; 60 for a start unless given
  --json           Print what was made as JSON

Exit codes: 0 done, 1 failed or changed, 2 wrong use, 130 interrupted.`;

/** As `writeCatalogueFile` begins it. */
const replaceable = { begins: /^\uFEFF?\/\/ Written by `tenon types`/, called: 'what tenon types writes' };

export const typesCommand: Command = {
  help,
  options: {
    ...serverOptions,
    out: { type: 'string' },
    name: { type: 'string' },
    check: { type: 'boolean' },
  },
  operands: { most: 1, commandLine: true },
  run(given, terminal) {
    checkUse(given);
    return runInterruptible(async signal => {
      const listed = await listTools(see, given, terminal, signal);
      for (const { message } of listed.notes) terminal.warn(plainLine(message));
      return deliver(given, listed, terminal);
    });
  },
};

function checkUse({ values }: Given): void {
  const { out, name, check } = values;
  if (check === true && out === undefined) {
    throw new UsageError(`--check needs --out, the file to compare with. ${seeHelp(see)}`);
  }
  if (out === '') throw new UsageError(`--out must name a file. ${seeHelp(see)}`);
  if (typeof name === 'string' && !/^[A-Z][A-Za-z0-9]*$/.test(name)) {
    throw new UsageError(
      `--name must be a capital followed by letters and digits, got ${JSON.stringify(name)}. ${seeHelp(see)}`,
    );
  }
}

function deliver({ values }: Given, listed: ListedTools, terminal: Terminal): number {
  const { name: wanted, out, check, json } = values;
  const { tools } = listed;
  const made = writeCatalogueFile(typeof wanted === 'string' ? wanted : nameFor(listed), tools);
  const file = typeof out === 'string' ? out : undefined;
  const changed = file === undefined ? undefined : readIfThere(file) !== made.text;
  if (file !== undefined && changed === true && check !== true) {
    checkReplaceable('--out', file, replaceable);
    write(file, made.text);
  }
  if (json === true) {
    terminal.print(JSON.stringify(dataOf(listed, made, file, changed), null, 2));
  } else if (file === undefined) {
    terminal.print(made.text.trimEnd());
  } else {
    terminal.warn(`${file}: ${outcome(changed === true, check === true)} (${count(tools.length, 'tool')})`);
  }
  return check === true && changed === true ? 1 : 0;
}

function outcome(changed: boolean, check: boolean): string {
  if (!changed) return 'up to date';
  return check ? 'not what the server lists now; write it anew without --check' : 'written';
}

function dataOf(
  { server, tools }: ListedTools,
  { text, interfaceName, constantName }: CatalogueFile,
  file: string | undefined,
  changed: boolean | undefined,
): object {
  const fingerprints = Object.fromEntries(tools.map(tool => [tool.name, fingerprintOf(tool)]));
  return { server, interface: interfaceName, constant: constantName, file, changed, fingerprints, text };
}

/** What a configuration or a saved list is called; else what the server calls itself. */
function nameFor({ name, server }: ListedTools): string {
  return pascalCase(server === undefined ? name : server.name) || pascalCase(name);
}

function readIfThere(file: string): string | undefined {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined;
  } catch (error) {
    throw new TenonError(`--out: ${messageOf(error)}`, { cause: error });
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new TenonError(`--out: cannot write ${resolve(file)}: ${messageOf(error)}`, { cause: error });
  }
}
