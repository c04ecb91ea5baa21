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
  readonly #shared = new Map<string, ConnectClient>();

  constructor(connect: ConnectServer) {
    this.#connect = connect;
  }

  /** What gives the connection; the same for all that ask under the same name as the same client. */
  to(name: string, entry: ServerEntry, info: ImplementationInfo): ConnectClient {
    const key = JSON.stringify([name, info.name]);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const made = this.#share(name, entry, info);
    this.#shared.set(key, made);
    return made;
  }

  #share(name: string, entry: ServerEntry, info: ImplementationInfo): ConnectClient {
    let live: Client | undefined;
    const connecting = new SharedWork(async signal => {
      const client = await this.#connect(name, entry, { signal, info });
      if (signal.aborted) {
        // Nobody waits any more, so nobody would close it.
        await client.close();
        throw signal.reason;
      }
      live = client;
      return client;
    });
    return ({ signal }) =>
      live !== undefined && !live.access().gone.aborted ? live : connecting.join(signal);
  }
}
