/** Uses a server with whoever is at the terminal to answer what it asks. */
import type { Command, Given } from '../command.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type UsedServer, useServer } from '../server/use-server.ts';
import type { Terminal } from '../terminal.ts';
import { answerElicitation } from './answer-elicitation.ts';
import { type Asker, askerAt } from './asker.ts';

/** The options of every command that asks something of a server and delivers what it gives. */
export const answeringOptions: Command['options'] = {
  out: { type: 'string' },
  config: { type: 'string' },
  timeout: { type: 'string' },
  record: { type: 'string' },
  json: { type: 'boolean' },
};

export interface AnsweringUse {
  /** The command, for messages. */
  readonly see: string;
  /** What says which server. */
  readonly server: Given;
  readonly screen: Terminal;
  /** Whether the command reads standard input itself, so that nobody can be asked. */
  readonly usesInput?: boolean;
}

export interface AnsweredServer extends UsedServer {
  /** To be used in place of the screen, so that nothing is said into a question. */
  readonly terminal: Terminal;
  /** Absent where nobody can be asked. */
  readonly asker: Asker | undefined;
}

/** Gives the exit code that `work` gives, or that of Ctrl-C. */
export function useAnswering(
  { see, server, screen, usesInput = false }: AnsweringUse,
  work: (used: AnsweredServer, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const asker = usesInput ? undefined : askerAt(screen);
  const terminal = asker?.terminal ?? screen;
  const answers = (name: string) => ({ onElicit: answerElicitation(name, asker, terminal) });
  return runInterruptible(signal =>
    useServer({ see, given: server, terminal, signal, answers }, used =>
      work({ ...used, terminal, asker }, signal),
    ),
  );
}
