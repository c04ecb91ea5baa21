/** `tenon lint`: what becomes of a server's tools at each family of model providers. */

import { familyNames } from '../../projection/families.ts';
import type { FamilyName } from '../../projection/family.ts';
import { suggest } from '../../schema/suggest.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { count, plainLine } from '../print.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type ListedTools, listTools, serverOptions } from '../server/list-tools.ts';
import type { Terminal } from '../terminal.ts';
import { describeProjection, type ProjectionReport, reportProjection } from './lint/projection-report.ts';

const see = 'tenon lint';

const help = `Usage: tenon lint <server> [options]
       tenon lint [options] -- command [arguments]

Says what becomes of a server's tools at each family of model providers: the
name that each tool gets, what its schema loses, which tools cannot be offered
and why, and about how many tokens the definitions take.

<server> is a URL, or a name from .mcp.json here or from the files of
well-known editors.

Options:
  -h, --help       Show this
  --family <name>  Ask for one family alone; may be repeated. One of
                   ${familyNames.join(', ')}
  --config <file>  Look for <server> there alone
  --file <file>    Read a saved answer to tools/list instead of asking a server
  --timeout <s>    Seconds to wait for the server; 60 for a start unless given
  --json           Print the report as JSON

Exit codes: 0 every tool can be offered, 1 a tool is dropped or something
failed, 2 wrong use, 130 interrupted.`;

export const lintCommand: Command = {
  help,
  options: { ...serverOptions, family: { type: 'string', multiple: true } },
  operands: { most: 1, commandLine: true },
  run(given, terminal) {
    const families = readFamilies(given);
    return runInterruptible(async signal => {
      const listed = await listTools(see, given, terminal, signal);
      const report = reportProjection(listed.tools, families);
      if (given.values['json'] === true) terminal.print(JSON.stringify(dataOf(listed, report), null, 2));
      else terminal.print(describe(listed, report, terminal));
      const unlisted = listed.notes.some(({ kind }) => kind === 'tool-dropped');
      return unlisted || report.families.some(({ dropped }) => dropped > 0) ? 1 : 0;
    });
  },
};

function readFamilies({ values: { family } }: Given): readonly FamilyName[] {
  const wanted = Array.isArray(family) ? family.flatMap(each => String(each).split(',')) : [];
  const unknown = wanted.find(each => !(familyNames as readonly string[]).includes(each));
  if (unknown !== undefined) {
    const meant = suggest(unknown, familyNames);
    const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
    throw new UsageError(`there is no family ${JSON.stringify(unknown)}${hint} ${seeHelp(see)}`);
  }
  return wanted.length === 0 ? familyNames : familyNames.filter(each => wanted.includes(each));
}

function dataOf({ name, server, notes }: ListedTools, report: ProjectionReport): object {
  return { name, server, notes, ...report };
}

function describe(
  { name, server, tools, notes }: ListedTools,
  report: ProjectionReport,
  terminal: Terminal,
): string {
  const title = server === undefined ? name : `${server.name} ${server.version}`;
  return [
    `${plainLine(title)}: ${count(tools.length, 'tool')}`,
    ...notes.map(({ message }) => `  ${terminal.paint('yellow', 'note')}: ${plainLine(message)}`),
    ...describeProjection(report, (style, text) => terminal.paint(style, text)),
  ].join('\n');
}
