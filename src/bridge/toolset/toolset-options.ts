/** How a toolset is made, and the checks of its options before any server is asked. */
import type { Clock } from '../../basics/clock.ts';
import {
  checkChoice,
  checkFunction,
  checkMilliseconds,
  checkNumber,
  checkText,
} from '../../basics/option-checks.ts';
import { sketch } from '../../basics/sketch.ts';
import { readApproval } from '../../patterns/approval/approval.ts';
import type { ToolWrap } from './bridged-call.ts';
import type { ToolsetApproval } from './call-approval.ts';
import type { Pins } from './definition-hash.ts';
import type { OnDrift } from './drift-guard.ts';
import type { DroppedTool } from './served-tool.ts';
import { checkAdjustments, type ToolAdjustments } from './tool-adjustment.ts';
import { checkFilter, isPatterns, type ToolFilter } from './tool-filter.ts';
import type { ToolsetEvent } from './toolset-events.ts';

export interface ToolsetOptions {
  /** Takes over only the tools that it means; all unless set. */
  readonly filter?: ToolFilter | undefined;
  /**
   * Whether the key of the server stands before the name of a tool: when two servers have a tool of one name, or a name
   * is reserved (`on-collision`, the default); `always`; or `never`, which offers neither of two such tools.
   */
  readonly prefix?: 'on-collision' | 'always' | 'never' | undefined;
  /** Between key and name; `__` unless set. */
  readonly separator?: string | undefined;
  /** Names of the agent's other tools, which no tool of a server takes. */
  readonly reserved?: readonly string[] | undefined;
  /** Names, descriptions, arguments and limits of single tools. */
  readonly adjust?: ToolAdjustments | undefined;
  /**
   * Agrees to a call before it is sent; a denial goes to the model with its reason. Asked about the tools that
   * `needsApproval` means. The time it takes does not count for `timeout` of `adjust`; the `toolTimeout` of an agent does
   * not hold for these tools.
   */
  readonly approve?: ToolsetApproval | undefined;
  /**
   * With `approve` all unless set, but for the tools of trusted servers that say they only read. Without, these are marked
   * as tools that need approval, which the `approve` of the agent gives, or somebody while its run is paused.
   */
  readonly needsApproval?: ToolFilter | undefined;
  /** Servers (all: true) whose annotations count. None unless set: what a server says of itself is no proof. */
  readonly trustAnnotations?: boolean | readonly string[] | undefined;
  /** Stands around every call that is let through; the first is the outermost. */
  readonly wrap?: ToolWrap | readonly ToolWrap[] | undefined;
  /** Most tools of one server, after the filter; 1,000 unless set. */
  readonly maxTools?: number | undefined;
  /** Approved definitions by `server/tool`, as `pins()` gives them; others are drift. */
  readonly pinned?: Pins | undefined;
  /**
   * What happens to a tool whose definition is not the approved one: the pinned one, or without pins the first that was
   * seen. `block` where there are pins; without pins nothing is compared unless set.
   */
  readonly onDrift?: OnDrift | undefined;
  /**
   * Most tokens, estimated, for all definitions in a request. Beyond, the model gets `find_tools` and `describe_tool`,
   * and the tools that it described. Unlimited unless set.
   */
  readonly definitionBudget?: number | undefined;
  /** Tools that are in every request in spite of the budget, as far as it reaches. */
  readonly alwaysShow?: ToolFilter | undefined;
  /** Milliseconds after which a list is read again although no change was told of; never unless set. */
  readonly maxAge?: number | undefined;
  /** Milliseconds for connecting to a server, and for reading its list; 30,000 unless set. */
  readonly loadTimeout?: number | undefined;
  /** Told of each tool that is left out because it cannot be used, once; the others are not affected. */
  readonly onDrop?: ((dropped: DroppedTool) => void) | undefined;
  readonly onEvent?: ((event: ToolsetEvent) => void) | undefined;
  /** What every limit reads; for tests. */
  readonly clock?: Clock | undefined;
}

/** Throws a TypeError that names the option which cannot be used. `keys`: those of the servers. */
export function checkToolsetOptions(options: ToolsetOptions, keys: readonly string[]): void {
  const where = 'toolset';
  for (const name of ['filter', 'needsApproval', 'alwaysShow'] as const)
    checkFilter(where, name, options[name]);
  checkChoice(where, 'prefix', options.prefix, ['on-collision', 'always', 'never']);
  if (options.separator !== undefined) checkText(where, 'separator', options.separator);
  checkStrings(where, 'reserved', options.reserved);
  checkAdjustments(where, options.adjust);
  if (options.approve !== undefined) readApproval(where, 'approve', options.approve);
  const { trustAnnotations, wrap, pinned, onDrift } = options;
  if (typeof trustAnnotations !== 'boolean') checkStrings(where, 'trustAnnotations', trustAnnotations);
  checkKeys(where, trustAnnotations, keys);
  for (const each of Array.isArray(wrap) ? wrap : [wrap]) checkFunction(where, 'wrap', each);
  if (pinned !== undefined && (typeof pinned !== 'object' || pinned === null)) {
    throw new TypeError(`${where}: pinned must be a record of hashes, got ${sketch(pinned)}`);
  }
  if (typeof onDrift !== 'function') checkChoice(where, 'onDrift', onDrift, ['block', 'warn']);
  for (const name of ['maxTools', 'definitionBudget'] as const) {
    checkNumber(where, name, options[name], { integer: true, min: 1, infinite: true });
  }
  for (const name of ['maxAge', 'loadTimeout'] as const) checkMilliseconds(where, name, options[name]);
  for (const name of ['onDrop', 'onEvent'] as const) checkFunction(where, name, options[name]);
}

/** A slip in a key would leave a server untrusted, or trusted, by mistake. */
function checkKeys(
  where: string,
  trusted: ToolsetOptions['trustAnnotations'],
  keys: readonly string[],
): void {
  if (typeof trusted !== 'object') return;
  const unknown = trusted.find(key => !keys.includes(key));
  if (unknown === undefined) return;
  throw new TypeError(
    `${where}: trustAnnotations names ${JSON.stringify(unknown)}; the servers are ${keys.join(', ') || 'none'}`,
  );
}

function checkStrings(where: string, name: string, value: unknown): void {
  if (value === undefined || (isPatterns(value) && typeof value !== 'string')) return;
  throw new TypeError(`${where}: ${name} must be a list of strings, got ${sketch(value)}`);
}
