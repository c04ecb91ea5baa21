/** Tells the server from the other words that were typed for a command. */
import { type Given, UsageError } from '../command.ts';

export interface Operands {
  /** What says which server, for `useServer`. */
  readonly server: Given;
  /** The words after it; all of them when the server's command line stands after `--`. */
  readonly rest: readonly string[];
}

export function splitServer(given: Given): Operands {
  const { words, commandLine } = given;
  if (commandLine !== undefined) return { server: { ...given, words: [] }, rest: words };
  return { server: { ...given, words: words.slice(0, 1) }, rest: words.slice(1) };
}

/**
 * The first word after the server. Throws a `UsageError` with that sentence when there is none; without a server too, it
 * is left to `useServer` to ask for that first.
 */
export function needWord({ server, rest: [word] }: Operands, sentence: string): string {
  if (word !== undefined) return word;
  if (server.words.length > 0 || server.commandLine !== undefined) throw new UsageError(sentence);
  return '';
}
