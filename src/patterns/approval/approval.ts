/** What stands between a tool call and its run when somebody has to agree: the contract of the gate, and its checks. */
import { checkChoice, checkFunction, checkMilliseconds } from '../../basics/option-checks.ts';
import type { AnyTool } from '../../tools/tool.ts';

/** One call that waits for a decision. */
export interface ApprovalRequest {
  /** Its name. */
  readonly tool: string;
  /** After the check against the schema: the very value that the tool gets. Do not change it. */
  readonly arguments: unknown;
  /** The model's id of the call, as in trace events; known in `reactLoop` only. */
  readonly callId?: string | undefined;
  /** Aborts when the decision is no longer wanted: the run was cancelled, or the time for it is over. */
  readonly signal: AbortSignal;
}

/** Nothing but `true` or `allow: true` lets the tool run. The model reads the first 500 characters of `reason`. */
export type ApprovalDecision = boolean | { readonly allow: boolean; readonly reason?: string | undefined };

/** Asks whoever decides. What it throws keeps the tool from running, and is never shown to the model. */
export type AskApproval = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;

/** What happens when nobody decides in time. `approve` fails open: the tool runs although nobody agreed. */
export type ApprovalTimeout = 'deny' | 'raise' | 'approve';

export interface ApprovalOptions {
  readonly ask: AskApproval;
  /** Milliseconds for one decision, from when it is asked for; no limit unless set. */
  readonly timeout?: number | undefined;
  /** `deny` unless set. `raise` ends the whole run with a TimeoutError as the cause. */
  readonly onTimeout?: ApprovalTimeout | undefined;
  /**
   * Which tools need approval: their names, each of which must be there, or a function that is asked once per tool;
   * only those for which it says `false` do not. All unless set.
   */
  readonly tools?: readonly string[] | ((tool: AnyTool<never>) => boolean) | undefined;
  /** Ask for one decision after the other; calls of one round are asked about side by side unless set. */
  readonly sequential?: boolean | undefined;
}

/** Who decides whether a tool may run; a function is asked about every call and waited for without limit. */
export type Approval = AskApproval | ApprovalOptions;

/** Throws a TypeError that names the option which cannot be used. */
export function readApproval(where: string, field: string, approval: unknown): ApprovalOptions {
  if (typeof approval === 'function') return { ask: approval as AskApproval };
  const options = approval as Partial<ApprovalOptions> | null;
  if (typeof options !== 'object' || options === null || typeof options.ask !== 'function') {
    throw new TypeError(`${where}: ${field} must be a function, or an object with a function ask`);
  }
  checkMilliseconds(where, `${field}.timeout`, options.timeout);
  checkChoice(where, `${field}.onTimeout`, options.onTimeout, ['deny', 'raise', 'approve']);
  const { tools, sequential } = options;
  if (!Array.isArray(tools)) checkFunction(where, `${field}.tools`, tools, 'a list of names or a function');
  if (sequential !== undefined && typeof sequential !== 'boolean') {
    throw new TypeError(`${where}: ${field}.sequential must be true or false`);
  }
  return { ...options, ask: options.ask };
}

/** The tools that need approval. Throws a TypeError for a name that none has: a slip there would leave a tool unguarded. */
export function selectTools(
  where: string,
  all: readonly AnyTool<never>[],
  chosen: ApprovalOptions['tools'],
): ReadonlySet<AnyTool<never>> {
  if (chosen === undefined) return new Set(all);
  if (typeof chosen === 'function') return new Set(all.filter(tool => chosen(tool) !== false));
  for (const name of chosen) {
    if (all.some(tool => tool.name === name)) continue;
    const known = all.map(tool => tool.name).join(', ') || 'none';
    throw new TypeError(
      `${where}: approval is asked for the tool ${JSON.stringify(name)}, which is not there; the tools are: ${known}`,
    );
  }
  return new Set(all.filter(tool => chosen.includes(tool.name)));
}
