/** Who agrees to calls before they are sent to a server: the approval gate of the patterns, told of the server too. */
import type { Clock } from '../../basics/clock.ts';
import type { ApprovalDecision, ApprovalOptions, ApprovalRequest } from '../../patterns/approval/approval.ts';
import { approvalGate } from '../../patterns/approval/approval-gate.ts';
import type { BridgedCall } from './bridged-call.ts';

/** A call that somebody has to agree to. */
export interface ToolApprovalRequest extends Omit<BridgedCall, 'ctx'> {
  /** Aborts when the decision is no longer wanted. */
  readonly signal: AbortSignal;
}

export type ApproveCall = (request: ToolApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;

/** Who agrees; in the longer form with the milliseconds it may take, `deny` when it takes longer. */
export type ToolsetApproval =
  | ApproveCall
  | (Pick<ApprovalOptions, 'timeout' | 'onTimeout' | 'sequential'> & { readonly ask: ApproveCall });

/** Resolves when the call may be made; rejects with a ToolError when not, or with the signal's reason. */
export type PassCall = (call: BridgedCall, signal: AbortSignal) => Promise<void>;

/** What passes through the gate, which hands on all that it is given. Its words to the model use the model's name. */
interface GateRequest extends ApprovalRequest {
  readonly said: Omit<BridgedCall, 'ctx'>;
}

export function approveCalls(approval: ToolsetApproval, clock: Clock): PassCall {
  const { ask, ...options } = typeof approval === 'function' ? { ask: approval } : approval;
  const decide = (request: ApprovalRequest): ReturnType<ApproveCall> =>
    ask({ ...(request as GateRequest).said, signal: request.signal });
  const gate = approvalGate({ ...options, ask: decide }, { clock });
  return ({ ctx: _ctx, ...said }, signal) => {
    const request: GateRequest = { tool: said.name, arguments: said.arguments, signal, said };
    return gate(request);
  };
}
