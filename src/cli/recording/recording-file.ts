/** A recording that goes to a file, line by line, so that what was recorded is there whatever happens. */
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { systemClock } from '../../basics/clock.ts';
import { messageOf, TenonError } from '../../basics/failure.ts';
import { checkReplaceable } from '../output-file.ts';
import type { Terminal } from '../terminal.ts';
import { type RecordedCalls, recordCalls } from './recorded-calls.ts';
import { Recorder } from './recorder.ts';
import { watchSignals } from './watch-signals.ts';

export interface RecordingFile {
  readonly recorder: Recorder;
  /** For whoever serves. */
  readonly calls: RecordedCalls;
  close(): void;
}

const replaceable = { begins: /^\{"type":"recording"/, called: 'a recording' };

/**
 * Begins the file anew. Throws a TenonError when it cannot be written, and a UsageError when it holds something else than
 * a recording; later faults are told to `terminal` once. `secrets` may grow.
 */
export function openRecording(
  file: string,
  command: string,
  terminal: Pick<Terminal, 'warn'>,
  secrets: readonly string[] = [],
): RecordingFile {
  checkReplaceable('--record', file, replaceable);
  const descriptor = openAnew(file);
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
  const unwatch = watchSignals(name => recorder.command({ type: 'signal', name }));
  return {
    recorder,
    calls: recordCalls(recorder),
    close() {
      if (!isOpen) return;
      unwatch();
      recorder.end();
      recorder.command({ type: 'end' });
      isOpen = false;
      closeSync(descriptor);
    },
  };
}

/** Empty, and for its owner alone before anything is in it, also where it was there already. */
function openAnew(file: string): number {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
    if (fstatSync(descriptor).isFile()) {
      fchmodSync(descriptor, 0o600);
      ftruncateSync(descriptor);
    }
    return descriptor;
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw new TenonError(`--record: ${messageOf(error)}`, { cause: error });
  }
}
