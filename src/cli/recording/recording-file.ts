/** A recording that goes to a file, line by line, so that what was recorded is there whatever happens. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { systemClock } from '../../basics/clock.ts';
import { messageOf, TenonError } from '../../basics/failure.ts';
import type { Terminal } from '../terminal.ts';
import { type RecordedCalls, recordCalls } from './recorded-calls.ts';
import { Recorder } from './recorder.ts';

export interface RecordingFile {
  readonly recorder: Recorder;
  /** For whoever serves. */
  readonly calls: RecordedCalls;
  close(): void;
}

/** Begins the file anew. Throws a TenonError when it cannot be written; later faults are told to `terminal` once. */
export function openRecording(
  file: string,
  command: string,
  terminal: Pick<Terminal, 'warn'>,
  secrets: readonly string[] = [],
): RecordingFile {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'w', 0o600);
  } catch (error) {
    throw new TenonError(`--record: ${messageOf(error)}`, { cause: error });
  }
  let isOpen = true;
  const recorder = new Recorder({
    // The system may have given the number to another file since.
    write: line => void (isOpen && writeSync(descriptor, line)),
    clock: systemClock,
    command,
    started: new Date().toISOString(),
    secrets,
    onFault: error => terminal.warn(`the recording ${file} ends here: ${messageOf(error)}`),
  });
  return {
    recorder,
    calls: recordCalls(recorder),
    close() {
      recorder.end();
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}
