/** A conversation with an agent: each run goes on from the one before it, and a run that fails leaves no trace. */
import { TenonError } from '../../basics/failure.ts';
import { checkHas } from '../../basics/option-checks.ts';
import type { ModelMessage } from '../../models/model.ts';
import type { Agent } from '../agent.ts';
import type { Decisions } from '../approval/decisions.ts';
import type { PausedState } from '../approval/paused-state.ts';
import type { Prompt, ResumeArguments, RunArguments, RunOptions } from '../run-options.ts';
import type { RunOutcome } from '../run-plan.ts';
import type { RunStream } from '../run-stream.ts';
import { checkHistory } from './history.ts';

export interface Conversation<Deps = unknown, Output = string, Pauses extends boolean = false> {
  /** What was said so far; `saveHistory` keeps it, and `history` begins from it again. */
  readonly messages: readonly ModelMessage[];
  /**
   * As `run` of the agent, one at a time. A run that fails or is paused leaves the conversation as it was; what was said
   * is on the error, or on the paused run.
   */
  readonly run: (prompt: Prompt, ...rest: ResumeArguments<Deps>) => Promise<RunOutcome<Output, Pauses>>;
  /** As `stream` of the agent. */
  readonly stream: (prompt: Prompt, ...rest: ResumeArguments<Deps>) => RunStream<Output, Pauses>;
  /** As `resume` of the agent; the conversation goes on from what the resumed run gives. */
  readonly resume: (
    state: PausedState | string,
    decisions: Decisions,
    ...rest: ResumeArguments<Deps>
  ) => Promise<RunOutcome<Output, Pauses>>;
}

/** Begins with `history`, or with nothing. Throws a TypeError when that is no list of messages. */
export function conversation<Deps, Output, Pauses extends boolean = false>(
  agent: Agent<Deps, Output, Pauses>,
  { history = [] }: { readonly history?: readonly ModelMessage[] | undefined } = {},
): Conversation<Deps, Output, Pauses> {
  checkHas('conversation', 'the first argument', agent, 'run', 'an agent, such as new Agent({ … })');
  checkHistory(history);
  let messages: readonly ModelMessage[] = [...history];
  let busy = false;

  /** Starts nothing while something runs, and takes in what comes of it. */
  const start = <Started>(
    begin: () => Started,
    resultOf: (started: Started) => Promise<unknown>,
  ): Started => {
    if (busy) throw stillBusy();
    const started = begin();
    busy = true;
    resultOf(started).then(
      said => {
        const outcome = said as RunOutcome<Output, boolean>;
        if (outcome.paused !== true) messages = outcome.messages;
        busy = false;
      },
      () => {
        busy = false;
      },
    );
    return started;
  };
  // Dependencies are there when the agent needs them; the types of `run` and `stream` see to that.
  const continued = (options: Omit<RunOptions<Deps>, 'history'> = {}): RunArguments<Deps> =>
    [{ ...options, history: messages }] as unknown as RunArguments<Deps>;

  return {
    get messages() {
      return messages;
    },
    async run(prompt, ...[options]) {
      return start(() => agent.run(prompt, ...continued(options)), itself);
    },
    stream(prompt, ...[options]) {
      return start(
        () => agent.stream(prompt, ...continued(options)),
        stream => stream.result,
      );
    },
    async resume(state, decisions, ...rest) {
      return start(() => agent.resume(state, decisions, ...rest), itself);
    },
  };
}

function itself<T>(value: T): T {
  return value;
}

function stillBusy(): TenonError {
  return new TenonError('the conversation is still busy with its last prompt', {
    hint: 'Await the result of a run before the next, or have two conversations.',
  });
}
