/** The file of a conversation: what was said before, and what is said now. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { loadHistory, saveHistory } from '../../agent/history/saved-history.ts';
import { messageOf, TenonError } from '../../basics/failure.ts';
import type { ModelMessage } from '../../models/model.ts';
import { type Given, UsageError } from '../command.ts';
import { checkReplaceable, placeOf, statOf } from '../output-file.ts';

export interface Transcript {
  /** What the session goes on from. */
  readonly history: readonly ModelMessage[];
  /** Writes the conversation anew, whole or not at all. Does nothing where no file was named. */
  save(messages: readonly ModelMessage[]): void;
}

/** A conversation has its version first, or is a bare list. */
const replaceable = { begins: /^\s*(?:\{\s*"(?:version|messages)"|\[)/, called: 'a conversation' };

/**
 * `--continue` is read, and written again unless `--transcript` names another file. Throws a UsageError for what cannot be
 * read, and for a file that must not be written, before anything is paid for.
 */
export function openTranscript({ values }: Given): Transcript {
  const { continue: earlier, transcript = earlier, record } = values;
  const history = typeof earlier === 'string' ? read(earlier) : [];
  if (typeof transcript !== 'string') return { history, save() {} };
  const place = findPlace(transcript === earlier ? '--continue' : '--transcript', transcript, record);
  return {
    history,
    save(messages) {
      if (messages.length > 0) write(place, saveHistory(messages));
    },
  };
}

function read(file: string): readonly ModelMessage[] {
  try {
    return loadHistory(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--continue: ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** The file is replaced as a whole, which nothing but a file survives. */
function findPlace(option: string, file: string, record: unknown): string {
  let place: string;
  let recorded: string | undefined;
  try {
    place = placeOf(file);
    recorded = typeof record === 'string' ? placeOf(record) : undefined;
  } catch (error) {
    throw new TenonError(`${option}: ${messageOf(error)}`, { cause: error });
  }
  if (place === recorded) {
    throw new UsageError(
      `${option} and --record name the same file, ${file}; the one would replace the other`,
    );
  }
  // Where a link of the system leads, such as that of standard output, need not be a path.
  if (statOf(file)?.isFile() === false) {
    throw new UsageError(`${option}: ${file} is no file that can be replaced; name one`);
  }
  checkReplaceable(option, place, replaceable);
  return place;
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
