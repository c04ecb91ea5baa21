/** How each server of a toolset is doing, for whoever watches. */

/**
 * `idle`: not needed yet; `ready`: its list was read and it can be called; `failed`: it cannot be reached or gives no
 * list, and is tried again; `closed`: by whoever owns its client, or with the toolset.
 */
export type ServerState = 'idle' | 'connecting' | 'ready' | 'failed' | 'closed';

export interface ServerStatus {
  readonly key: string;
  /** What the server calls itself, once it is known. */
  readonly name?: string | undefined;
  readonly state: ServerState;
  /** Why it is `failed` or `closed`. */
  readonly error?: unknown;
  /** How many of its tools are in the last list that was given out. */
  readonly tools: number;
  /** Why it has more tools than were read or taken over; absent when all were. `dropped()` has it too. */
  readonly cut?: string | undefined;
  /** About how many tokens the definitions of these tools take. */
  readonly tokens: number;
  /** Since when, by the clock of the toolset, in milliseconds. */
  readonly since: number;
}
