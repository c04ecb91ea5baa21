/** Uses a server with whoever is at the terminal to answer what it asks. */
import type { Command, Given } from '../command.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type UsedServer, useServer } from '../server/use-server.ts';
import type { Terminal } from '../terminal.ts';
import { answerElicitation } from './answer-elicitation.ts';
import type { Asker } from './asker.ts';

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
  readonly terminal: Terminal;
  readonly asker: Asker | undefined;
}

/** Gives the exit code that `work` gives, or that of Ctrl-C. */
export function useAnswering(
  { see, server, terminal, asker }: AnsweringUse,
  work: (used: UsedServer, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const answers = (name: string) => ({ onElicit: answerElicitation(name, asker, terminal) });
  return runInterruptible(signal =>
    useServer({ see, given: server, terminal, signal, answers }, used => work(used, signal)),
  );
}
