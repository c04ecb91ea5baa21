/** A recording as steps on a line of time, and why it went as it did; pure. */
import { isObject } from '../../../basics/json.ts';
import type { RecordedEvent, Recording } from '../../recording/line.ts';
import { Exchanges } from './exchanges.ts';
import { findOutcome, type Outcome } from './outcome.ts';
import { argumentsOf, firstLine, reasonOf, textOf, wordsOf } from './read-value.ts';
import { RunSteps, type RunTotals } from './run-steps.ts';
import { flatten, StepNode, type TimelineStep } from './step.ts';

export interface Timeline {
  readonly command: string;
  readonly started: string;
  /** Milliseconds from the start to the last line. */
  readonly length: number;
  readonly outcome: Outcome;
  readonly totals: {
    readonly modelCalls: number;
    readonly toolCalls: number;
    readonly messages: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  /** Each before what is inside it. */
  readonly steps: readonly TimelineStep[];
  /** Lines of the recording that could not be read, counted from 1. */
  readonly unread: readonly number[];
}

export function toTimeline({ start, lines, unread }: Recording): Timeline {
  const servers = new Set(lines.map(line => (line.type === 'message' ? line.server : undefined)));
  servers.delete(undefined);
  const builder = new TimelineBuilder(servers.size > 1);
  for (const line of lines) {
    if (line.type === 'message') builder.exchanges.message(line);
    else builder.event(line);
  }
  const { modelCalls, toolCalls, inputTokens, outputTokens } = builder.totals;
  const messages = lines.filter(({ type }) => type === 'message').length;
  const length = lines.reduce((last, { at }) => Math.max(last, at), 0);
  builder.finish(length);
  const steps = flatten(builder.root);
  return {
    command: start.command,
    started: start.started,
    length,
    outcome: findOutcome(steps, builder.ended),
    totals: { modelCalls, toolCalls, messages, inputTokens, outputTokens },
    steps,
    unread,
  };
}

type Event = RecordedEvent['event'];

class TimelineBuilder {
  readonly root = new StepNode('run', '', 0);
  readonly totals: RunTotals = {
    modelCalls: 0,
    toolCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    openTools: new Set(),
  };
  readonly exchanges: Exchanges;
  /** Calls and runs that go on, by the number of the call; the run of the command itself has none. */
  readonly #open = new Map<string, RunSteps>();
  /** For what belongs to no run, as in a recording whose beginning is gone. */
  readonly #loose = new RunSteps(this.root, this.totals);
  readonly #connecting = new Map<string, StepNode>();
  #prompt = '';
  /** The signal that ended the command. */
  #signal = '';
  /** Whether the command came to its end. */
  ended = false;

  constructor(namesServers: boolean) {
    const { openTools } = this.totals;
    this.exchanges = new Exchanges({ around: () => this.#around(), openTools, namesServers });
  }

  event({ at, event }: RecordedEvent): void {
    const type = textOf(event['type']);
    if (Object.hasOwn(this.#handlers, type)) this.#handlers[type]?.(at, event);
    else (this.#open.get('') ?? this.#loose).event(at, event);
  }

  readonly #handlers: Readonly<Record<string, (at: number, event: Event) => void>> = {
    prompt: (_at, { prompt }) => {
      this.#prompt = textOf(prompt);
    },
    'run-start': at => {
      const prompt = this.#prompt === '' ? {} : { prompt: this.#prompt };
      this.#begin('', 'run', at, firstLine(this.#prompt), prompt);
      this.#prompt = '';
    },
    'run-end': (at, event) => this.#end('', at, event),
    'run-paused': (at, event) => this.#end('', at, event),
    'call-start': (at, event) => {
      const { call, tool, arguments: args, resumed } = event;
      const title = `${textOf(tool)} #${textOf(call)}${resumed === true ? ', goes on' : ''}`;
      this.#begin(`call ${textOf(call)}`, 'call', at, title, { arguments: args }).said = argumentsOf(args);
    },
    'call-event': (at, { call, event }) => {
      const steps = this.#open.get(`call ${textOf(call)}`);
      if (steps === undefined || !isObject(event)) return;
      if (event['type'] === 'budget') steps.host.details['budget'] = { ...event, type: undefined };
      else if (event['type'] === 'failure') steps.host.details['error'] ??= event['error'];
      else steps.event(at, event);
    },
    'call-end': (at, event) => this.#endCall(at, event),
    server: (at, { server }) => this.#server(at, isObject(server) ? server : {}),
    // After a signal it goes because of that, and not for what it says.
    connection: (at, event) =>
      this.exchanges.connection(at, this.#signal === '' ? event : { ...event, error: { reason: 'closed' } }),
    diagnostic: (at, event) => this.exchanges.diagnostic(at, event),
    failure: (at, { error }) => {
      if (this.#signal === '') this.#fail(at, error);
      else this.#failBySignal(at);
    },
    signal: (at, { name }) => {
      this.#signal = textOf(name);
      this.root.happen('note', `${this.#signal} came`, at);
    },
    end: () => {
      this.ended = true;
    },
    drop: (at, event) => this.#note(at, event, `the tool ${addressOf(event)} is left out`, false),
    drift: (at, event) => {
      const { drift, blocked } = event;
      const what = isObject(drift) ? `${addressOf(drift)} is not what was approved` : 'a tool changed';
      this.#note(at, event, blocked === true ? `${what}, and is left out` : what, blocked === true);
    },
    approval: (at, event) => {
      this.#note(
        at,
        event,
        `${addressOf(event)}: ${event['allowed'] === true ? 'allowed' : 'denied'}`,
        false,
      );
    },
    unmatched: (at, event) => this.#note(at, event, `${textOf(event['option'])} means no tool`, false),
  };

  /** What is known once all lines are read; a server that a signal ends comes to its end in order. */
  finish(at: number): void {
    if (this.#signal !== '' && !this.ended) this.#failBySignal(at);
  }

  #failBySignal(at: number): void {
    this.ended = true;
    this.#fail(at, { message: `the command was ended by ${this.#signal}` });
  }

  #fail(at: number, error: unknown): void {
    this.root.happen('command', 'failed', at, { error }).fail(firstLine(reasonOf(error)));
  }

  #begin(key: string, kind: 'call' | 'run', at: number, title: string, details: Event): StepNode {
    const node = this.root.add(new StepNode(kind, title, at, details));
    this.#open.set(key, new RunSteps(node, this.totals));
    return node;
  }

  #end(key: string, at: number, event: Event): void {
    const steps = this.#open.get(key);
    if (steps === undefined) return;
    steps.event(at, event);
    this.#open.delete(key);
    const { host, answer } = steps;
    const { error } = host.details;
    host.end(at, answer === '' ? {} : { answer });
    if (error === undefined) host.said = firstLine(answer);
    else host.fail(firstLine(reasonOf(error)));
  }

  #endCall(at: number, event: Event): void {
    const key = `call ${textOf(event['call'])}`;
    const { host } = this.#open.get(key) ?? {};
    if (host === undefined) return;
    this.#open.delete(key);
    const { isError, result, error, asks } = event;
    const told = error === undefined ? wordsOf(result) : reasonOf(error);
    const { error: inFull = error } = host.details;
    host.end(at, {
      ...(told === '' ? {} : { told }),
      ...(inFull === undefined ? {} : { error: inFull }),
      ...(isObject(result) && result['structuredContent'] !== undefined
        ? { data: result['structuredContent'] }
        : {}),
      ...(asks === undefined ? {} : { asks }),
    });
    if (isError === true) host.fail(firstLine(inFull === undefined ? told : reasonOf(inFull)));
    else if (asks !== undefined) host.said = 'asks its caller, and goes on later';
    else host.said = [host.said, firstLine(told)].filter(each => each !== '').join(' → ');
  }

  /** From the first try to connect until the server can be used. */
  #server(at: number, { key, state, error, name }: Event): void {
    const title = textOf(key);
    if (state === 'connecting' && !this.#connecting.has(title)) {
      this.#connecting.set(title, this.#around().add(new StepNode('server', title, at)));
      return;
    }
    const node = this.#connecting.get(title);
    if (node === undefined || (state !== 'ready' && state !== 'failed' && state !== 'closed')) return;
    this.#connecting.delete(title);
    node.end(at, { name, error });
    if (state === 'ready') node.said = textOf(name);
    else node.fail(firstLine(reasonOf(error)));
  }

  #note(at: number, event: Event, title: string, failed: boolean): void {
    const node = this.#around().happen('note', title, at, event);
    node.said = firstLine(textOf(event['reason']));
    node.failed = failed;
  }

  /** The one call or run that goes on; the recording as a whole where there are several, or none. */
  #around(): StepNode {
    const [only, another] = this.#open.values();
    return only === undefined || another !== undefined ? this.root : only.host;
  }
}

function addressOf({ server, tool }: Event): string {
  return `${textOf(server)}/${textOf(tool)}`;
}
