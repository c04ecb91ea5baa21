/** What a toolset is made of: clients, or functions that connect when they are needed, each under a key. */
import { checkHas } from '../../basics/option-checks.ts';
import { sketch } from '../../basics/sketch.ts';
import type { Client } from '../../client/client.ts';

/** Connects; called when the server is needed first, and again when the connection was lost. */
export type ConnectClient = (options: { readonly signal: AbortSignal }) => Client | Promise<Client>;

/** A client that is connected already, or what connects one. The toolset closes only what it connected. */
export type ServerSource = Client | ConnectClient;

/** One client, several, or a record whose keys name the servers. */
export type ToolsetServers = Client | readonly Client[] | Readonly<Record<string, ServerSource>>;

export interface KeyedSource {
  readonly key: string;
  readonly source: ServerSource;
  /** What it connects belongs to others too, who close it. */
  readonly isShared?: boolean;
}

/**
 * The servers and their keys: those of the record, or what each server calls itself, with a number where two call
 * themselves alike. Throws a TypeError that names what is no client.
 */
export function readServers(servers: ToolsetServers): readonly KeyedSource[] {
  const where = 'toolset';
  if (Array.isArray(servers)) {
    for (const [index, client] of servers.entries()) checkClient(where, `clients[${index}]`, client);
    return nameServers(servers as readonly Client[]);
  }
  if (isClient(servers)) return nameServers([servers]);
  const isRecord = typeof servers === 'object' && servers !== null && Object.keys(servers).length > 0;
  if (!isRecord) checkClient(where, 'the first argument', servers);
  return Object.entries(servers).map(([key, source]) => {
    if (key.trim() === '' || key.includes('/')) {
      throw new TypeError(
        `${where}: the key ${JSON.stringify(key)} of a server must not be blank or have a "/"`,
      );
    }
    if (typeof source !== 'function') checkClient(where, `servers[${JSON.stringify(key)}]`, source);
    return { key, source: source as ServerSource };
  });
}

/** Throws a TypeError unless `value` is a client. */
export function checkClient(where: string, name: string, value: unknown): asserts value is Client {
  if (isClient(value)) return;
  checkHas(where, name, value, 'tools', wanted);
  throw new TypeError(`${where}: ${name} must be ${wanted}, got ${sketch(value)}`);
}

const wanted = 'a client as connect(…) gives it';

function isClient(value: unknown): value is Client {
  if (typeof value !== 'object' || value === null) return false;
  const { tools, call, watch, close } = value as Record<string, unknown>;
  return [tools, call, watch, close].every(member => typeof member === 'function') && !isPlain(value);
}

/** A record of functions may have these very keys. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !('server' in value);
}

function nameServers(clients: readonly Client[]): readonly KeyedSource[] {
  const taken = new Set<string>();
  return clients.map(client => {
    const own = client.server.name.replace(/[^\p{L}\p{N}_.-]+/gu, '_').replace(/^_+|_+$/g, '') || 'server';
    let key = own;
    for (let number = 2; taken.has(key); number += 1) key = `${own}-${number}`;
    taken.add(key);
    return { key, source: client };
  });
}
