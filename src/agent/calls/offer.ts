/** What the model is offered in one turn: the tools there are now, the built-in ones, and the transcript as it is shown. */
import { messageOf } from '../../basics/failure.ts';
import type { ModelResponse } from '../../models/collect.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../models/model.ts';
import { checkUsage } from '../ask-model.ts';
import { openView, type ShownHistory } from '../history/history-view.ts';
import { outputToolName, outputToolSpec } from '../output/output-tool.ts';
import { Presenter } from '../results/present-messages.ts';
import { readMoreTool } from '../results/read-more.ts';
import type { RunInput, RunPlan } from '../run-plan.ts';
import type { RunState } from '../run-state.ts';
import { type ReadyTool, type ToolRegistry, toRegistry } from './tool-registry.ts';
import { RunTools } from './tool-supply.ts';

export interface Offer<Deps> {
  readonly registry: ToolRegistry<Deps>;
  readonly request: ModelRequest;
  /** What the output tool is called, when there is one. */
  readonly outputTool: string | undefined;
}

/** The offers of one run, turn by turn. */
export class TurnOffers<Deps> {
  readonly #plan: RunPlan<Deps>;
  readonly #input: RunInput<Deps>;
  readonly #state: RunState;
  readonly #tools: RunTools<Deps>;
  readonly #presenter: Presenter;
  #history: ShownHistory | undefined;

  constructor(plan: RunPlan<Deps>, input: RunInput<Deps>, state: RunState) {
    this.#plan = plan;
    this.#input = input;
    this.#state = state;
    this.#tools = new RunTools(plan.supply);
    this.#presenter = new Presenter(plan.maxResultTokens);
  }

  /** Rejects with a RunError when a source or the summary fails, or with the signal's reason. */
  async next(turn: number): Promise<Offer<Deps>> {
    this.#input.signal?.throwIfAborted();
    const { maxResultTokens, output, request, supply } = this.#plan;
    const history = await this.#openHistory(turn);
    const tools = await this.#ready(turn);
    const names = new Set(tools.map(({ spec }) => spec.name));
    const readMore = freeName('read_more', names);
    const transcript = this.#state.messages;
    const { messages, cut } = this.#presenter.present(history.shown(transcript), readMore, transcript);
    // Of more tools than a provider takes the last are not offered.
    if (cut) tools.unshift(readMoreTool(readMore, this.#state.messages, maxResultTokens));
    const registry = toRegistry(tools, supply.defaults.retries);
    const outputTool = output?.mode === 'tool' ? freeName(outputToolName, names) : undefined;
    const specs = [...specOf(outputTool, output?.schema), ...registry.specs];
    const toolChoice = specs.length === 0 ? undefined : this.#choose(names, turn);
    return {
      registry,
      outputTool,
      request: {
        ...request,
        messages,
        ...(specs.length === 0 ? {} : { tools: specs }),
        ...(toolChoice === undefined ? {} : { toolChoice }),
      },
    };
  }

  /** Notes a call that was demanded and not made. */
  check({ toolChoice }: ModelRequest, { toolCalls }: ModelResponse, turn: number): void {
    if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return;
    const name = toolChoice === 'required' ? undefined : toolChoice.name;
    if (toolCalls.some(call => name === undefined || call.name === name)) return;
    const asked = name === undefined ? 'a call' : `a call of "${name}"`;
    this.#note(
      turn,
      'tool-choice-unmet',
      `toolChoice asks for ${asked}, and the model made none in turn ${turn}`,
    );
  }

  async #openHistory(turn: number): Promise<ShownHistory> {
    if (this.#history !== undefined) return this.#history;
    const { signal } = this.#input;
    const { view, maxResultTokens } = this.#plan;
    const state = this.#state;
    if (view.summarize !== undefined) {
      state.position = { stage: 'model', where: 'while the history was summarised' };
    }
    const opening = state.messages.slice(0, state.opening);
    const opened = await openView(view, opening, { signal, maxResultTokens }).catch((error: unknown) => {
      throw state.failure('model', `the history could not be summarised: ${messageOf(error)}`, error);
    });
    if (opened.usage !== undefined) {
      state.spend(opened.usage);
      checkUsage(state, 0);
    }
    if (opened.dropped > 0) {
      const message = `${opened.dropped} earlier messages are not shown to the model`;
      this.#input.emit?.({ type: 'note', turn, code: 'history-trimmed', message });
    }
    this.#history = opened;
    return opened;
  }

  /** The tools that may be called, those of sources as they are now. */
  async #ready(turn: number): Promise<ReadyTool<Deps>[]> {
    const { signal } = this.#input;
    const state = this.#state;
    if (this.#plan.supply.sources.length > 0) {
      state.position = { stage: 'tool', where: `while tools were listed for turn ${turn}` };
    }
    const { tools, notes } = await this.#tools.next(signal).catch((error: unknown) => {
      throw state.failure('tool', `the tools could not be listed: ${messageOf(error)}`, error);
    });
    for (const { code, message } of notes) this.#note(turn, code, message);
    const { onlyTool } = this.#plan;
    if (onlyTool === undefined) return [...tools.values()];
    const only = tools.get(onlyTool);
    if (only !== undefined) return [only];
    this.#note(turn, 'tool-choice-missing', `toolChoice "${onlyTool}" is none of the tools; none is offered`);
    return [];
  }

  /** A call that is demanded is demanded until there was one: else no answer could ever come. */
  #choose(names: ReadonlySet<string>, turn: number): ToolChoice | undefined {
    const { toolChoice } = this.#plan;
    if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return toolChoice;
    const { toolCalls, rejectedCalls } = this.#state.counts;
    if (toolCalls + rejectedCalls > 0) return undefined;
    if (toolChoice === 'required' || names.has(toolChoice.name)) return toolChoice;
    const message = `toolChoice "${toolChoice.name}" is none of the tools; the model chooses`;
    this.#note(turn, 'tool-choice-missing', message);
    return undefined;
  }

  #note(turn: number, code: string, message: string): void {
    const { notes } = this.#state;
    if (notes.some(note => note.code === code && note.message === message)) return;
    notes.push({ code, message });
    this.#input.emit?.({ type: 'note', turn, code, message });
  }
}

function specOf<Deps>(
  name: string | undefined,
  schema: NonNullable<RunPlan<Deps>['output']>['schema'],
): readonly ToolSpec[] {
  return name === undefined || schema === undefined ? [] : [outputToolSpec(name, schema)];
}

/** The name, or the name with a number where another tool has it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  return free;
}
