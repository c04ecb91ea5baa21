/** One connection to a server for all patterns and agents that use it, made when the first needs it and anew when it is lost. */
import type { Client } from '../../client/client.ts';
import type { ImplementationInfo } from '../../tools/context.ts';
import type { ConnectClient } from '../toolset/server-sources.ts';
import { SharedWork } from '../toolset/shared-work.ts';
import type { ServerEntry } from './server-entry.ts';

/** Connects to a server of the configuration. `info` is what its client has to say of itself. */
export type ConnectServer = (
  name: string,
  entry: ServerEntry,
  options: { readonly signal: AbortSignal; readonly info: ImplementationInfo },
) => Client | Promise<Client>;

export class Connections {
  readonly #connect: ConnectServer;
  readonly #shared = new Map<string, SharedConnection>();

  constructor(connect: ConnectServer) {
    this.#connect = connect;
  }

  /** What gives the connection; the same for all that ask for the same entry under the same name as the same client. */
  to(name: string, entry: ServerEntry, info: ImplementationInfo): ConnectClient {
    const key = JSON.stringify([name, info.name, entry]);
    const known = this.#shared.get(key);
    if (known !== undefined) return known.join;
    const connect = async (signal: AbortSignal): Promise<Client> =>
      this.#connect(name, entry, { signal, info });
    const made = new SharedConnection(name, entryKey(name, entry), connect);
    this.#shared.set(key, made);
    return made.join;
  }

  /** Closes what leads to none of these servers, and gives the names of those that were in use. Never rejects. */
  async retain(
    servers: readonly (readonly [name: string, entry: ServerEntry])[],
  ): Promise<readonly string[]> {
    const wanted = new Set(servers.map(([name, entry]) => entryKey(name, entry)));
    const gone = [...this.#shared].filter(([, { leadsTo }]) => !wanted.has(leadsTo));
    for (const [key] of gone) this.#shared.delete(key);
    const used = gone.filter(([, each]) => each.isUsed).map(([, { name }]) => name);
    await Promise.all(gone.map(([, each]) => each.close()));
    return [...new Set(used)];
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.retain([]);
  }
}

function entryKey(name: string, entry: ServerEntry): string {
  return JSON.stringify([name, entry]);
}

class SharedConnection {
  readonly name: string;
  readonly leadsTo: string;
  readonly #connecting: SharedWork<Client>;
  #live: Client | undefined;
  /** The end of the one before, which may have been lost with its process still there. */
  #ending: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(name: string, leadsTo: string, connect: (signal: AbortSignal) => Promise<Client>) {
    this.name = name;
    this.leadsTo = leadsTo;
    this.#connecting = new SharedWork(async signal => {
      const client = await connect(signal);
      if (signal.aborted || this.#isClosed) {
        // Nobody waits any more, so nobody would close it.
        await client.close();
        throw signal.reason ?? new DOMException('the connection is not needed any more', 'AbortError');
      }
      this.#end();
      this.#live = client;
      return client;
    });
  }

  readonly join: ConnectClient = ({ signal }) =>
    this.#live !== undefined && !this.#live.access().gone.aborted
      ? this.#live
      : this.#connecting.join(signal);

  get isUsed(): boolean {
    return this.#live !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#ending;
  }

  #end(): void {
    const ending = this.#live?.close().catch(() => undefined);
    this.#ending = Promise.all([this.#ending, ending]);
  }
}
