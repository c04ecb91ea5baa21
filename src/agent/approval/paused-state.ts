/** A paused run as data: all that another process needs to go on, checked when it comes back. */
import { TenonError } from '../../basics/failure.ts';
import { isObject, parseJson, printJson } from '../../basics/json.ts';
import { sketch } from '../../basics/sketch.ts';
import type { Note } from '../../models/collect.ts';
import { isCount } from '../../models/countable-usage.ts';
import type { ModelMessage, ToolCall, Usage } from '../../models/model.ts';
import type { RunCounts } from '../errors.ts';
import { checkHistory } from '../history/history.ts';

/** How a run stands, JSON-safe; nothing of whose it is. */
export interface RunSnapshot {
  readonly messages: readonly ModelMessage[];
  /** How many of the messages were there when the run began. */
  readonly opening: number;
  readonly turn: number;
  /** How many answers were sent back to be corrected. */
  readonly corrections: number;
  readonly usage: Usage;
  readonly counts: RunCounts;
  readonly notes: readonly Note[];
  readonly strikes: Readonly<Record<string, number>>;
  /** The calls of the last message, in its order. */
  readonly calls: readonly SavedCall[];
}

/** JSON-safe. Keep it where nobody else can change it: what it says was asked is what will run. */
export interface PausedState extends RunSnapshot {
  readonly kind: 'tenon.paused-run';
  readonly version: 1;
  /** `name` of the agent. */
  readonly agent: string | null;
}

/** A call that has its result, or waits. */
export type SavedCall =
  | { readonly id: string; readonly done: SavedOutcome }
  | {
      readonly id: string;
      /** The run that the call had started, when it is that one which waits. */
      readonly nested?: PausedState;
    };

export interface SavedOutcome {
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly outcome: 'worked' | 'failed' | 'not-counted';
}

/** A call that waits for a decision. */
export interface PendingCall {
  /** Decisions are given by it. Of a delegated run's calls: the ids from the outermost in, joined by `/`. */
  readonly id: string;
  readonly tool: string;
  /** What the model asked for, as data. */
  readonly arguments: unknown;
}

/** Characters of the state as JSON. */
const mostCharacters = 32 * 1024 * 1024;
/** Agents that were started by agents. */
const mostNested = 32;

/** A copy that JSON can carry. Throws a TypeError or a TenonError when there can be none. */
export function toPausedState(state: PausedState): PausedState {
  const text = printJson(state);
  if (text.length > mostCharacters) throw tooLarge(text.length);
  return JSON.parse(text) as PausedState;
}

/** The state, as text or parsed already. Throws a TenonError that says what is wrong with it. */
export function readPausedState(given: unknown): PausedState {
  if (typeof given === 'string' && given.length > mostCharacters) throw tooLarge(given.length);
  const parsed = typeof given === 'string' ? parseJson(given) : ({ ok: true, value: given } as const);
  if (!parsed.ok) throw unusable(`it is not valid JSON (${parsed.reason})`);
  let text: string;
  try {
    text = printJson(parsed.value);
  } catch (cause) {
    throw unusable('JSON cannot carry it', cause);
  }
  if (text.length > mostCharacters) throw tooLarge(text.length);
  const copy: unknown = JSON.parse(text);
  checkState(copy, 'the state', 0);
  return copy;
}

/** The calls that wait, those of delegated runs among them. */
export function pendingCalls(state: PausedState): readonly PendingCall[] {
  const asked = new Map(askedCalls(state).map(call => [call.id, call]));
  return state.calls.flatMap((saved): readonly PendingCall[] => {
    const call = asked.get(saved.id);
    if ('done' in saved || call === undefined) return [];
    if (saved.nested !== undefined) {
      return pendingCalls(saved.nested).map(inner => ({
        ...inner,
        id: `${pendingId(saved.id)}/${inner.id}`,
      }));
    }
    const parsed = parseJson(call.arguments.trim() === '' ? '{}' : call.arguments);
    return [
      { id: pendingId(saved.id), tool: call.name, arguments: parsed.ok ? parsed.value : call.arguments },
    ];
  });
}

/** Ids are words of a model: none of them may be taken for the path to another call. */
export function pendingId(callId: string): string {
  return callId.replace(/[%/]/g, encodeURIComponent);
}

/** The calls as the model made them. */
export function askedCalls({ messages }: Pick<RunSnapshot, 'messages'>): readonly ToolCall[] {
  const last = messages.at(-1);
  return (last?.role === 'assistant' ? last.toolCalls : undefined) ?? [];
}

function checkState(state: unknown, where: string, depth: number): asserts state is PausedState {
  const fail = (why: string): never => {
    throw unusable(`${where} ${why}`);
  };
  if (depth > mostNested) fail('holds too many runs within runs');
  if (!isObject(state) || state['kind'] !== 'tenon.paused-run') fail('is not that of a paused run');
  const { version, agent } = state as Readonly<Record<string, unknown>>;
  if (version !== 1) fail(`is of version ${sketch(version)}, and this library reads version 1`);
  if (agent !== null && typeof agent !== 'string') fail('does not name its agent');
  checkSnapshot(state, where, depth);
  if (state.calls.every(call => 'done' in call)) fail('has no call that waits');
}

/** Throws a TenonError that says what is wrong. */
export function checkSnapshot(state: unknown, where: string, depth = 0): asserts state is RunSnapshot {
  const fail = (why: string): never => {
    throw unusable(`${where} ${why}`);
  };
  const { messages, opening, turn, corrections, usage, counts, notes, strikes, calls } = (
    isObject(state) ? state : {}
  ) as Readonly<Record<string, unknown>>;
  try {
    checkHistory(messages);
  } catch (error) {
    fail(`has messages that are none: ${(error as Error).message}`);
  }
  const numbers = { opening, turn, corrections, ...counted(usage, usageKeys), ...counted(counts, countKeys) };
  for (const [name, value] of Object.entries(numbers)) {
    if (!isCount(value) || !Number.isInteger(value)) fail(`has ${name} ${sketch(value)}`);
  }
  if ((opening as number) > (messages as readonly unknown[]).length)
    fail('has more opening messages than messages');
  if (!isObject(strikes) || !Object.values(strikes).every(isCount)) fail('has unusable strikes');
  if (!Array.isArray(notes) || !notes.every(isNote)) fail('has unusable notes');
  checkCalls(state as unknown as RunSnapshot, calls, where, depth);
}

const usageKeys = ['inputTokens', 'outputTokens', 'requests'] as const;
const countKeys = [
  'turns',
  'toolCalls',
  'rejectedCalls',
  'truncatedObservations',
  'truncatedResponses',
] as const;

function counted(value: unknown, keys: readonly string[]): Record<string, unknown> {
  const object = isObject(value) ? value : {};
  return Object.fromEntries(keys.map(key => [key, object[key]]));
}

function isNote(note: unknown): boolean {
  return isObject(note) && typeof note['code'] === 'string' && typeof note['message'] === 'string';
}

/** Each call of the last message stands there once, in order. */
function checkCalls(state: RunSnapshot, calls: unknown, where: string, depth: number): void {
  const asked = askedCalls(state);
  if (!Array.isArray(calls) || calls.length !== asked.length) {
    throw unusable(`${where} does not hold the calls of its last message`);
  }
  for (const [index, call] of (calls as readonly unknown[]).entries()) {
    const { id, done, nested } = isObject(call) ? call : {};
    if (id !== asked[index]?.id)
      throw unusable(`${where} has another call at place ${index} than its last message`);
    if (done !== undefined) checkOutcome(done, `${where} (call ${sketch(id)})`);
    if (nested !== undefined) checkState(nested, `${where} (run of call ${sketch(id)})`, depth + 1);
  }
}

function checkOutcome(done: unknown, where: string): void {
  const { content, outcome } = isObject(done) ? done : {};
  const isContent = typeof content === 'string' || (Array.isArray(content) && content.every(isObject));
  if (isContent && ['worked', 'failed', 'not-counted'].includes(outcome as string)) return;
  throw unusable(`${where} has a result that is none`);
}

function unusable(why: string, cause?: unknown): TenonError {
  return new TenonError(`resume: this state cannot be used: ${why}`, {
    cause,
    hint: 'Give resume the state of a paused run as it was, or its JSON.',
  });
}

function tooLarge(length: number): TenonError {
  return new TenonError(
    `the state of a paused run has ${length} characters; ${mostCharacters} are the most`,
    {
      hint: 'Keep large results out of the transcript: return links or handles, or set maxObservation.',
    },
  );
}
