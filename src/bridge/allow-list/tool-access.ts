/** Whether a tool of a server may be used, and under which rules: default deny, read-only unless said; pure. */
import { matchesGlob } from '../toolset/glob.ts';
import type { ServedTool } from '../toolset/served-tool.ts';
import type { ApprovalRule, ServerAccess, ToolRule } from './config.ts';

/** What of a tool decides. */
type Judged = Pick<ServedTool, 'name' | 'annotations'>;

export function isWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/**
 * The last pattern that fits decides. A name lets its tool in, whatever it does. A pattern with `*` or `?` lets in what
 * only reads: by its annotations where these are trusted, else by the name that the operator wrote before the star.
 */
export function isAllowed(tool: Judged, access: ServerAccess): boolean {
  const fitting = access.allow.filter(pattern => matchesGlob(pattern.replace(/^!/, ''), tool.name)).at(-1);
  if (fitting === undefined || fitting.startsWith('!')) return false;
  const { readOnly = true, trustAnnotations = false } = access;
  const reads = !isWildcard(fitting) || !readOnly || !trustAnnotations || saysItReads(tool);
  return reads && ruleOf(tool, access).approval !== 'deny';
}

/** All rules that fit, later ones before earlier ones, member by member; with the approval that holds in the end. */
export function ruleOf(tool: Judged, access: ServerAccess): ToolRule & { readonly approval: ApprovalRule } {
  const fitting = Object.entries(access.rules ?? {}).filter(([pattern]) => matchesGlob(pattern, tool.name));
  const { timeout } = access;
  const joined: ToolRule = Object.assign(
    timeout === undefined ? {} : { timeout },
    ...fitting.map(([, rule]) => rule),
  );
  return { ...joined, approval: joined.approval ?? access.approval ?? usualApproval(tool, access) };
}

/** Nobody agreed to a tool that may write and that no name or rule speaks of. */
function usualApproval(tool: Judged, access: ServerAccess): ApprovalRule {
  const { allow, readOnly = true, trustAnnotations = false } = access;
  const isNamed = allow.includes(tool.name);
  if (isNamed || readOnly || (trustAnnotations && saysItReads(tool))) return 'never';
  return 'ask';
}

function saysItReads({ annotations }: Judged): boolean {
  return annotations?.readOnlyHint === true;
}
