/** What becomes of a list of tools at families of providers: gathered as data, and as lines to read. */
import { estimateTokens } from '../../../bridge/toolset/definition-size.ts';
import type { FamilyName } from '../../../projection/family.ts';
import { lintTools, type ToolReport } from '../../../projection/lint-tools.ts';
import { projectTools } from '../../../projection/project-tools.ts';
import type { ToolListing } from '../../../protocol/tool-listing.ts';
import { count, plainLine } from '../../print.ts';
import type { Terminal } from '../../terminal.ts';

export interface FamilySummary {
  readonly family: FamilyName;
  readonly offered: number;
  readonly dropped: number;
  readonly renamed: number;
  /** Tools of whose schema something is lost. */
  readonly changed: number;
  /** About how many tokens the definitions take in each request. */
  readonly tokens: number;
}

export interface ProjectionReport {
  readonly families: readonly FamilySummary[];
  /** One for each tool and family, tool by tool. */
  readonly tools: readonly ToolReport[];
}

/** Projects the tools to each family. */
export function reportProjection(
  tools: readonly ToolListing[],
  families: readonly FamilyName[],
): ProjectionReport {
  const definitions = tools.map(({ name, description = '', inputSchema }) => {
    return { name, description, parameters: inputSchema };
  });
  const reports = lintTools(definitions, families);
  const summaries = families.map(family => {
    const own = reports.filter(report => report.family === family);
    const dropped = own.filter(report => report.dropped !== undefined).length;
    const sizes = projectTools(definitions, family).tools.map(estimateTokens);
    return {
      family,
      offered: own.length - dropped,
      dropped,
      renamed: own.filter(report => report.renamed !== undefined).length,
      changed: own.filter(report => report.losses.length > 0).length,
      tokens: sizes.reduce((sum, size) => sum + size, 0),
    };
  });
  return { families: summaries, tools: reports };
}

type Paint = Terminal['paint'];

/** The report for people: a line for each family, and under it a few for each tool that does not go as it is. */
export function describeProjection({ families, tools }: ProjectionReport, paint: Paint): string[] {
  return families.flatMap(summary => {
    const own = tools.filter(report => report.family === summary.family);
    return ['', describeFamily(summary, paint), ...own.flatMap(report => describeTool(report, paint))];
  });
}

function describeFamily(
  { family, offered, dropped, renamed, changed, tokens }: FamilySummary,
  paint: Paint,
): string {
  const facts = [
    `${offered} offered`,
    dropped > 0 ? paint('red', `${dropped} dropped`) : '0 dropped',
    ...(renamed > 0 ? [`${renamed} renamed`] : []),
    ...(changed > 0 ? [`${changed} with losses`] : []),
    `about ${count(tokens, 'token')}`,
  ];
  return `${paint('bold', family)}: ${facts.join(', ')}`;
}

function describeTool({ tool, alias, renamed, dropped, losses }: ToolReport, paint: Paint): string[] {
  const lines = [
    ...(dropped === undefined ? [] : [`    ${paint('red', 'dropped')}: ${plainLine(dropped)}`]),
    ...(renamed === undefined ? [] : [`    called ${plainLine(alias ?? '')}: ${plainLine(renamed)}`]),
    ...losses.map(({ path, keyword, message }) => {
      const where = path === '' ? '' : `${plainLine(path)} `;
      return `    ${paint('dim', `${where}${keyword}`)}: ${plainLine(message)}`;
    }),
  ];
  return lines.length === 0 ? [] : [`  ${plainLine(tool)}`, ...lines];
}
