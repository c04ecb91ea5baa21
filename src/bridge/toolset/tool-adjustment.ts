/** What an agent's author changes about tools of servers: names, words, arguments, limits. */
import { checkFunction, checkMilliseconds, checkNumber, checkText } from '../../basics/option-checks.ts';
import { sketch } from '../../basics/sketch.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isLiteral } from './glob.ts';
import type { ServedTool } from './served-tool.ts';
import { isNamed } from './tool-filter.ts';

/** A fixed JSON value, or a function that gives it for each call, from `ctx.deps` for instance. */
// biome-ignore lint/suspicious/noExplicitAny: the dependencies of whatever agent uses the toolset
export type PinnedValue = unknown | ((ctx: ToolContext<any>) => unknown);

/** Each member changes one thing; what is left out stays as the server has it. */
export interface ToolAdjustment {
  /** What the tool is called instead. */
  readonly rename?: string | undefined;
  /** What the model reads instead of the server's description, or a function that makes it of that. */
  readonly describe?: string | ((description: string) => string) | undefined;
  /** Arguments that the model neither sees nor sets: the values are added to each call. */
  readonly pin?: Readonly<Record<string, PinnedValue>> | undefined;
  /** Arguments that the model does not see and that are not sent; one that is required has to have a default. */
  readonly hide?: readonly string[] | undefined;
  /** Whether a call has to be approved; before `needsApproval` of the toolset. */
  readonly needsApproval?: boolean | undefined;
  /** Milliseconds that one call may take, without the time of its approval. */
  readonly timeout?: number | undefined;
  /** How many correctable failures in a row an agent feeds back to the model before it gives up. */
  readonly retries?: number | undefined;
  /** Most calls that reach the server while the toolset lives; further ones are refused. */
  readonly maxCalls?: number | undefined;
  /** True when no other tool of the agent may run beside it. */
  readonly sequential?: boolean | undefined;
}

/**
 * By pattern, as `tool` or `server/tool` with `*` and `?`: every one that fits counts, later ones before earlier ones,
 * member by member. Or a function, asked once per tool and list.
 */
export type ToolAdjustments =
  | Readonly<Record<string, ToolAdjustment>>
  | ((tool: ServedTool) => ToolAdjustment | undefined);

/** What holds for one tool. */
export interface AppliedAdjustment extends ToolAdjustment {
  /** The pattern behind `pin` means many tools, not this one by name. */
  readonly isGeneral: boolean;
}

/** Throws what the function throws, or a TypeError about what it gives. */
export function adjustmentOf(tool: ServedTool, adjustments: ToolAdjustments | undefined): AppliedAdjustment {
  if (adjustments === undefined) return { isGeneral: false };
  if (typeof adjustments === 'function') {
    const given = adjustments(tool) ?? {};
    checkAdjustment('adjust', given);
    return { ...given, isGeneral: false };
  }
  const fitting = Object.entries(adjustments).filter(([pattern]) => isNamed(pattern, tool));
  const pinning = fitting.findLast(([, adjustment]) => Object.hasOwn(adjustment, 'pin'));
  const applied: ToolAdjustment = Object.assign({}, ...fitting.map(([, adjustment]) => adjustment));
  return { ...applied, isGeneral: pinning !== undefined && !isLiteral(pinning[0]) };
}

/** Throws a TypeError that names the member which cannot be used. */
export function checkAdjustments(where: string, adjustments: unknown): void {
  if (adjustments === undefined || typeof adjustments === 'function') return;
  if (typeof adjustments !== 'object' || adjustments === null) {
    throw new TypeError(
      `${where}: adjust must be a record by pattern or a function, got ${sketch(adjustments)}`,
    );
  }
  for (const [pattern, adjustment] of Object.entries(adjustments)) {
    checkAdjustment(`${where}: adjust[${JSON.stringify(pattern)}]`, adjustment);
  }
}

function checkAdjustment(where: string, adjustment: unknown): void {
  if (typeof adjustment !== 'object' || adjustment === null) {
    throw new TypeError(`${where} must be an object, got ${sketch(adjustment)}`);
  }
  const { rename, describe, pin, hide, timeout, retries, maxCalls } = adjustment as ToolAdjustment;
  if (rename !== undefined) checkText(where, 'rename', rename);
  if (typeof describe !== 'string') checkFunction(where, 'describe', describe, 'a string or a function');
  if (pin !== undefined && (typeof pin !== 'object' || pin === null || Array.isArray(pin))) {
    throw new TypeError(`${where}: pin must be a record of values by argument, got ${sketch(pin)}`);
  }
  if (hide !== undefined && !(Array.isArray(hide) && hide.every(each => typeof each === 'string'))) {
    throw new TypeError(`${where}: hide must be a list of names of arguments, got ${sketch(hide)}`);
  }
  checkMilliseconds(where, 'timeout', timeout);
  checkNumber(where, 'retries', retries, { integer: true, min: 0 });
  checkNumber(where, 'maxCalls', maxCalls, { integer: true, min: 0 });
}
