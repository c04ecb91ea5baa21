/** A server of this process as a channel, in the shape that a test wants. */
import type { Acceptor, Channel } from '../channels/channel.ts';
import { type MemoryOptions, memoryChannel } from '../channels/memory.ts';

export type { MemoryOptions } from '../channels/memory.ts';

/**
 * `connect(memory(server))` is `connect(server)`; `memory(server, { replyStreams: true })` gives each request a reply
 * stream of its own, as HTTP does.
 */
export function memory(server: Acceptor, options: MemoryOptions = {}): Channel {
  return memoryChannel(server, options);
}
