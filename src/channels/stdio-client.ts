/** The client's end of stdio: a server as a child process, one JSON-RPC message a line. */
import type { Channel } from './channel.ts';
import { showCommandLine } from './command-line.ts';
import { openChild } from './stdio-child.ts';
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
    // At once: whoever gives up right after this must find a process that can be stopped.
    open: (receiver, how) => openChild(settings, label, receiver, how),
  };
}
