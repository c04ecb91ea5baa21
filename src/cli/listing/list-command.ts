/** A command that lists what a server has. */
import type { Client } from '../../client/client.ts';
import type { Command } from '../command.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { useServer } from '../server/use-server.ts';
import { type ListedEntries, printList } from './list-lines.ts';

export interface ListCommand {
  /** The command, for messages. */
  readonly see: string;
  readonly help: string;
  /** What one entry is called, such as `prompt`. */
  readonly noun: string;
  read(client: Client, signal: AbortSignal): Promise<Pick<ListedEntries, 'lists' | 'lines'>>;
}

export function listCommand({ see, help, noun, read }: ListCommand): Command {
  return {
    help,
    options: { config: { type: 'string' }, timeout: { type: 'string' }, json: { type: 'boolean' } },
    operands: { most: 1, commandLine: true },
    run(given, terminal) {
      return runInterruptible(signal =>
        useServer({ see, given, terminal, signal }, async ({ client, notes }) => {
          const { name, version } = client.server;
          const { lists, lines } = await read(client, signal);
          const title = `${name} ${version}`;
          printList({ title, server: { name, version }, lists, noun, lines, notes }, given, terminal);
          return 0;
        }),
      );
    },
  };
}
