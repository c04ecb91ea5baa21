/** Looks at what an open server offers: its capabilities, its lists, and its tools' schemas at each family of providers. */
import type { Client } from '../../../client/client.ts';
import { familyNames } from '../../../projection/families.ts';
import { count } from '../../print.ts';
import { type ProjectionReport, reportProjection } from '../lint/projection-report.ts';
import { examineLists, type OfferLook } from './examine-lists.ts';
import { atMost, type Finding } from './report.ts';

/** Rejects only with the signal's reason. */
export async function examineOffer(client: Client, look: OfferLook): Promise<void> {
  const { steps } = look;
  steps.note('capabilities', { details: describeCapabilities(client) });
  const tools = await examineLists(client, look);
  if (tools === undefined || tools.length === 0) return;
  steps.begin('schemas');
  const report = reportProjection(tools, familyNames);
  const findings = dropsOf(report);
  steps.end({ details: report.families.map(describeFamily), findings: atMost(findings) });
}

function describeCapabilities({ capabilities, instructions }: Client): string[] {
  const names = Object.keys(capabilities);
  return [
    names.length === 0 ? 'none' : names.join(', '),
    ...(instructions === undefined ? [] : [`instructions of ${count(instructions.length, 'character')}`]),
  ];
}

/** Tools that some family cannot be offered, each once with the families that have the same reason. */
function dropsOf({ tools }: ProjectionReport): Finding[] {
  const drops = new Map<string, { tool: string; reason: string; families: string[] }>();
  for (const { tool, family, dropped: reason } of tools) {
    if (reason === undefined) continue;
    const key = JSON.stringify([tool, reason]);
    const drop = drops.get(key) ?? { tool, reason, families: [] };
    drop.families.push(family);
    drops.set(key, drop);
  }
  return [...drops.values()].map(({ tool, reason, families }) => {
    const whom = families.length === familyNames.length ? 'any provider' : families.join(', ');
    return {
      code: 'bad-schema',
      cause: `the tool ${JSON.stringify(tool)} cannot be offered to models of ${whom}: ${reason}`,
      remedy: 'Mend its inputSchema in the server; tenon lint says for each provider what becomes of it.',
    };
  });
}

function describeFamily({
  family,
  offered,
  renamed,
  changed,
  tokens,
}: ProjectionReport['families'][number]): string {
  const facts = [
    `${offered} offered`,
    ...(renamed > 0 ? [`${renamed} renamed`] : []),
    ...(changed > 0 ? [`${changed} with losses`] : []),
    `about ${count(tokens, 'token')}`,
  ];
  return `${family}: ${facts.join(', ')}`;
}
