/** Runs one call of a tool: checks the arguments, limits the time, words failures; nothing of listing. */
import type { Clock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { isObject } from '../basics/json.ts';
import { excerpt } from '../basics/redact.ts';
import { runWithin } from '../basics/time-limit.ts';
import { isTimeoutError } from '../basics/timeout-error.ts';
import { type Call, isRoundEnded } from '../protocol/call.ts';
import { isMissingCapability } from '../protocol/errors.ts';
import type { Params } from '../rpc/message.ts';
import { isProtocolError } from '../rpc/protocol-error.ts';
import { type CompiledSchema, isJudgeMissing, type Verdict } from '../schema/compile.ts';
import { explain } from '../schema/explain.ts';
import { text } from '../tools/content.ts';
import type { ToolContext } from '../tools/context.ts';
import { toToolResult } from '../tools/result.ts';
import type { AnyTool, ToolResult } from '../tools/tool.ts';
import { errorDataKey, isToolError } from '../tools/tool-error.ts';
import { toolTimeoutError } from '../tools/tool-timeout.ts';
import { CallContext } from './call-context.ts';
import type { RegisteredTool } from './register-tool.ts';
import { goOn, runRounds } from './rounds.ts';

export interface ToolRunner {
  readonly clock: Clock;
  /** Hides the message of what a tool throws behind a number that the report quotes. */
  readonly maskErrors: boolean;
  /** Takes the full detail of what the caller sees only a line of. */
  report(message: string, cause: unknown): void;
}

/**
 * The result to answer with, at once where nothing has to be waited for. Fails with what is not the tool's own failure:
 * protocol errors and ended rounds.
 */
export function runTool(
  registered: RegisteredTool,
  args: unknown,
  call: Call,
  runner: ToolRunner,
): Params | Promise<Params> {
  const { tool, input, output } = registered;
  const checked = input.validate(args);
  if (checked instanceof Promise) return runLater(registered, checked, args, call, runner);
  if (!checked.ok || output || tool.timeout !== undefined || call.memo !== undefined)
    return runChecked(registered, checked, args, call, runner);
  // As `runChecked`, for a tool of which nothing is asked but to run, in one function and without one that it would have
  // to make: V8 then compiles less for a call, and allocates less.
  const run = tool.run as Run;
  let returned: unknown;
  try {
    returned = run(checked.value, new CallContext(call));
  } catch (thrown) {
    return fail(registered, thrown, call, runner);
  }
  if (typeof returned === 'string') return { content: [text(returned)] };
  return runOn(registered, returned, checked.value, call, runner);
}

type Run = (args: unknown, ctx: ToolContext) => unknown;

async function runLater(
  registered: RegisteredTool,
  checked: Promise<Verdict<unknown>>,
  args: unknown,
  call: Call,
  runner: ToolRunner,
): Promise<Params> {
  const verdict = await checked;
  // Nothing is begun for a caller who has given up meanwhile.
  call.signal.throwIfAborted();
  return runChecked(registered, verdict, args, call, runner);
}

/** `first`: what the tool has come to. */
function runOn(
  registered: RegisteredTool,
  first: unknown,
  args: unknown,
  call: Call,
  runner: ToolRunner,
): Params | Promise<Params> {
  const again = (): unknown => (registered.tool.run as Run)(args, new CallContext(call));
  return settle(() => goOn(call, again, first), registered, call, runner);
}

function runChecked(
  registered: RegisteredTool,
  verdict: Verdict<unknown>,
  args: unknown,
  call: Call,
  runner: ToolRunner,
): Params | Promise<Params> {
  const { tool, input } = registered;
  if (!verdict.ok) {
    return explain(verdict.issues, { schema: input.json, value: args }).then(why =>
      failure(`The arguments of ${tool.name} do not fit its schema. ${why}`),
    );
  }
  const run = (): unknown => start(tool, verdict.value, call, runner.clock);
  return settle(() => runRounds(call, run), registered, call, runner);
}

/** The result for what the rounds of a call come to. */
function settle(
  rounds: () => unknown,
  registered: RegisteredTool,
  call: Call,
  runner: ToolRunner,
): Params | Promise<Params> {
  let result: Params | Promise<Params>;
  try {
    const returned = rounds();
    if (!(returned instanceof Promise)) result = finish(registered, returned, runner);
    else result = returned.then(value => finish(registered, value, runner));
  } catch (thrown) {
    return fail(registered, thrown, call, runner);
  }
  return result instanceof Promise ? result.catch(thrown => fail(registered, thrown, call, runner)) : result;
}

function finish(
  { tool, output }: RegisteredTool,
  returned: unknown,
  runner: ToolRunner,
): Params | Promise<Params> {
  const result = toToolResult(returned, output !== undefined) as ToolResult & Params;
  if (!output) return result;
  if (result.isError === true) return withFittingData(result, output);
  const judged = output.validate(result.structuredContent);
  const told = (verdict: Verdict<unknown>): Params | Promise<Params> =>
    verdict.ok ? result : explain(verdict.issues).then(why => misfit(tool.name, why, runner));
  return judged instanceof Promise ? judged.then(told) : told(judged);
}

function fail(
  { tool, output }: RegisteredTool,
  thrown: unknown,
  call: Call,
  runner: ToolRunner,
): Params | Promise<Params> {
  const failed = explainThrown(thrown, tool.name, call, runner);
  return output ? withFittingData(failed, output) : failed;
}

/** Without a time limit of its own the tool sees the call as it is, and nothing is made for it. */
function start(tool: AnyTool, args: unknown, call: Call, clock: Clock): unknown {
  const { name, timeout: ms } = tool;
  const run = tool.run as Run;
  if (ms === undefined) return run(args, new CallContext(call));
  const limit = { ms, clock, signal: call.signal, expired: (after: number) => toolTimeoutError(name, after) };
  return runWithin(limit, own => run(args, new CallContext(call, own)));
}

function explainThrown(thrown: unknown, name: string, call: Call, runner: ToolRunner): Params {
  if (isRoundEnded(thrown) || isProtocolError(thrown) || isMissingCapability(thrown)) throw thrown;
  // The tool has done its work, and its caller has no use for the paths of our files.
  if (isJudgeMissing(thrown)) throw thrown;
  if (isToolError(thrown)) {
    const { data } = thrown;
    return { ...failure(thrown.message), ...(isObject(data) ? { structuredContent: data } : {}) };
  }
  if (isTimeoutError(thrown)) return failure(messageOf(thrown));
  // A tool that stops because it was told to has no fault to report, and nobody waits for its answer.
  if (call.signal.aborted && isAbort(thrown, call.signal.reason)) {
    return failure(`The tool ${name} was cancelled.`);
  }
  if (!runner.maskErrors) {
    runner.report(`the tool ${name} failed`, thrown);
    return failure(
      `The tool ${name} failed: ${(thrown !== undefined && excerpt(messageOf(thrown), [], 500)) || 'it does not say why'}`,
    );
  }
  const reference = crypto.randomUUID();
  runner.report(`the tool ${name} failed, reference ${reference}`, thrown);
  return failure(`The tool ${name} failed. Reference: ${reference}`);
}

/** The platform's functions reject with an AbortError of their own, that may or may not carry the reason. */
function isAbort(thrown: unknown, reason: unknown): boolean {
  return thrown === reason || (thrown instanceof Error && thrown.name === 'AbortError');
}

/**
 * Some clients hold failures against the schema of success too, and would throw the message away with the data: data
 * that does not fit travels as `errorDataKey` of `_meta`. Never rejects.
 */
async function withFittingData(result: Params, output: CompiledSchema): Promise<Params> {
  const { structuredContent: data, ...others } = result;
  if (data === undefined || (await fits(data, output))) return result;
  return { ...others, _meta: { ...(result['_meta'] as Params | undefined), [errorDataKey]: data } };
}

async function fits(data: unknown, output: CompiledSchema): Promise<boolean> {
  try {
    return (await output.validate(data)).ok;
  } catch {
    // A schema library of somebody's own failed, which must not take the place of the failure that is told.
    return false;
  }
}

function misfit(name: string, why: string, runner: ToolRunner): Params {
  const message = `the result of the tool ${name} does not fit its own output schema: ${why}`;
  runner.report(message, undefined);
  return failure(`The tool ${name} failed: its result does not fit its own output schema.`);
}

function failure(message: string): Params {
  return { content: [text(message)], isError: true };
}
