/** Seals what the server must remember between two rounds of a call, and opens it again with suspicion. */

import type { StateStore } from '../../basics/state-store.ts';
import type { Params } from '../../rpc/message.ts';
import { Effects } from './effects.ts';

/** How rounds are remembered. */
export interface StateOptions {
  /** Secrets that seal the state; the first one seals, all of them open. Random per process by default. */
  readonly keys?: readonly (string | Uint8Array)[] | undefined;
  /** Milliseconds until a sealed state is refused; 15 minutes by default. */
  readonly ttl?: number | undefined;
  /**
   * Remembers what `ctx.once` ran, for `ttl`: a client that sends the same round again does not repeat it. Without a
   * store an effect happens once along the rounds, and again when a round is sent again.
   */
  readonly store?: StateStore | undefined;
}

/** What travels with a client from one round to the next. */
export interface RoundState {
  /** Prints of the questions that were asked, by key. */
  readonly asked: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, unknown>>;
  /** Values of effects that ran. */
  readonly done: Readonly<Record<string, unknown>>;
  /** What the handler wants to find again. */
  readonly memo?: unknown;
  /** Names this chain of rounds in the store. */
  readonly chain?: string;
}

interface Sealed extends RoundState {
  readonly principal: string | null;
  readonly expires: number;
  readonly request: string;
}

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const format = 1;
const defaultTtl = 15 * 60 * 1000;
const utf8 = new TextEncoder();

/** AES-GCM over the state, its principal, its expiry and a digest of the request it belongs to. */
export class StateSeal {
  /** What `once` runs. */
  readonly effects: Effects;
  readonly #options: StateOptions;
  #keys: Promise<readonly CryptoKey[]> | undefined;

  /** Throws a TypeError when a secret or the time to live cannot be used. */
  constructor(options: StateOptions = {}) {
    checkOptions(options);
    this.#options = options;
    this.effects = new Effects(options.store, options.ttl ?? defaultTtl);
  }

  async seal(
    state: RoundState,
    method: string,
    params: Params,
    principal: string | undefined,
  ): Promise<string> {
    const sealed: Sealed = {
      ...state,
      principal: principal ?? null,
      expires: Date.now() + (this.#options.ttl ?? defaultTtl),
      request: await digest(method, params),
    };
    const [key] = await this.#load();
    if (!key) throw new TypeError(noKeys);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = utf8.encode(JSON.stringify(sealed));
    const cipher = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text));
    const bytes = new Uint8Array(1 + iv.length + cipher.length);
    bytes[0] = format;
    bytes.set(iv, 1);
    bytes.set(cipher, 1 + iv.length);
    return toBase64Url(bytes);
  }

  /** The state, or why it is refused: the text comes from the client and may be anything. */
  async open(
    text: string,
    method: string,
    params: Params,
    principal: string | undefined,
  ): Promise<{ readonly state: RoundState } | { readonly refused: string }> {
    const sealed = await this.#decrypt(text);
    if (!sealed) return { refused: 'it was not made by this server or was changed on the way' };
    if (sealed.expires <= Date.now())
      return { refused: 'it has expired; make the call again from its beginning' };
    if (sealed.principal !== (principal ?? null)) return { refused: 'it belongs to another caller' };
    if (sealed.request !== (await digest(method, params)))
      return { refused: 'it belongs to another request' };
    return { state: sealed };
  }

  async #decrypt(text: string): Promise<Sealed | undefined> {
    const bytes = fromBase64Url(text);
    if (!bytes || bytes.length < 1 + 12 + 16 || bytes[0] !== format) return undefined;
    // Several texts decode to the same bytes; only the one that was given out counts.
    if (toBase64Url(bytes) !== text) return undefined;
    for (const key of await this.#load()) {
      try {
        const algorithm = { name: 'AES-GCM', iv: bytes.subarray(1, 13) };
        const plain = await crypto.subtle.decrypt(algorithm, key, bytes.subarray(13));
        return JSON.parse(new TextDecoder().decode(plain)) as Sealed;
      } catch {
        // Sealed with another key, or not by us.
      }
    }
    return undefined;
  }

  #load(): Promise<readonly CryptoKey[]> {
    const secrets = this.#options.keys ?? [crypto.getRandomValues(new Uint8Array(32))];
    this.#keys ??= Promise.all(secrets.map(importKey));
    return this.#keys;
  }
}

const noKeys = 'state.keys is empty; give at least one secret or leave the option out';

function checkOptions({ keys, ttl, store }: StateOptions): void {
  const lacking =
    store && (['add', 'get', 'set', 'delete'] as const).find(name => typeof store[name] !== 'function');
  if (lacking) throw new TypeError(`state.store must have add, get, set and delete; it has no ${lacking}`);
  if (keys?.length === 0) throw new TypeError(noKeys);
  const blank = keys?.findIndex(key => key.length === 0) ?? -1;
  // Everybody knows the empty secret; it stands for a variable that was not set.
  if (blank !== -1) throw new TypeError(`state.keys[${blank}] is empty; give a secret that nobody can guess`);
  if (ttl !== undefined && !(ttl > 0)) {
    throw new TypeError(`state.ttl must be a number of milliseconds above 0, got ${String(ttl)}`);
  }
}

/** Any secret becomes a key of the right length. */
async function importKey(secret: string | Uint8Array): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' ? utf8.encode(secret) : Uint8Array.from(secret);
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return crypto.subtle.importKey('raw', hash, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** A digest of what a repeated request must have in common with the first. */
async function digest(method: string, params: Params): Promise<string> {
  const { _meta, inputResponses, requestState, ...same } = params;
  const hash = await crypto.subtle.digest('SHA-256', utf8.encode(JSON.stringify([method, sorted(same)])));
  return toBase64Url(new Uint8Array(hash));
}

/** The same value with its members in one order: a client may write them in another when it repeats itself. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
