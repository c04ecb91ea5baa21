/** The lines of a recording: what happened and when, as JSON, one thing to a line. */
import { TenonError } from '../../basics/failure.ts';
import { isObject, parseJson } from '../../basics/json.ts';

/** First line. */
export interface RecordingStart {
  readonly type: 'recording';
  readonly version: 1;
  /** What was run, such as `tenon run`. */
  readonly command: string;
  /** ISO 8601. */
  readonly started: string;
}

/** What became of a connection or of a request on it. */
export type ConnectionEvent =
  | {
      readonly type: 'connection';
      readonly server: string;
      /** It could not be opened; it is gone; or the reply to request `id` broke off. */
      readonly state: 'failed' | 'closed' | 'unanswered';
      readonly id?: string | number;
      readonly error: unknown;
    }
  /** What was noticed and gone on from, such as a line on stderr. */
  | {
      readonly type: 'diagnostic';
      readonly server: string;
      readonly kind: string;
      readonly message: string;
    };

/** What a command tells of itself. */
export type CommandEvent =
  /** What the run that follows is to do. */
  | { readonly type: 'prompt'; readonly prompt: string }
  /** Why the command failed. */
  | { readonly type: 'failure'; readonly error: unknown }
  /** A signal came that ends it. */
  | { readonly type: 'signal'; readonly name: string }
  /** It came to its end, well or not; a recording without that was cut off. */
  | { readonly type: 'end' };

/** The calls of a served tool, numbered from 1, and what happens in each. */
export type CallEvent =
  | {
      readonly type: 'call-start';
      readonly call: number;
      readonly tool: string;
      readonly arguments: unknown;
      /** Whether it goes on where it asked its caller. */
      readonly resumed: boolean;
    }
  | { readonly type: 'call-event'; readonly call: number; readonly event: object }
  | {
      readonly type: 'call-end';
      readonly call: number;
      readonly isError: boolean;
      readonly result?: unknown;
      readonly error?: unknown;
      /** The keys of what its caller is asked; the call goes on with another `call-start`. */
      readonly asks?: readonly string[];
    };

/** An event of an agent's run, a pattern, a toolset, a connection, a served call, or the command. */
export interface RecordedEvent {
  readonly type: 'event';
  /** Milliseconds since the start. */
  readonly at: number;
  readonly event: Readonly<Record<string, unknown>>;
}

/** A message to or from a server. */
export interface RecordedMessage {
  readonly type: 'message';
  readonly at: number;
  readonly server: string;
  readonly direction: 'sent' | 'received';
  readonly message: unknown;
}

export type RecordedLine = RecordingStart | RecordedEvent | RecordedMessage;

export interface Recording {
  readonly start: RecordingStart;
  readonly lines: readonly (RecordedEvent | RecordedMessage)[];
  /** Lines that could not be read, counted from 1; a recording that was cut off has one at its end. */
  readonly unread: readonly number[];
}

/** Reads a recording. Lines of kinds that a newer version writes are left out. Throws an Error for what is none. */
export function readRecording(text: string): Recording {
  const unread: number[] = [];
  const lines: (RecordedEvent | RecordedMessage)[] = [];
  let start: RecordingStart | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    const value: unknown = parsed.ok ? parsed.value : undefined;
    if (!isObject(value)) unread.push(index + 1);
    else if (value['type'] === 'recording') start ??= readStart(value);
    else if (isEvent(value) || isMessage(value)) lines.push(value);
    else if (value['type'] === 'event' || value['type'] === 'message') unread.push(index + 1);
  }
  if (start === undefined) {
    throw new TenonError('this is no recording: its first line must say so; make one with --record');
  }
  return { start, lines, unread };
}

function readStart(value: Readonly<Record<string, unknown>>): RecordingStart {
  const { version, command, started } = value;
  if (version !== 1) {
    throw new TenonError(
      `the recording has version ${JSON.stringify(version)}, and this tenon reads version 1; update it`,
    );
  }
  return { type: 'recording', version, command: textOf(command), started: textOf(started) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A hundred years. */
const longestTime = 100 * 366 * 86_400_000;

/** Milliseconds since the start; JSON can hold numbers that are no time. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= longestTime;
}

type Candidate = Readonly<Record<string, unknown>>;

function isEvent(value: Candidate): value is Candidate & RecordedEvent {
  return value['type'] === 'event' && isTime(value['at']) && isObject(value['event']);
}

function isMessage(value: Candidate): value is Candidate & RecordedMessage {
  const { type, at, server, direction } = value;
  return (
    type === 'message' &&
    isTime(at) &&
    typeof server === 'string' &&
    (direction === 'sent' || direction === 'received')
  );
}
