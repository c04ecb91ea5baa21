/** What a configuration allows, as lines for whoever starts the server; no value that may hold a secret. */
import { basename } from 'node:path';
import type { AllowedServer, ServedConfig, ServerAccess } from '../../../bridge/allow-list/config.ts';
import type { ServerEntry } from '../../../bridge/allow-list/server-entry.ts';
import type { BudgetLimits } from '../../../patterns/budget/budget.ts';
import { plainLine } from '../../print.ts';
import { describeModel } from './offer-usual.ts';
import type { ReadFile } from './read-file.ts';

type Read = Extract<ReadFile, { ok: true }>;

/** `getUsual` gives the model of the environment, for what names none; without it, it is not looked at. */
export async function summarize(
  { file, config, models }: Read,
  getUsual?: () => Promise<{ readonly name: string }>,
): Promise<readonly string[]> {
  const named = Object.entries(config.models).map(([name, entry]) => {
    return `model ${name}: ${models.models.get(entry)?.name ?? entry.model}`;
  });
  const usual = getUsual === undefined ? '' : await describeModel(getUsual);
  return [
    `by ${file}`,
    ...(named.length > 0 ? named : [`model: that of the environment${usual}`]),
    ...Object.entries(config.servers).map(([name, server]) => describeServer(name, server)),
    ...(Object.keys(config.servers).length === 0 ? ['no server may be used'] : []),
    ...describeBudgets(config.budgets),
  ].map(line => `  ${plainLine(line)}`);
}

/** The names of the tools that a configuration has served. */
export function servedNames({ patterns, agents, pipes }: ServedConfig): readonly string[] {
  return [patterns, agents, pipes].flatMap(each => Object.keys(each));
}

/** The names of what is served, for people. */
export function namesOf(tools: readonly { readonly name: string }[]): string {
  const names = tools.map(({ name }) => name);
  const last = names.at(-1) ?? 'nothing';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

function describeServer(name: string, { entry, access }: AllowedServer): string {
  return `server ${name} (${placeOf(entry)}): ${describeAccess(access)}`;
}

/** Arguments and the rest of a URL may hold keys. */
function placeOf(entry: ServerEntry): string {
  return entry.transport === 'stdio' ? basename(entry.command) : new URL(entry.url).origin;
}

function describeAccess({
  allow,
  readOnly = true,
  trustAnnotations,
  approval,
  rules = {},
}: ServerAccess): string {
  const told = allow.map(pattern => {
    const rule = rules[pattern]?.approval ?? approval;
    return rule === undefined || rule === 'never' ? pattern : `${pattern} (${rule})`;
  });
  const notes = [
    ...(readOnly ? [] : ['also what writes']),
    ...(trustAnnotations === true ? ['its word is believed'] : []),
    ...Object.entries(rules)
      .filter(([pattern, rule]) => !allow.includes(pattern) && (rule.approval ?? 'never') !== 'never')
      .map(([pattern, rule]) => `${rule.approval}: ${pattern}`),
  ];
  return `${told.join(', ')}${notes.length === 0 ? '' : `; ${notes.join('; ')}`}`;
}

function describeBudgets({ call, process }: ServedConfig['budgets']): string[] {
  const told = [
    ...(call === undefined ? [] : [`a call ${describeLimits(call)}`]),
    ...(process === undefined ? [] : [`the process ${describeLimits(process)}`]),
  ];
  return [`budgets: ${told.length === 0 ? 'none, so nothing ends what callers spend' : told.join('; ')}`];
}

function describeLimits({ rates: _rates, ...limits }: BudgetLimits): string {
  return Object.entries(limits)
    .map(([name, limit]) => `${name} ${Number(limit).toLocaleString('en')}`)
    .join(', ');
}
