/** Hears of changes to the tools of one server, for as long as it tells of them. */
import type { Client } from '../../client/client.ts';
import { readObject } from '../../protocol/identity.ts';

export class ServerWatch {
  readonly #onChange: () => void;
  #watched: { readonly client: Client; readonly stop: AbortController } | undefined;
  #isDeaf = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The server promised to tell of changes, and does not any more: what happens meanwhile is not known. */
  get isDeaf(): boolean {
    return this.#isDeaf;
  }

  /** Listens, once per client, where the server promises to tell. */
  begin(client: Client): void {
    if (this.#watched?.client === client) return;
    this.stop();
    this.#isDeaf = false;
    if (readObject(client.capabilities['tools'])['listChanged'] !== true) return;
    const stop = new AbortController();
    this.#watched = { client, stop };
    void this.#listen(client, stop);
  }

  stop(): void {
    this.#watched?.stop.abort();
    this.#watched = undefined;
  }

  async #listen(client: Client, stop: AbortController): Promise<void> {
    try {
      for await (const _change of client.watch({ tools: true }, { signal: stop.signal })) this.#onChange();
    } catch {
      // Lost with the connection, of which the link tells, or refused: either way nothing more is heard.
    }
    if (stop.signal.aborted) return;
    this.#watched = undefined;
    this.#isDeaf = true;
  }
}
