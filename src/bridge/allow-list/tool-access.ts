/** Whether a tool of a server may be used, and under which rules: default deny, read-only unless said; pure. */
import { matchesGlob } from '../toolset/glob.ts';
import type { ServedTool } from '../toolset/served-tool.ts';
import type { ApprovalRule, ArgumentRule, ServerAccess, ToolRule } from './config.ts';

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

/** What holds for one tool. */
export interface JoinedRule extends Omit<ToolRule, 'arguments'> {
  readonly approval: ApprovalRule;
  /** By name; a name may stand there more than once, and all of it holds. */
  readonly arguments: readonly (readonly [name: string, rule: ArgumentRule])[];
}

/**
 * All rules that fit. Of numbers and words the later one holds; pins are joined by name, the later one first; what
 * arguments may be and what is hidden adds up, so that no rule takes back the guard of another.
 */
export function ruleOf(tool: Judged, access: ServerAccess): JoinedRule {
  const fitting = rulesFor(tool, access).map(([, rule]) => rule);
  const { timeout } = access;
  const joined: ToolRule = Object.assign(timeout === undefined ? {} : { timeout }, ...fitting);
  const pins = fitting.flatMap(({ pin = {} }) => Object.entries(pin));
  const hidden = [...new Set(fitting.flatMap(({ hide = [] }) => hide))];
  return {
    ...joined,
    ...(pins.length > 0 ? { pin: Object.fromEntries(pins) } : {}),
    ...(hidden.length > 0 ? { hide: hidden } : {}),
    arguments: fitting.flatMap(rule => Object.entries(rule.arguments ?? {})),
    approval: joined.approval ?? access.approval ?? usualApproval(tool, access),
  };
}

/** Those that fit, in their order. */
function rulesFor(
  { name }: Pick<Judged, 'name'>,
  { rules = {} }: ServerAccess,
): readonly (readonly [pattern: string, rule: ToolRule])[] {
  return Object.entries(rules).filter(([pattern]) => matchesGlob(pattern, name));
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
