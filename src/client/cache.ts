/** Results that a server said may be kept: found again while they are fresh, dropped when it says they changed. */
import type { Clock } from '../basics/clock.ts';
import type { CallResult } from '../eras/index.ts';
import type { Change } from '../protocol/change.ts';
import { covers } from '../protocol/change.ts';
import type { Params } from '../rpc/message.ts';

export interface CacheOptions {
  /** Most results; the one that was not used for longest goes first. 1,000. */
  readonly entries?: number | undefined;
  /**
   * Names whom the client is asking for, where that changes while it is connected; private results stay apart. Without it
   * none are kept where the channel's `headers` are a function, which may give those of anybody.
   */
  readonly context?: (() => string) | undefined;
}

/** What tells one asking from another beside the method and its parameters. */
interface Asking {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

interface Entry {
  readonly method: string;
  readonly uri: unknown;
  /** As text: whoever gets it may change what they got. */
  readonly text: string;
  readonly until: number;
}

/** Characters of all that is kept. */
const room = 16 * 1024 * 1024;

const listsOf: Readonly<Record<Change['kind'], readonly string[]>> = {
  tools: ['tools/list'],
  prompts: ['prompts/list'],
  resources: ['resources/list', 'resources/templates/list'],
  resource: [],
};

export class ResultCache {
  readonly #entries = new Map<string, Entry>();
  readonly #options: CacheOptions | undefined;
  readonly #clock: Clock;
  /** Whether it is known for whom a private result is. */
  readonly #keepsPrivate: boolean;
  #size = 0;
  #changes = 0;

  constructor(options: boolean | CacheOptions | undefined, clock: Clock, manyCallers = false) {
    this.#options = options === false ? undefined : options === true ? {} : (options ?? {});
    this.#clock = clock;
    this.#keepsPrivate = !manyCallers || this.#options?.context !== undefined;
  }

  /** Changes whenever something was said to have changed: a result asked for before that is not kept. */
  get stamp(): number {
    return this.#changes;
  }

  /** For whom the client asks right now. */
  get caller(): string | undefined {
    return this.#options?.context?.();
  }

  find(method: string, params: Params, asking: Asking): Params | undefined {
    if (!this.#options || this.#entries.size === 0) return undefined;
    for (const key of [this.#key('private', method, params, asking), publicKey(method, params)]) {
      const entry = this.#entries.get(key);
      if (!entry) continue;
      this.#drop(key, entry);
      if (entry.until <= this.#clock.now()) continue;
      this.#put(key, entry);
      return JSON.parse(entry.text) as Params;
    }
    return undefined;
  }

  /** Keeps a result for as long as it says; `stamp` and `caller` are those of the moment when it was asked for. */
  keep(
    method: string,
    params: Params,
    asking: Asking,
    result: CallResult,
    stamp: number,
    caller: string | undefined = this.caller,
  ): void {
    const { value, freshness } = result;
    if (!this.#options || !freshness || freshness.ttlMs <= 0 || stamp !== this.#changes) return;
    // Whose it is cannot be told when somebody else took over meanwhile.
    const isClear = this.#keepsPrivate && caller === this.caller;
    if (freshness.scope !== 'public' && !isClear) return;
    const text = JSON.stringify(value);
    if (text.length > room) return;
    const key =
      freshness.scope === 'public' ? publicKey(method, params) : this.#key('private', method, params, asking);
    const known = this.#entries.get(key);
    if (known) this.#drop(key, known);
    this.#put(key, { method, uri: params['uri'], text, until: this.#clock.now() + freshness.ttlMs });
    const most = this.#options.entries ?? 1000;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= most && this.#size <= room) break;
      this.#drop(oldest, entry);
    }
  }

  changed(change: Change): void {
    this.#changes += 1;
    for (const [key, entry] of this.#entries) {
      const { method, uri } = entry;
      const read = change.kind === 'resource' && method === 'resources/read' && typeof uri === 'string';
      // A folder changes with what is in it.
      const told = read && (covers(uri, change.uri) || covers(change.uri, uri));
      if (told || listsOf[change.kind].includes(method)) this.#drop(key, entry);
    }
  }

  #key(scope: string, method: string, params: Params, { headers = {}, meta = {} }: Asking): string {
    const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const who = [this.caller ?? null, sent.sort(byName), meta];
    return JSON.stringify([scope, method, params, who]);
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#size += entry.text.length;
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#size -= entry.text.length;
  }
}

function publicKey(method: string, params: Params): string {
  return JSON.stringify(['public', method, params]);
}

function byName([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
