/** The client's end of stdio: a server as a child process, one JSON-RPC message a line. */
import type { Channel } from './channel.ts';
import { showCommandLine } from './command-line.ts';
import { readStdioOptions, type StdioOptions } from './stdio-options.ts';

export type { StdioOptions } from './stdio-options.ts';

/**
 * A server that is started as a child process and spoken to over its stdin and stdout. Each `open` starts a fresh one.
 * Throws a `TypeError` for options that cannot be meant.
 */
export function stdio(options: StdioOptions): Channel {
  const settings = readStdioOptions(options);
  const label = showCommandLine(settings);
  const network = { 'network.transport': 'pipe' };
  return {
    label,
    network,
    async open(receiver, how) {
      // A program that is a server itself has no use for what starts one.
      const { openChild } = await import('./stdio-child.ts');
      return openChild(settings, label, receiver, how);
    },
  };
}
