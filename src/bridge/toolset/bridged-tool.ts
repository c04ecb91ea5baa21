/** One tool of a server as a tool of an agent: it knows its server by key and finds the connection when it is called. */
import { linkAbort } from '../../basics/abort.ts';
import type { Clock } from '../../basics/clock.ts';
import { summaryOf } from '../../basics/failure.ts';
import { runWithin } from '../../basics/time-limit.ts';
import type { Client } from '../../client/client.ts';
import type { RequestOptions } from '../../client/options.ts';
import { ConnectionError, isConnectionError } from '../../rpc/connection-error.ts';
import type { Progress } from '../../rpc/inflight.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { AnyTool, ToolResult } from '../../tools/tool.ts';
import { toolTimeoutError } from '../../tools/tool-timeout.ts';
import type { BridgedCall, SentArguments } from './bridged-call.ts';
import type { CallDesk, CallRules, SendCall } from './call-desk.ts';
import type { HeldArguments } from './held-arguments.ts';
import type { ServedTool } from './served-tool.ts';
import type { ServerSeat } from './server-seat.ts';
import type { ToolAdjustment } from './tool-adjustment.ts';
import { toBridgedResult } from './tool-content.ts';

export interface BridgeFacts {
  readonly served: ServedTool;
  /** What the model calls it. */
  readonly name: string;
  readonly description: string;
  readonly adjustment: ToolAdjustment;
  readonly held: HeldArguments;
  readonly seat: ServerSeat;
  readonly desk: CallDesk;
  readonly rules: CallRules;
  readonly clock: Clock;
  /** Aborts when the toolset is closed. */
  readonly life: AbortSignal;
}

/**
 * The tool. A result that reports a failure stays one, which an agent feeds back to the model; so does a call that was
 * not let through. A refusal of the protocol, a lost connection, a time limit and an abort are thrown, which ends the run.
 */
export function bridgeTool(facts: BridgeFacts): AnyTool {
  const { served, name, description, adjustment, held, desk, rules } = facts;
  const { title, annotations, icons, _meta } = served;
  const { timeout, retries, sequential } = adjustment;
  const waits = desk.asks && rules.needsApproval;
  // One for all calls of the tool.
  const sendCall = (call: BridgedCall): Promise<ToolResult> => send(facts, call);
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    input: held.schema,
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
    ...(retries === undefined ? {} : { retries }),
    ...(sequential === undefined ? {} : { sequential }),
    // Where the toolset asks nobody, the agent does, or pauses.
    ...(rules.needsApproval && !desk.asks ? { needsApproval: true } : {}),
    // Kept here, so that it holds wherever the tool is used and does not count the time of an approval.
    ...(timeout === undefined && !waits ? {} : { timeout: Number.POSITIVE_INFINITY }),
    run: (args: SentArguments, ctx: ToolContext) => run(facts, sendCall, args, ctx),
  });
}

type SendOptions = RequestOptions & { readonly signal: AbortSignal };

/** One call, for as long as its caller and the toolset live. */
async function run(
  facts: BridgeFacts,
  sendCall: SendCall,
  args: SentArguments,
  ctx: ToolContext,
): Promise<ToolResult> {
  const { served, name, held, desk, rules, life } = facts;
  const { server, name: tool, annotations } = served;
  try {
    const given = held.fill(args, ctx);
    const filled = given instanceof Promise ? await given : given;
    const call = { server, tool, name, arguments: filled, annotations, ctx };
    return await desk.pass(call, rules, life, sendCall);
  } catch (error) {
    if (life.aborted && !ctx.signal.aborted) throw closedWhile(served, life.reason);
    throw error;
  }
}

function send(facts: BridgeFacts, call: BridgedCall): Promise<ToolResult> {
  const { adjustment, life } = facts;
  if (adjustment.timeout !== undefined) return sendWithin(adjustment.timeout, facts, call);
  return callServer(facts, call, call.ctx.signal, life);
}

/** A limit of the tool's own needs a signal of its own, which costs more than all the rest. */
async function sendWithin(ms: number, facts: BridgeFacts, call: BridgedCall): Promise<ToolResult> {
  const { name, clock, life } = facts;
  const stop = new AbortController();
  const unlink = linkAbort([call.ctx.signal, life], stop);
  const expired = (): Error => toolTimeoutError(name, ms);
  const limit = { ms, clock, signal: stop.signal, expired };
  try {
    return await runWithin(limit, signal => callServer(facts, call, signal));
  } finally {
    unlink();
  }
}

/** For as long as neither signal aborts. `async`, here and in `callOn`, would make what a call costs here a tenth more. */
function callServer(
  facts: BridgeFacts,
  { arguments: args, ctx }: BridgedCall,
  signal: AbortSignal,
  until?: AbortSignal,
): Promise<ToolResult> {
  const onProgress = ({ progress, ...detail }: Progress): void => ctx.progress(progress, detail);
  const options = { signal, until, onProgress, trace: ctx.trace };
  const { live } = facts.seat.link;
  return live ? callOn(live, facts, args, options) : connectAndCall(facts, args, options);
}

async function connectAndCall(
  facts: BridgeFacts,
  args: SentArguments,
  options: SendOptions,
  isAgain?: boolean,
): Promise<ToolResult> {
  return callOn(await facts.seat.connection(options.signal), facts, args, options, isAgain);
}

/** `isAgain`: the call was made before and was not sent. */
function callOn(
  client: Client,
  facts: BridgeFacts,
  args: SentArguments,
  options: SendOptions,
  isAgain = false,
): Promise<ToolResult> {
  const { seat, served } = facts;
  return client.call(served.name, args, options).then(
    result => toBridgedResult(result, served.name),
    (error: unknown) => {
      if (!isConnectionError(error)) throw error;
      // Lost between the turns without a sign: nothing was sent, so that it can be sent over the next connection.
      const isSafe = error.outcome === 'not-sent' && seat.link.canReconnect && !seat.link.isLive;
      if (isAgain || !isSafe) throw named(error, served);
      return connectAndCall(facts, args, options, true);
    },
  );
}

/** The same failure, with the server that it is about and who ended the connection. */
function named(error: ConnectionError, { server, name }: ServedTool): ConnectionError {
  const owner = error.reason === 'closed' && error.phase === 'tools/call' && error.outcome !== 'not-sent';
  const who = owner ? `its client was closed in this process while "${name}" ran: ` : '';
  const [message, summary] = [error.message, summaryOf(error)].map(
    what => `server "${server}": ${who}${what}`,
  ) as [string, string];
  const { phase, reason, outcome, retryable, exit, stderrTail, status, retryAfterMs, hint } = error;
  const facts = { phase, reason, outcome, retryable, exit, stderrTail, status, retryAfterMs, hint, summary };
  return new ConnectionError(message, { ...facts, cause: error });
}

function closedWhile({ server, name }: ServedTool, cause: unknown): ConnectionError {
  return new ConnectionError(`the toolset was closed while "${name}" of server "${server}" ran`, {
    phase: 'tools/call',
    reason: 'toolset-closed',
    outcome: 'unknown',
    cause,
  });
}
