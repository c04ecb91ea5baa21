/** `tenon call`: calls a tool of a server from the shell. */
import { systemClock } from '../../basics/clock.ts';
import type { CallToolResult } from '../../client/call-result.ts';
import type { Client } from '../../client/client.ts';
import type { Progress } from '../../rpc/inflight.ts';
import { seeHelp } from '../arguments.ts';
import { askMissing } from '../asking/ask-missing.ts';
import { answeringOptions, useAnswering } from '../asking/use-answering.ts';
import type { Command, Given } from '../command.ts';
import { type ContentPlace, folderOf, printBlock, shownText } from '../content/print-content.ts';
import { findNamed } from '../listing/find-named.ts';
import { indentRest, plainLine } from '../print.ts';
import { rememberTools } from '../server/known-tools.ts';
import { needWord, splitServer } from '../server/operands.ts';
import { showProgress } from '../server/progress.ts';
import type { Terminal } from '../terminal.ts';
import { checkArguments } from './call/check-arguments.ts';
import { takeArguments, typeArguments } from './call/given-arguments.ts';

const see = 'tenon call';

const help = `Usage: tenon call <server> <tool> [name=value …] [options]
       tenon call <tool> [name=value …] [options] -- command [arguments]

Calls a tool. A value is read as the tool's schema wants it; objects and lists
are JSON, and a name may come again for a list. On a terminal, what is missing
is asked for, and so is what the server asks. Bytes are saved as files.

<server> is a URL, or a name from .mcp.json here or from editors' files.

Options:
  -h, --help          Show this
  --args <json>       The arguments as JSON; name=value goes over them
  --args-file <file>  The same from a file; - (alone, too) is standard input
  --out <folder>      Where files go; this folder unless given
  --config <file>     Look for <server> there alone
  --timeout <s>       Seconds to wait for the server and for the tool
  --record <file>     Write all messages there, for tenon trace
  --json              Print the result as JSON; saves no files

Exit codes: 0 done, 1 failed, also when the tool says so, 2 wrong use or
arguments that do not fit, 130 interrupted.`;

export const callCommand: Command = {
  help,
  options: { ...answeringOptions, args: { type: 'string' }, 'args-file': { type: 'string' } },
  operands: { most: Number.POSITIVE_INFINITY, commandLine: true },
  run(given, screen) {
    const operands = splitServer(given);
    const name = needWord(operands, `which tool? tenon tools lists them. ${seeHelp(see)}`);
    const typed = takeArguments(operands.rest.slice(1), given);
    const { usesInput } = typed;
    return useAnswering({ see, server: operands.server, screen, usesInput }, async (used, signal) => {
      const { client, asker, terminal } = used;
      const tools = await client.tools({ signal }).all();
      rememberTools(operands.server, tools);
      const tool = findNamed(tools, name, 'tool', 'tenon tools');
      const known = typeArguments(typed, tool.inputSchema);
      const args = asker === undefined ? known : await askMissing(asker, tool.inputSchema, known, signal);
      await checkArguments(tool, args, terminal.warn);
      const result = await callTool(client, tool.name, args, terminal, signal);
      return deliver(given, tool.name, result, terminal);
    });
  },
};

async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<CallToolResult> {
  let latest = plainLine(`calling ${name}`);
  const stop = showProgress(terminal, () => latest, systemClock);
  const onProgress = (progress: Progress): void => {
    latest = plainLine(`${name}: ${tellProgress(progress)}`);
    terminal.status(latest);
  };
  try {
    return await client.call(name, args, { signal, onProgress });
  } finally {
    stop();
  }
}

/** How far it is, and what the server says of it. */
function tellProgress({ progress, total, message }: Progress): string {
  const isShare = typeof total === 'number' && total > 0;
  const done = isShare ? `${Math.min(Math.floor((100 * progress) / total), 100)}%` : String(progress);
  return message === undefined ? done : `${done} ${message}`;
}

function deliver({ values }: Given, name: string, result: CallToolResult, terminal: Terminal): number {
  const { content, structuredContent, isError } = result;
  if (values['json'] === true) {
    terminal.print(JSON.stringify(result, null, 2));
    return isError ? 1 : 0;
  }
  // What a failed tool says is no output.
  const print = isError ? (text: string) => terminal.warn(`  ${indentRest(text)}`) : terminal.print;
  const place: ContentPlace = { terminal: { print, warn: terminal.warn }, folder: folderOf(values), name };
  if (isError) terminal.warn(plainLine(`${name} failed:`));
  for (const block of content) printBlock(block, place);
  if (content.length === 0 && structuredContent !== undefined) {
    print(shownText(JSON.stringify(structuredContent, null, 2)));
  }
  return isError ? 1 : 0;
}
