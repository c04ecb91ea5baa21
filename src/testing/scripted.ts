/** A model that follows a script: for tests, and for examples that run without a network. */
import { raceAbort } from '../basics/abort.ts';
import { TenonError } from '../basics/failure.ts';
import type { FinishReason, Model, ModelRequest, Part, RespondOptions, Usage } from '../models/model.ts';

/** A tool call of a step. `arguments` is raw text when it is a string, else it is written as JSON; `{}` by default. */
export interface ScriptedCall {
  readonly name: string;
  /** `call_1`, `call_2` … over the whole script unless said. */
  readonly id?: string;
  readonly arguments?: unknown;
}

/** One response. */
export interface ScriptedResponse {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Added to one request and no tokens. */
  readonly usage?: Partial<Usage>;
  /** `tool-calls` when there are any, else `stop`, unless said. */
  readonly finish?: FinishReason;
  readonly notes?: readonly { readonly code: string; readonly message: string }[];
  /** Nothing comes before this has settled; an abort is honoured meanwhile. */
  readonly wait?: PromiseLike<unknown>;
  /** Thrown after the parts above instead of an orderly end. */
  readonly error?: unknown;
}

type Answer = string | ScriptedResponse | Error;

/** Text, a whole response, an error to throw, or a function that makes one of these from the request. */
export type ScriptedStep = Answer | ((request: ModelRequest, index: number) => Answer | Promise<Answer>);

export interface ScriptedOptions {
  /** `scripted` unless said. */
  readonly name?: string;
  /** Text and arguments come in pieces of so many characters; whole unless said. */
  readonly pieces?: number;
  /** Starts again after the last step instead of failing; false by default. */
  readonly cycle?: boolean;
}

/** A scripted model, and what it was asked. */
export interface ScriptedModel extends Model {
  /** Deep copies of all requests, in order. */
  readonly requests: readonly ModelRequest[];
  /** How many steps are left. */
  readonly remaining: number;
}

/** Plays `steps` one per request. A request too many fails with an error that says so. */
export function scripted(steps: readonly ScriptedStep[], options: ScriptedOptions = {}): ScriptedModel {
  const { name = 'scripted', pieces = Number.POSITIVE_INFINITY, cycle = false } = options;
  if (!(pieces >= 1)) throw new TypeError(`scripted: pieces must be at least 1, got ${pieces}`);
  const requests: ModelRequest[] = [];
  let calls = 0;
  const nextId = (): string => {
    calls += 1;
    return `call_${calls}`;
  };

  async function* respond(request: ModelRequest, respondOptions: RespondOptions = {}): AsyncGenerator<Part> {
    const { signal, onAttempt } = respondOptions;
    signal?.throwIfAborted();
    onAttempt?.({ model: name, number: 1 });
    const index = requests.length;
    requests.push(structuredClone(request));
    const step = steps[cycle && steps.length > 0 ? index % steps.length : index];
    if (step === undefined) {
      throw new TenonError(
        `${name}: request ${index + 1} came, but the script has only ${steps.length} steps`,
        {
          hint: 'Add a step, or pass cycle: true.',
        },
      );
    }
    const answer =
      typeof step === 'function' ? await raceAbort(Promise.resolve(step(request, index)), signal) : step;
    const response = toResponse(answer);
    if (response.wait !== undefined) await raceAbort(response.wait, signal);
    for (const part of toParts(response, pieces, nextId)) {
      signal?.throwIfAborted();
      yield part;
    }
    if (response.error !== undefined) throw response.error;
  }

  return {
    name,
    respond,
    requests,
    get remaining() {
      return cycle ? Number.POSITIVE_INFINITY : Math.max(0, steps.length - requests.length);
    },
  };
}

function toResponse(answer: Answer): ScriptedResponse {
  if (typeof answer === 'string') return { text: answer };
  return answer instanceof Error ? { error: answer } : answer;
}

function* toParts(response: ScriptedResponse, pieces: number, nextId: () => string): Generator<Part> {
  const { text = '', reasoning = '', toolCalls = [], usage, notes = [], error } = response;
  for (const note of notes) yield { type: 'note', ...note };
  for (const piece of cut(reasoning, pieces)) yield { type: 'reasoning', text: piece };
  for (const piece of cut(text, pieces)) yield { type: 'text', text: piece };
  for (const [index, call] of toolCalls.entries()) {
    yield { type: 'tool-call-start', index, id: call.id ?? nextId(), name: call.name };
    const raw = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
    for (const piece of cut(raw, pieces)) yield { type: 'tool-call-delta', index, arguments: piece };
  }
  if (error !== undefined) return;
  yield { type: 'usage', usage: { inputTokens: 0, outputTokens: 0, requests: 1, ...usage } };
  yield { type: 'finish', reason: response.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop') };
}

function cut(text: string, size: number): readonly string[] {
  if (text.length <= size) return text === '' ? [] : [text];
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
