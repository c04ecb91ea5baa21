/** A recording as steps on a line of time: model calls, tool calls, messages and notes; pure. */
import { isObject } from '../../../basics/json.ts';
import type { RecordedEvent, RecordedMessage, Recording } from '../../recording/line.ts';

export type StepKind = 'run' | 'model' | 'tool' | 'message' | 'note';

/** Something that took time, or happened at once. */
export interface TimelineStep {
  readonly kind: StepKind;
  readonly title: string;
  /** Milliseconds since the start. */
  readonly from: number;
  /** The same as `from` for what happened at once; `undefined` for what never ended. */
  readonly to: number | undefined;
  readonly failed: boolean;
  /** What there is to read about it, by name. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Timeline {
  readonly command: string;
  readonly started: string;
  readonly steps: readonly TimelineStep[];
  /** Milliseconds from the start to the last line. */
  readonly length: number;
  readonly totals: {
    readonly modelCalls: number;
    readonly toolCalls: number;
    readonly messages: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
}

interface Open {
  readonly index: number;
  readonly from: number;
}

export function toTimeline({ start, lines }: Recording): Timeline {
  const builder = new TimelineBuilder();
  for (const line of lines) {
    if (line.type === 'message') builder.message(line);
    else builder.event(line);
  }
  const { steps, totals } = builder;
  return {
    command: start.command,
    started: start.started,
    steps,
    length: lines.at(-1)?.at ?? 0,
    totals,
  };
}

class TimelineBuilder {
  readonly steps: TimelineStep[] = [];
  readonly totals = { modelCalls: 0, toolCalls: 0, messages: 0, inputTokens: 0, outputTokens: 0 };
  readonly #open = new Map<string, Open>();
  #text = '';

  message({ at, server, direction, message }: RecordedMessage): void {
    this.totals.messages += 1;
    const { method, id, error } = isObject(message) ? message : {};
    const what =
      typeof method === 'string' ? method : id === undefined ? 'message' : `answer to ${String(id)}`;
    const arrow = direction === 'sent' ? '→' : '←';
    this.#happen('message', `${arrow} ${server}: ${what}`, at, { message }, error !== undefined);
  }

  event({ at, event }: RecordedEvent): void {
    const { type } = event;
    if (type === 'model-start') this.#begin('model', 'model', String(event['model']), at);
    else if (type === 'text-delta') this.#text += String(event['text']);
    else if (type === 'model-end') this.#endModel(at, event);
    else if (type === 'tool-start') this.#beginTool(at, event);
    else if (type === 'tool-end') this.#endTool(at, event);
    else if (type === 'run-start') this.#begin('run', 'run', 'run', at);
    else if (type === 'run-end') this.#end('run', at, event, event['error'] !== undefined);
    else if (type === 'note' || type === 'output-rejected') {
      this.#happen('note', String(event['message']), at, event, type === 'output-rejected');
    } else if (type === 'run-paused') this.#happen('note', 'waits for approval', at, event, false);
  }

  #endModel(at: number, event: RecordedEvent['event']): void {
    const { inputTokens, outputTokens, requests } = isObject(event['usage']) ? event['usage'] : {};
    this.totals.modelCalls += count(requests);
    this.totals.inputTokens += count(inputTokens);
    this.totals.outputTokens += count(outputTokens);
    this.#end('model', at, { ...event, text: this.#text }, event['error'] !== undefined);
    this.#text = '';
  }

  #beginTool(at: number, event: RecordedEvent['event']): void {
    this.totals.toolCalls += 1;
    this.#begin(`tool ${String(event['callId'])}`, 'tool', String(event['tool']), at, {
      arguments: event['arguments'],
    });
  }

  #endTool(at: number, event: RecordedEvent['event']): void {
    const key = `tool ${String(event['callId'])}`;
    // A call that was never run has no start.
    if (!this.#open.has(key)) this.#begin(key, 'tool', String(event['tool']), at);
    this.#end(
      key,
      at,
      { result: event['result'], ...(event['error'] ? { error: event['error'] } : {}) },
      event['isError'] === true,
    );
  }

  #begin(key: string, kind: StepKind, title: string, at: number, details: object = {}): void {
    this.#open.set(key, { index: this.steps.length, from: at });
    this.steps.push({ kind, title, from: at, to: undefined, failed: false, details: { ...details } });
  }

  #end(key: string, at: number, details: object, failed: boolean): void {
    const open = this.#open.get(key);
    const step = open && this.steps[open.index];
    if (open === undefined || step === undefined) return;
    this.#open.delete(key);
    this.steps[open.index] = { ...step, to: at, failed, details: { ...step.details, ...details } };
  }

  #happen(kind: StepKind, title: string, at: number, details: object, failed: boolean): void {
    this.steps.push({ kind, title, from: at, to: at, failed, details: { ...details } });
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
