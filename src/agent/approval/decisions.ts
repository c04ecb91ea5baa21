/** What somebody decides about a tool call that needs approval, and how that is read. */
import { isObject } from '../../basics/json.ts';
import { excerpt } from '../../basics/redact.ts';
import { sketch } from '../../basics/sketch.ts';

/** A call that waits for a decision. */
export interface ToolApproval {
  readonly callId: string;
  readonly tool: string;
  /** After the check against the schema: the very value that the tool gets. Do not change it. */
  readonly arguments: unknown;
  /** Aborts when the decision is no longer wanted. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Nothing but `true` or `allow: true` lets the tool run. The model reads the first 500 characters of `reason`.
 * `arguments` take the place of the model's, which is not told; they must fit the tool's schema.
 */
export type ToolDecision =
  | boolean
  | { readonly allow: boolean; readonly reason?: string | undefined; readonly arguments?: unknown };

/** Decides in this process. What it throws keeps the tool from running and is never shown to the model. */
export type ApproveTool = (request: ToolApproval) => ToolDecision | Promise<ToolDecision>;

/** By the `id` of the pending call. */
export type Decisions = Readonly<Record<string, ToolDecision>>;

/** A decision as it was meant. */
export type Verdict =
  | { readonly allow: true; readonly arguments?: { readonly value: unknown } }
  | { readonly allow: false; readonly reason: string | undefined };

export function readDecision(decision: unknown): Verdict {
  if (decision === true) return { allow: true };
  if (!isObject(decision)) return { allow: false, reason: undefined };
  const { allow, reason } = decision;
  if (allow !== true) return { allow: false, reason: typeof reason === 'string' ? reason : undefined };
  const given = decision['arguments'];
  return given === undefined ? { allow } : { allow, arguments: { value: given } };
}

/** What the model reads about a call that was not approved. */
export function refusal(tool: string, reason: string | undefined): string {
  const why = reason === undefined ? '' : excerpt(reason, [], 500);
  return `Tool "${tool}" was not run: it was not approved${why === '' ? '' : `: ${why}`}`;
}

/** Throws a TypeError for decisions that are none, or about calls that do not wait for any. */
export function checkDecisions(
  decisions: unknown,
  waiting: readonly string[],
): asserts decisions is Decisions {
  if (!isObject(decisions)) {
    throw new TypeError(`resume: decisions must be an object by call id, got ${sketch(decisions)}`);
  }
  for (const [id, decision] of Object.entries(decisions)) {
    if (!waiting.includes(id)) {
      const known = waiting.map(each => JSON.stringify(each)).join(', ');
      throw new TypeError(
        `resume: no call ${JSON.stringify(id.slice(0, 100))} waits for a decision; these do: ${known}`,
      );
    }
    const allow = isObject(decision) ? decision['allow'] : decision;
    if (typeof allow !== 'boolean') {
      throw new TypeError(
        `resume: the decision on ${JSON.stringify(id)} must be true, false or { allow }, got ${sketch(decision)}`,
      );
    }
  }
}
