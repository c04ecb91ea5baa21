/** Where commands write: standard output, standard error, and a line that passes. */
import { plainText } from './print.ts';

/** How a text may look where colours are wanted. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** The ways out of a command; each takes a text without its last line break. */
export interface Terminal {
  /** What the command was asked for. */
  print(text: string): void;
  /** A piece of it that comes bit by bit, line breaks included. */
  write(text: string): void;
  /** Everything else; whosever words these are, they steer no terminal. */
  warn(text: string): void;
  /** What goes on at the moment, in place of what it said before; empty takes it away. Seen by people only. */
  status(text: string): void;
  /** The text for `print` in that style, where there are colours. */
  paint(style: Style, text: string): string;
}

/** What is written to, as far as this file knows it. */
export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  once?(event: 'error', listener: (error: Error) => void): unknown;
}

const styles: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

const eraseLine = '\r\u001b[2K';

/** A terminal on these streams. Neither colours nor passing lines unless the stream is a terminal that can do them. */
export function terminalOn(
  out: Stream,
  err: Stream,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const able = (stream: Stream): boolean => stream.isTTY === true && environment['TERM'] !== 'dumb';
  const coloured = able(out) && (environment['NO_COLOR'] ?? '') === '';
  const passing = able(err);
  let shown = false;
  let guarded = false;
  let heard = false;
  const put = (text: string): void => {
    erase();
    if (!guarded) out.once?.('error', error => process.exit(codeOf(error)));
    guarded = true;
    out.write(text);
  };
  const erase = (): void => {
    if (shown) err.write(eraseLine);
    shown = false;
  };
  /** Whoever reads may leave early, as `head` does; a disk that is full is another matter. */
  const codeOf = (error: Error): number => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
    err.write(`cannot write to standard output: ${plainText(error.message)}\n`);
    return 1;
  };
  return {
    print: text => put(`${text}\n`),
    write: put,
    warn(text) {
      erase();
      // Where nobody can be told, the exit code still says it.
      if (!heard) err.once?.('error', () => {});
      heard = true;
      err.write(`${plainText(text)}\n`);
    },
    status(text) {
      if (!passing) return;
      erase();
      if (text === '') return;
      err.write(
        plainText(text)
          .replace(/\s/g, ' ')
          .slice(0, Math.max((err.columns || 80) - 1, 0)),
      );
      shown = true;
    },
    paint(style, text) {
      const [on, off] = styles[style];
      return coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
    },
  };
}

/** The process's own standard output and error. */
export const processTerminal: Terminal = Object.freeze(
  terminalOn(process.stdout, process.stderr, process.env),
);
