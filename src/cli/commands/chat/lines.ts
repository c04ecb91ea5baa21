/** Where the lines of a chat come from: the person at the terminal, or standard input that is none. */
import { createInterface } from 'node:readline';
import { raceAbort } from '../../../basics/abort.ts';
import type { Asker } from '../../asking/asker.ts';
import { typeLine } from '../../asking/type-line.ts';

export interface ChatLines {
  /** The next one; undefined after the last. Rejects with the reason of the signal. */
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

const mostRemembered = 200;

export function chatLines(asker: Asker | undefined): ChatLines {
  return asker === undefined ? pipedLines() : typedLines(asker);
}

function typedLines(asker: Asker): ChatLines {
  const history: string[] = [];
  return {
    async next(signal) {
      const typed = await asker.converse(() => typeLine('> ', signal, { history, isText: true }), signal);
      if (typed !== undefined && typed.trim() !== '') history.unshift(typed);
      history.splice(mostRemembered);
      return typed;
    },
    close() {},
  };
}

function pipedLines(): ChatLines {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const iterator = lines[Symbol.asyncIterator]();
  return {
    async next(signal) {
      const { done, value } = await raceAbort(iterator.next(), signal);
      return done === true ? undefined : value;
    },
    close() {
      lines.close();
      process.stdin.destroy();
    },
  };
}
