/** The lines of a recording: what happened and when, as JSON, one thing to a line. */
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

/** An event of an agent's run, or of a pattern. */
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
  }
  if (start === undefined) {
    throw new Error('this is no recording: its first line must say so; make one with --record');
  }
  return { start, lines, unread };
}

function readStart(value: Readonly<Record<string, unknown>>): RecordingStart {
  const { version, command, started } = value;
  if (version !== 1) {
    throw new Error(
      `the recording has version ${String(version)}, and this tenon reads version 1; update it`,
    );
  }
  return { type: 'recording', version, command: String(command), started: String(started) };
}

type Candidate = Readonly<Record<string, unknown>>;

function isEvent(value: Candidate): value is Candidate & RecordedEvent {
  return value['type'] === 'event' && typeof value['at'] === 'number' && isObject(value['event']);
}

function isMessage(value: Candidate): value is Candidate & RecordedMessage {
  const { type, at, server, direction } = value;
  return (
    type === 'message' &&
    typeof at === 'number' &&
    typeof server === 'string' &&
    (direction === 'sent' || direction === 'received')
  );
}
