/** Which tools of one server can be taken over, and how: filtered, checked, adjusted; each on its own. */
import { messageOf } from '../../basics/failure.ts';
import { sketch } from '../../basics/sketch.ts';
import type { Client } from '../../client/client.ts';
import type { ToolListing } from '../../protocol/tool-listing.ts';
import { compileSchema } from '../../schema/compile.ts';
import { schemaFault } from '../../schema/schema-error.ts';
import { definitionText } from './definition-hash.ts';
import { type HeldArguments, holdArguments } from './held-arguments.ts';
import { addressOf, type DroppedTool, type ServedTool } from './served-tool.ts';
import {
  type AppliedAdjustment,
  adjustmentOf,
  type ToolAdjustment,
  type ToolAdjustments,
} from './tool-adjustment.ts';
import type { ToolTest } from './tool-filter.ts';

/** A tool that can be offered once it has a name. */
export interface Candidate {
  readonly served: ServedTool;
  readonly address: string;
  /** Its definition as the server gives it. */
  readonly text: string;
  readonly adjustment: AppliedAdjustment;
  /** What the model reads. */
  readonly description: string;
  readonly held: HeldArguments;
  readonly needsApproval: boolean;
  /** Shown whatever the budget of definitions. */
  readonly isKept: boolean;
}

export interface CandidateFacts {
  readonly filter: ToolTest;
  readonly needsApproval: ToolTest;
  readonly alwaysShow: ToolTest;
  readonly adjust: ToolAdjustments | undefined;
  readonly maxTools: number;
}

export interface Candidates {
  readonly tools: readonly Candidate[];
  readonly dropped: readonly DroppedTool[];
  /** Why not all that could be offered is here; absent when it is. */
  readonly cut?: string;
}

/** `before`: those of the last list, by address; one whose definition is the same stays the same object. */
export function findCandidates(
  client: Client,
  server: string,
  list: readonly ToolListing[],
  before: ReadonlyMap<string, Candidate>,
  facts: CandidateFacts,
): Candidates {
  const tools: Candidate[] = [];
  const dropped: DroppedTool[] = [];
  let surplus = 0;
  for (const listing of list) {
    const served: ServedTool = { ...listing, server };
    try {
      if (!facts.filter(served, client)) continue;
      if (tools.length >= facts.maxTools) surplus += 1;
      else tools.push(toCandidate(served, client, before, facts));
    } catch (error) {
      dropped.push({ server, tool: listing.name, reason: schemaFault(error) });
    }
  }
  if (surplus === 0) return { tools, dropped };
  const cut = `only the first ${facts.maxTools} tools of a server are taken over ("maxTools"); ${surplus} more are not`;
  return { tools, dropped: [...dropped, { server, tool: '*', reason: cut }], cut };
}

function toCandidate(
  served: ServedTool,
  client: Client,
  before: ReadonlyMap<string, Candidate>,
  { needsApproval, alwaysShow, adjust }: CandidateFacts,
): Candidate {
  const address = addressOf(served);
  const text = readDefinition(served);
  const known = before.get(address);
  if (known?.text === text) return known;
  compileSchema(served.inputSchema, { root: 'object' });
  const adjustment = adjustmentOf(served, adjust);
  const held = holdArguments(served.inputSchema, adjustment, adjustment.isGeneral);
  // Without an argument that it refers to, a schema may be another than was checked.
  if (held.schema !== served.inputSchema) compileSchema(held.schema, { root: 'object' });
  return {
    served,
    address,
    text,
    adjustment,
    description: describe(served, adjustment),
    held,
    needsApproval: adjustment.needsApproval ?? needsApproval(served, client),
    isKept: alwaysShow(served, client),
  };
}

function describe({ description = '' }: ServedTool, { describe: wanted }: ToolAdjustment): string {
  const given: unknown = typeof wanted === 'function' ? wanted(description) : (wanted ?? description);
  if (typeof given === 'string') return given;
  throw new TypeError(`"describe" must give a string, got ${sketch(given)}`);
}

function readDefinition(served: ServedTool): string {
  try {
    return definitionText(served);
  } catch (error) {
    throw new TypeError(`its definition cannot be read: ${messageOf(error)}`);
  }
}
