/** What every call of a bridged tool passes before it reaches its server: bars, caps, approval, wrappers. */
import { linkAbort } from '../../basics/abort.ts';
import type { Clock } from '../../basics/clock.ts';
import { messageOf, TenonError } from '../../basics/failure.ts';
import { printJson } from '../../basics/json.ts';
import type { ToolResult } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { BridgedCall, SentArguments, ToolWrap } from './bridged-call.ts';
import { approveCalls, type PassCall, type ToolsetApproval } from './call-approval.ts';

export interface DeskFacts {
  readonly clock: Clock;
  readonly approval: ToolsetApproval | undefined;
  readonly wraps: readonly ToolWrap[];
  readonly onApproval: (call: BridgedCall, allowed: boolean, reason?: string) => void;
}

/** What holds for the calls of one tool. */
export interface CallRules {
  readonly address: string;
  readonly needsApproval: boolean;
  readonly maxCalls: number;
}

/** Sends the call with the arguments that it has. */
export type SendCall = (call: BridgedCall) => Promise<ToolResult>;

export class CallDesk {
  readonly #facts: DeskFacts;
  readonly #approve: PassCall | undefined;
  readonly #counts = new Map<string, number>();
  /** Why tools that were offered once must not run now, by address. */
  #barred: ReadonlyMap<string, string> = new Map();
  /** Told of each call that is let through, by address. */
  onUse: (address: string) => void = () => {};

  constructor(facts: DeskFacts) {
    this.#facts = facts;
    this.#approve = facts.approval && approveCalls(facts.approval, facts.clock);
  }

  /** Whether there is somebody to agree to calls. */
  get asks(): boolean {
    return this.#approve !== undefined;
  }

  bar(reasons: ReadonlyMap<string, string>): void {
    this.#barred = reasons;
  }

  /** The outcome of `send` when the call may be made. Throws or rejects with a ToolError when it may not. */
  pass(call: BridgedCall, rules: CallRules, life: AbortSignal, send: SendCall): Promise<ToolResult> {
    this.#check(call, rules);
    if (rules.needsApproval && this.#approve) return this.#approved(call, rules, life, send);
    return this.#send(call, rules, send);
  }

  async #approved(
    wanted: BridgedCall,
    rules: CallRules,
    life: AbortSignal,
    send: SendCall,
  ): Promise<ToolResult> {
    // What is sent is what was approved, whatever becomes of the objects that it was made of.
    const call = { ...wanted, arguments: frozenCopy(wanted) };
    const stop = new AbortController();
    const unlink = linkAbort([call.ctx.signal, life], stop);
    await this.#ask(call, stop.signal).finally(unlink);
    // The tool may have changed, and others may have been called, while somebody was asked.
    this.#check(call, rules);
    return this.#send(call, rules, send);
  }

  #send(call: BridgedCall, rules: CallRules, send: SendCall): Promise<ToolResult> {
    this.onUse(rules.address);
    return this.#wrapped(call, rules, 0, send);
  }

  #check({ name }: BridgedCall, { address, maxCalls }: CallRules): void {
    const barred = this.#barred.size > 0 && this.#barred.get(address);
    if (barred) throw new ToolError(`Tool "${name}" was not run: ${barred}`);
    if (maxCalls === Number.POSITIVE_INFINITY || (this.#counts.get(address) ?? 0) < maxCalls) return;
    throw new ToolError(
      `Tool "${name}" was not run: it may be called ${maxCalls} times, and was. Go on without it.`,
    );
  }

  async #ask(call: BridgedCall, signal: AbortSignal): Promise<void> {
    try {
      await this.#approve?.(call, signal);
    } catch (error) {
      this.#facts.onApproval(call, false, messageOf(error));
      throw error;
    }
    this.#facts.onApproval(call, true);
  }

  #wrapped(call: BridgedCall, rules: CallRules, depth: number, send: SendCall): Promise<ToolResult> {
    const wrap = this.#facts.wraps[depth];
    if (wrap === undefined) return this.#counted(call, rules, send);
    const next = async (args?: SentArguments): Promise<ToolResult> =>
      this.#wrapped(args === undefined ? call : { ...call, arguments: args }, rules, depth + 1, send);
    return Promise.resolve(wrap(call, next));
  }

  /** Within the wrappers, since one may send a call more than once. */
  #counted(call: BridgedCall, rules: CallRules, send: SendCall): Promise<ToolResult> {
    this.#check(call, rules);
    if (rules.maxCalls !== Number.POSITIVE_INFINITY) {
      this.#counts.set(rules.address, (this.#counts.get(rules.address) ?? 0) + 1);
    }
    return send(call);
  }
}

/** As JSON, since so it is sent. */
function frozenCopy({ name, arguments: args }: BridgedCall): SentArguments {
  let text: string;
  try {
    text = printJson(args);
  } catch (error) {
    throw new TenonError(`the arguments for "${name}" cannot be sent: ${messageOf(error)}`, { cause: error });
  }
  return JSON.parse(text, (_key, value: unknown) => Object.freeze(value)) as SentArguments;
}
