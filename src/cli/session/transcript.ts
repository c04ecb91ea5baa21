/** The file of a conversation: what was said before, and what is said now. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { loadHistory, saveHistory } from '../../agent/history/saved-history.ts';
import { messageOf, TenonError } from '../../basics/failure.ts';
import type { ModelMessage } from '../../models/model.ts';
import type { Given } from '../command.ts';

export interface Transcript {
  /** What the session goes on from. */
  readonly history: readonly ModelMessage[];
  /** Writes the conversation anew, whole or not at all. Does nothing where no file was named. */
  save(messages: readonly ModelMessage[]): void;
}

/** `--continue` is read, and written again unless `--transcript` names another file. Throws a TenonError. */
export function openTranscript({ values }: Given): Transcript {
  const { continue: earlier, transcript = earlier } = values;
  return {
    history: typeof earlier === 'string' ? read(earlier) : [],
    save(messages) {
      if (typeof transcript === 'string' && messages.length > 0) write(transcript, saveHistory(messages));
    },
  };
}

function read(file: string): readonly ModelMessage[] {
  try {
    return loadHistory(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new TenonError(`--continue: ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function write(file: string, text: string): void {
  const beside = `${file}.${process.pid}.part`;
  try {
    writeFileSync(beside, `${text}\n`, { mode: 0o600 });
    renameSync(beside, file);
  } catch (error) {
    throw new TenonError(`the transcript cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
