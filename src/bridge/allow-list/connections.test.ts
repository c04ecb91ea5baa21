import { describe, expect, it } from 'vitest';
import type { Client } from '../../client/client.ts';
import { Connections } from './connections.ts';
import type { ServerEntry } from './server-entry.ts';

const shop: ServerEntry = { transport: 'http', url: 'http://localhost:1/mcp', headers: {} };
const moved: ServerEntry = { ...shop, url: 'http://localhost:2/mcp' };
const info = { name: 'test', version: '1' };
const patient = { signal: new AbortController().signal };

/** What a connection is to those who share it. */
class FakeClient {
  readonly #gone = new AbortController();
  closed = 0;

  access(): { readonly gone: AbortSignal } {
    return { gone: this.#gone.signal };
  }

  lose(): void {
    this.#gone.abort();
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}

function open(): { readonly connections: Connections; readonly made: FakeClient[] } {
  const made: FakeClient[] = [];
  const connections = new Connections(async () => {
    const client = new FakeClient();
    made.push(client);
    return client as unknown as Client;
  });
  return { connections, made };
}

describe('connections that are shared', () => {
  it('are one for the same entry, name and client, and others for another', async () => {
    const { connections, made } = open();
    const join = async (name: string, entry: ServerEntry, as = info): Promise<unknown> =>
      connections.to(name, entry, as)(patient);
    const first = await join('shop', shop);
    expect(await join('shop', { ...shop })).toBe(first);
    expect(made).toHaveLength(1);
    await Promise.all([
      join('shop', moved),
      join('store', shop),
      join('shop', shop, { ...info, name: 'deep' }),
    ]);
    expect(made).toHaveLength(4);
  });

  it('are closed when their server is no longer wanted, which names those that were in use', async () => {
    const { connections, made } = open();
    await connections.to('kept', shop, info)(patient);
    await connections.to('moved', shop, info)(patient);
    connections.to('idle', shop, info);
    expect(
      await connections.retain([
        ['kept', { ...shop }],
        ['moved', moved],
      ]),
    ).toEqual(['moved']);
    expect(made.map(({ closed }) => closed)).toEqual([0, 1]);
    await connections.close();
    expect(made.map(({ closed }) => closed)).toEqual([1, 1]);
  });

  it('are made anew when they were lost, and what is left of the lost one is closed', async () => {
    const { connections, made } = open();
    const join = connections.to('shop', shop, info);
    await join(patient);
    made[0]?.lose();
    expect(await join(patient)).toBe(made[1]);
    await connections.close();
    expect(made.map(({ closed }) => closed)).toEqual([1, 1]);
  });

  it('are closed when they come after nobody wants them', async () => {
    const { connections, made } = open();
    const coming = connections.to('shop', shop, info)(patient);
    await connections.close();
    await expect(coming).rejects.toThrow('not needed any more');
    expect(made.map(({ closed }) => closed)).toEqual([1]);
  });
});
