/** One tool of a server as a tool of an agent: it knows its server by key and finds the connection when it is called. */
import { linkAbort } from '../../basics/abort.ts';
import type { Clock } from '../../basics/clock.ts';
import { summaryOf } from '../../basics/failure.ts';
import { runWithin } from '../../basics/time-limit.ts';
import { ConnectionError, isConnectionError } from '../../rpc/connection-error.ts';
import type { Progress } from '../../rpc/inflight.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { AnyTool, ToolResult } from '../../tools/tool.ts';
import { toolTimeoutError } from '../../tools/tool-timeout.ts';
import type { SentArguments } from './bridged-call.ts';
import type { CallDesk, CallRules } from './call-desk.ts';
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
    run: (args: SentArguments, ctx: ToolContext) => run(facts, args, ctx),
  });
}

/** As long as a call may go on. */
interface Ends {
  readonly signal: AbortSignal;
  readonly until?: AbortSignal | undefined;
}

/** One call, for as long as its caller and the toolset live. */
async function run(facts: BridgeFacts, args: SentArguments, ctx: ToolContext): Promise<ToolResult> {
  const { served, name, held, desk, rules, life } = facts;
  const { server, name: tool, annotations } = served;
  try {
    const given = held.fill(args, ctx);
    const filled = given instanceof Promise ? await given : given;
    const call = { server, tool, name, arguments: filled, annotations, ctx };
    return await desk.pass(call, rules, life, final => send(facts, final, ctx));
  } catch (error) {
    if (life.aborted && !ctx.signal.aborted) throw closedWhile(served, life.reason);
    throw error;
  }
}

function send(facts: BridgeFacts, args: SentArguments, ctx: ToolContext): Promise<ToolResult> {
  const { adjustment, life } = facts;
  if (adjustment.timeout !== undefined) return sendWithin(adjustment.timeout, facts, args, ctx);
  return callServer(facts, args, ctx, { signal: ctx.signal, until: life });
}

/** A limit of the tool's own needs a signal of its own, which costs more than all the rest. */
async function sendWithin(
  ms: number,
  facts: BridgeFacts,
  args: SentArguments,
  ctx: ToolContext,
): Promise<ToolResult> {
  const { name, clock, life } = facts;
  const stop = new AbortController();
  const unlink = linkAbort([ctx.signal, life], stop);
  const expired = (): Error => toolTimeoutError(name, ms);
  const limit = { ms, clock, signal: stop.signal, expired };
  try {
    return await runWithin(limit, signal => callServer(facts, args, ctx, { signal }));
  } finally {
    unlink();
  }
}

async function callServer(
  { seat, served }: BridgeFacts,
  args: SentArguments,
  ctx: ToolContext,
  ends: Ends,
): Promise<ToolResult> {
  const onProgress = ({ progress, ...detail }: Progress): void => ctx.progress(progress, detail);
  const options = { signal: ends.signal, until: ends.until, onProgress, trace: ctx.trace };
  for (let isAgain = false; ; isAgain = true) {
    const client = seat.link.live ?? (await seat.connection(ends.signal));
    try {
      return toBridgedResult(await client.call(served.name, args, options), served.name);
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      // Lost between the turns without a sign: nothing was sent, so that it can be sent over the next connection.
      const isSafe = error.outcome === 'not-sent' && seat.link.canReconnect && !seat.link.isLive;
      if (isAgain || !isSafe) throw named(error, served);
    }
  }
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
