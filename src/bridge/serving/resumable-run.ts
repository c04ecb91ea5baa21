/** One served run over all rounds of its call: it pauses to ask the caller, and goes on from there, never from the start. */
import type { Agent } from '../../agent/agent.ts';
import type { Decisions, ToolDecision } from '../../agent/approval/decisions.ts';
import type { PausedRun } from '../../agent/approval/pause-run.ts';
import type { RunEvent } from '../../agent/events.ts';
import type { RunOptions } from '../../agent/run-options.ts';
import type { RunResult } from '../../agent/run-plan.ts';
import { isObject } from '../../basics/json.ts';
import { notify } from '../../basics/notify.ts';
import type { Budget } from '../../patterns/budget/budget.ts';
import { above, costOfRuns, type RunSpending } from '../../patterns/budget/counted-runs.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type NeedInput, needInput } from '../../tools/need-input.ts';
import { approvalQuestion, canBeAsked, readApprovalAnswer } from './approval-question.ts';
import type { PausedRuns, WaitingRun } from './paused-runs.ts';
import type { ServedObserver } from './served-events.ts';

/** Any agent, whatever it needs: what it is given is decided where it is served. */
// biome-ignore lint/suspicious/noExplicitAny: dependencies are checked by the options of whoever serves the agent
export type ServedAgent<Output> = Pick<Agent<any, Output, boolean>, 'run' | 'resume'>;

export interface ResumableRun<Output> {
  readonly agent: ServedAgent<Output>;
  /** Who asks, for the person at the caller. */
  readonly name: string;
  readonly prompt: string;
  readonly deps?: unknown;
  readonly paused: PausedRuns;
  /** Of this call alone. A new one in each round: what was spent in the rounds before is counted in. */
  readonly budget?: Budget | undefined;
  /** What is told of an event, as a step of the progress; nothing for the others. */
  readonly describe: (event: RunEvent) => string | undefined;
  readonly observe?: ServedObserver | undefined;
}

/** What a call remembers between its rounds. */
interface RoundMemo {
  readonly run: WaitingRun;
  /** The ids of the calls that were asked about, by the key of the question. */
  readonly asked: Readonly<Record<string, string>>;
  /** Steps of the progress until then. */
  readonly steps: number;
  readonly rounds: number;
  /** Of each round; the time in which somebody was asked is not in it. */
  readonly spending: readonly RunSpending[];
}

/** Rounds of questions in one call; a client asks no more of it. */
const mostRounds = 15;

/**
 * What the run comes to, or what has to be asked first. A caller that cannot be asked, or was asked too often, has
 * denied: the model is told, and goes on. Rejects as the agent does, and with a ToolError for a run that cannot go on.
 */
export async function runResumable<Output>(
  ctx: ToolContext,
  facts: ResumableRun<Output>,
): Promise<RunResult<Output> | NeedInput> {
  const { agent, paused, prompt, deps, budget } = facts;
  const memo = readMemo(ctx.memo);
  let steps = memo?.steps ?? 0;
  const step = (message: string): void => ctx.progress(++steps, { message });
  const options: RunOptions<unknown> = {
    signal: ctx.signal,
    deps,
    ...(ctx.trace === undefined ? {} : { trace: ctx.trace }),
    onEvent: event => {
      notify(facts.observe, event, ctx);
      const message = facts.describe(event);
      if (message !== undefined) step(message);
    },
  };
  const before = memo?.spending ?? [];
  budget?.countIn(before);
  const start = budget?.elapsed ?? 0;
  let outcome =
    memo === undefined
      ? await agent.run(prompt, options)
      : await agent.resume(await paused.take(memo.run), answersOf(memo, ctx), options);
  const rounds = (memo?.rounds ?? 0) + 1;
  while (outcome.paused === true) {
    const reason = whyNotAsked(ctx, rounds);
    if (reason === undefined) {
      step(
        `waits for approval of ${outcome.pending.length === 1 ? 'a call' : `${outcome.pending.length} calls`}`,
      );
      const { inputTokens, outputTokens, requests: calls } = outcome.usage;
      const cost = above({ inputTokens, outputTokens, calls }, costOfRuns(before));
      const run = budget?.record(globalThis.crypto.randomUUID(), cost, budget.elapsed - start);
      return ask(outcome, facts, { steps, rounds, spending: run === undefined ? before : [...before, run] });
    }
    outcome = await agent.resume(outcome.state, deny(outcome, reason), options);
  }
  return outcome;
}

async function ask(
  { pending, state }: PausedRun,
  { name, paused }: Pick<ResumableRun<unknown>, 'name' | 'paused'>,
  facts: Pick<RoundMemo, 'steps' | 'rounds' | 'spending'>,
): Promise<NeedInput> {
  const asked = pending.map((call, index) => [`approval-${facts.rounds}-${index + 1}`, call] as const);
  const memo: RoundMemo = {
    run: await paused.keep(state),
    asked: Object.fromEntries(asked.map(([key, { id }]) => [key, id])),
    ...facts,
  };
  const questions = asked.map(([key, call]) => [key, { elicit: approvalQuestion(name, call) }] as const);
  return needInput(Object.fromEntries(questions), memo);
}

/** A question without an answer decides nothing: its call waits on, and is asked about again. */
function answersOf({ asked }: RoundMemo, { answers }: ToolContext): Decisions {
  const decided = Object.entries(asked).flatMap(([key, callId]): (readonly [string, ToolDecision])[] => {
    const answer = answers.elicit(key);
    return answer === undefined ? [] : [[callId, readApprovalAnswer(answer)]];
  });
  return Object.fromEntries(decided);
}

function deny({ pending }: PausedRun, reason: string): Decisions {
  return Object.fromEntries(pending.map(({ id }) => [id, { allow: false, reason }]));
}

function whyNotAsked({ client }: ToolContext, rounds: number): string | undefined {
  if (!canBeAsked(client)) return 'it needs the approval of a person, and the caller cannot ask one';
  if (rounds > mostRounds) return `people were asked ${mostRounds} times in this call, which is the most`;
  return undefined;
}

/** Made by this server and sealed by it, or kept in this process. One that is none must not begin the run anew. */
function readMemo(memo: unknown): RoundMemo | undefined {
  if (memo === undefined) return undefined;
  return (isObject(memo) ? memo : {}) as unknown as RoundMemo;
}
