/** The steps of one run or pattern, out of its events: model calls, tool calls with what is inside them, notes; pure. */
import { isObject } from '../../../basics/json.ts';
import { argumentsOf, countOf, firstLine, reasonOf, textOf, wordsOf } from './read-value.ts';
import { StepNode } from './step.ts';

type Event = Readonly<Record<string, unknown>>;

/** What all runs of a recording count and share. */
export interface RunTotals {
  modelCalls: number;
  toolCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** Tools that are running, for the messages that belong to them. */
  readonly openTools: Set<StepNode>;
}

export class RunSteps {
  readonly host: StepNode;
  readonly #totals: RunTotals;
  /** What began and did not end: model requests and tool calls. */
  readonly #open = new Map<string, StepNode>();
  readonly #inner = new Map<string, RunSteps>();
  #model: StepNode | undefined;

  constructor(host: StepNode, totals: RunTotals) {
    this.host = host;
    this.#totals = totals;
  }

  /** Does nothing for events that it does not know, or that say nothing to people. */
  event(at: number, event: Event): void {
    const type = textOf(event['type']);
    if (Object.hasOwn(handlers, type)) handlers[type]?.(this, at, event);
  }

  beginModel(key: string, at: number, event: Event): void {
    const known = this.#open.get(key);
    if (known !== undefined) {
      known.details['attempts'] = event['attempt'];
      return;
    }
    const node = this.host.add(new StepNode('model', textOf(event['model']), at));
    this.#open.set(key, node);
    this.#model = node;
  }

  /** A piece of what the model says. */
  hear(name: 'text' | 'reasoning', text: unknown): void {
    const details = this.#model?.details;
    if (details !== undefined) details[name] = textOf(details[name]) + textOf(text);
  }

  endModel(key: string, at: number, event: Event): void {
    const node = this.#take(key);
    if (node === undefined) return;
    const { text = node.details['text'], usage, finish, error } = event;
    const { requests, inputTokens, outputTokens } = isObject(usage) ? usage : event;
    this.spend(requests, inputTokens, outputTokens);
    const used = countOf(inputTokens) + countOf(outputTokens) > 0;
    node.end(at, {
      ...(textOf(text) === '' ? {} : { text }),
      ...(used ? { tokens: { in: countOf(inputTokens), out: countOf(outputTokens) } } : {}),
      ...(finish === undefined || finish === 'stop' ? {} : { finish }),
      ...(isObject(usage) ? { usage } : {}),
      ...(error === undefined ? {} : { error: event['message'] ?? error }),
    });
    if (error !== undefined) node.fail(firstLine(reasonOf(event['message'] ?? error)));
    else node.said = firstLine(textOf(text));
  }

  spend(requests: unknown, inputTokens: unknown, outputTokens: unknown): void {
    this.#totals.modelCalls += countOf(requests);
    this.#totals.inputTokens += countOf(inputTokens);
    this.#totals.outputTokens += countOf(outputTokens);
  }

  /** The response calls a tool. */
  wish(event: Event): void {
    const node = this.#model;
    if (node === undefined) return;
    const { calls: before } = node.details;
    const calls = Array.isArray(before) ? before : [];
    node.details['calls'] = [...calls, { tool: event['tool'], arguments: event['arguments'] }];
    if (!node.failed && textOf(node.details['text']).trim() === '') {
      node.said = `calls ${[...calls, { tool: event['tool'] }].map(call => textOf(call.tool)).join(', ')}`;
    }
  }

  beginTool(key: string, at: number, event: Event): StepNode {
    this.#totals.toolCalls += 1;
    const { arguments: args } = event;
    const node = this.host.add(new StepNode('tool', nameOf(event), at, { arguments: args }));
    node.said = argumentsOf(args);
    this.#open.set(key, node);
    this.#totals.openTools.add(node);
    return node;
  }

  endTool(key: string, at: number, event: Event): void {
    // A call that was never run has no start.
    const node = this.#open.get(key) ?? this.beginTool(key, at, event);
    this.#open.delete(key);
    this.#totals.openTools.delete(node);
    const { result, structuredContent, error } = event;
    node.end(at, {
      result: typeof result === 'string' ? result : wordsOf(result),
      ...(structuredContent === undefined ? {} : { data: structuredContent }),
      ...(error === undefined ? {} : { error }),
    });
    const words = firstLine(wordsOf(result));
    if (event['isError'] === true) node.fail(words === '' ? firstLine(reasonOf(error)) : words);
    else node.said = [node.said, words].filter(each => each !== '').join(' → ');
  }

  /** Something that is told of a tool while it runs. */
  addTo(key: string, name: string, entry: unknown): void {
    const node = this.#open.get(key);
    if (node === undefined) return;
    const { [name]: before } = node.details;
    // Progress may come often, and only the last of it says something.
    node.details[name] = [...(Array.isArray(before) ? before.slice(-49) : []), entry];
  }

  /** What happens in a run that a tool has started. */
  delegate(key: string, at: number, event: unknown): void {
    const host = this.#open.get(key);
    if (host === undefined || !isObject(event)) return;
    const inner = this.#inner.get(key) ?? new RunSteps(host, this.#totals);
    this.#inner.set(key, inner);
    inner.event(at, event);
  }

  /** The last words of the model. */
  get answer(): string {
    return textOf(this.#model?.details['text']);
  }

  #take(key: string): StepNode | undefined {
    const node = this.#open.get(key);
    this.#open.delete(key);
    return node;
  }
}

/** Runs of agents and patterns name things differently. */
const nameOf = (event: Event): string => textOf(event['tool'] ?? event['name']);
const keyOf = (event: Event): string => `tool ${textOf(event['callId'] ?? event['id'])}`;
const patternKey = (event: Event): string => `model ${textOf(event['call'])}`;

type Handler = (steps: RunSteps, at: number, event: Event) => void;

const note =
  (title: (event: Event) => string, failed: boolean): Handler =>
  (steps, at, event) => {
    const node = steps.host.happen('note', title(event), at, event);
    const { message = event['reason'] } = event;
    node.said = firstLine(textOf(message));
    node.failed = failed;
  };

const decided = note(event => `${nameOf(event)}: approval ${textOf(event['outcome'])}`, false);

/** By the type of the event; what is not here says nothing to people, or is said by another one as well. */
const handlers: Readonly<Record<string, Handler>> = {
  'model-start': (steps, at, event) => steps.beginModel('model', at, event),
  'text-delta': (steps, _at, { text }) => steps.hear('text', text),
  'reasoning-delta': (steps, _at, { text }) => steps.hear('reasoning', text),
  'model-end': (steps, at, event) => steps.endModel('model', at, event),
  'llm-start': (steps, at, event) => {
    steps.spend(1, 0, 0);
    steps.beginModel(patternKey(event), at, event);
  },
  'llm-end': (steps, at, event) => steps.endModel(patternKey(event), at, event),
  'llm-error': (steps, at, event) => steps.endModel(patternKey(event), at, event),
  'tool-call': (steps, _at, event) => steps.wish(event),
  'tool-start': (steps, at, event) => {
    // Patterns do not say what a response calls before it runs.
    if (event['name'] !== undefined) steps.wish({ tool: event['name'], arguments: event['arguments'] });
    steps.beginTool(keyOf(event), at, event);
  },
  'tool-progress': (steps, at, event) => steps.addTo(keyOf(event), 'progress', { at, ...progressOf(event) }),
  'tool-log': (steps, at, event) =>
    steps.addTo(keyOf(event), 'log', { at, level: event['level'], data: event['data'] }),
  'tool-end': (steps, at, event) => steps.endTool(keyOf(event), at, event),
  delegated: (steps, at, event) => steps.delegate(keyOf(event), at, event['event']),
  note: note(() => 'note', false),
  'output-rejected': note(() => 'the answer is not what was asked for', true),
  'run-paused': note(() => 'waits for approval', false),
  'approval-asked': note(event => `${nameOf(event)}: approval is asked for`, false),
  'approval-decided': decided,
  'run-end': (steps, _at, { error, counts, usage }) => {
    Object.assign(steps.host.details, { ...(counts === undefined ? {} : { counts }), usage });
    if (error !== undefined) steps.host.details['error'] = error;
  },
};

function progressOf({ done, total, message }: Event): Event {
  return { done, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
}
