/**
 * The loop of a run: ask the model, run the tools it calls, until it answers. How tools run is in `run-tools.ts`, what
 * an agent is made of in `agent.ts`.
 */
import { messageOf } from '../basics/failure.ts';
import { pauseRun, type Stop } from './approval/pause-run.ts';
import { askedCalls } from './approval/paused-state.ts';
import { askModel } from './ask-model.ts';
import { TurnOffers } from './calls/offer.ts';
import type { TurnProgress } from './calls/tool-batch.ts';
import { type CalledTools, useTools } from './calls/use-tools.ts';
import { isRunError } from './errors.ts';
import { Ledger } from './ledger.ts';
import { outputCall, takeAnswer } from './output/take-answer.ts';
import type { RunInput, RunOutcome, RunPlan } from './run-plan.ts';
import { RunState } from './run-state.ts';
import { traceRun } from './run-trace.ts';

/** Rejects with a RunError; with a RunAbortedError whenever the signal aborted, whatever else went wrong. */
export async function runLoop<Deps>(
  plan: RunPlan<Deps>,
  input: RunInput<Deps>,
): Promise<RunOutcome<unknown, boolean>> {
  return traceRun(plan.tracing, input.trace, trace => tellRun(plan, { ...input, trace }));
}

async function tellRun<Deps>(
  plan: RunPlan<Deps>,
  input: RunInput<Deps>,
): Promise<RunOutcome<unknown, boolean>> {
  const { signal, emit } = input;
  const state = new RunState(input.messages, new Ledger(plan.limits, input.above?.ledger));
  if (input.resumed) state.restore(input.resumed.state);
  emit?.({ type: 'run-start' });
  try {
    const ended = await takeTurns(plan, input, state);
    if (ended.paused) return pauseRun(state, ended.paused, emit);
    const { output } = ended;
    const { messages, usage, counts, notes } = state;
    emit?.({ type: 'run-end', usage, counts });
    return { output, messages, usage, counts, notes };
  } catch (thrown) {
    const error = signal?.aborted === true ? state.aborted(signal.reason) : asRunError(thrown, state);
    emit?.({ type: 'run-end', usage: state.usage, counts: state.counts, error });
    throw error;
  }
}

/** A fault of the loop itself is told as what it is, as the cause; what was said and spent until then is not lost. */
function asRunError(thrown: unknown, state: RunState): unknown {
  if (isRunError(thrown)) return thrown;
  return state.failure(
    'loop',
    `the run failed by a fault that is not the model's or a tool's: ${messageOf(thrown)}`,
    thrown,
  );
}

/** With an output, or at calls that wait for approval. */
type Ended = { readonly output: unknown; readonly paused?: undefined } | { readonly paused: Stop };

async function takeTurns<Deps>(plan: RunPlan<Deps>, input: RunInput<Deps>, state: RunState): Promise<Ended> {
  const offers = new TurnOffers(plan, input, state);
  const { resumed } = input;
  let answers = resumed?.state.corrections ?? 0;
  let turn = resumed?.state.turn ?? 1;
  const keep =
    input.keep &&
    ((turn: number, { calls, rejected, truncated }: TurnProgress): void => {
      const snapshot = state.snapshot({ turn, corrections: answers, calls });
      const { rejectedCalls, truncatedObservations } = snapshot.counts;
      // What the turn counts is added when it is over; a run that goes on from here counts the rest of it.
      const counted = {
        rejectedCalls: rejectedCalls + rejected,
        truncatedObservations: truncatedObservations + truncated,
      };
      input.keep?.({ ...snapshot, counts: { ...snapshot.counts, ...counted } });
    });
  const use = async (turn: number, tools: CalledTools<Deps>): Promise<Stop | undefined> => {
    const onProgress = keep && ((progress: TurnProgress) => keep(turn, progress));
    const waiting = await useTools(plan, input, state, { ...tools, onProgress });
    return waiting && { agent: plan.name, turn, corrections: answers, ...waiting };
  };
  if (resumed) {
    const { calls: saved } = resumed.state;
    const { registry } = await offers.next(turn);
    const calls = askedCalls(state);
    const paused = await use(turn, {
      ...{ calls, turn, registry },
      resumed: { calls: saved, decisions: resumed.decisions },
    });
    if (paused) return { paused };
    turn += 1;
  }
  for (; turn <= plan.maxTurns; turn += 1) {
    input.emit?.({ type: 'turn-start', turn });
    const offer = await offers.next(turn);
    const response = await askModel(plan, input, state, offer.request, turn);
    offers.check(offer.request, response, turn);
    if (response.toolCalls.length > 0 && outputCall(response, offer) === undefined) {
      const paused = await use(turn, { calls: response.toolCalls, turn, registry: offer.registry });
      if (paused) return { paused };
      continue;
    }
    const taken = await takeAnswer(plan, input, state, { response, offer, turn, before: answers });
    if (taken.done) {
      keep?.(turn, { calls: [], rejected: 0, truncated: 0 });
      return { output: taken.value };
    }
    answers += 1;
  }
  throw state.failure(
    'loop',
    `the model gave no final answer within ${plan.maxTurns} ${plan.maxTurns === 1 ? 'turn' : 'turns'}; raise maxTurns, or ask for less at once`,
    undefined,
  );
}
