/** All connections of a proxy: counted, found again by those who may share one, and closed when nobody uses them. */
import type { Visitor } from '../../eras/index.ts';
import type { ProxySettings } from './proxy-options.ts';
import { Upstream } from './upstream.ts';
import { busy, closed, describeBusy } from './upstream-failure.ts';

interface Pooled {
  readonly key: string;
  readonly upstream: Upstream;
}

/** One per proxy. */
export class Upstreams {
  readonly #settings: ProxySettings;
  readonly #open = new Set<Upstream>();
  readonly #pool: Pooled[] = [];
  #closed = false;

  constructor(settings: ProxySettings) {
    this.#settings = settings;
  }

  /** Why no other connection can be made now; nothing when one can. */
  get refusal(): string | undefined {
    const { maxUpstreams } = this.#settings;
    const spare = this.#pool.some(({ upstream }) => !upstream.used);
    return this.#open.size < maxUpstreams || spare ? undefined : describeBusy(maxUpstreams);
  }

  /** A connection for one client alone, which its owner closes. Throws a `ProtocolError` when there are too many. */
  own(visitor: Visitor, lost: () => void): Upstream {
    return this.#add(visitor, { owned: true, oneCaller: true }, lost);
  }

  /**
   * A connection for whoever is like this visitor; with `asks` one on which the questions of this call cannot be taken
   * for another's. Throws a `ProtocolError` when there are too many.
   */
  shared(visitor: Visitor, asks: boolean): Upstream {
    const known = this.known(visitor, asks);
    if (known) return known;
    const oneCaller = visitor.principal !== undefined || this.#settings.alike;
    const upstream = this.#add(visitor, { owned: false, oneCaller }, () => {});
    this.#pool.push({ key: this.#keyOf(visitor), upstream });
    return upstream;
  }

  /** As `shared`, as long as there is one already. */
  known(visitor: Visitor, asks: boolean): Upstream | undefined {
    const key = this.#keyOf(visitor);
    const fits = ({ key: of, upstream }: Pooled): boolean =>
      of === key && !upstream.over && (!asks || this.#settings.share || upstream.canTellApart);
    return this.#pool.find(fits)?.upstream;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#open].map(upstream => upstream.close()));
  }

  #add(
    visitor: Visitor,
    whose: { readonly owned: boolean; readonly oneCaller: boolean },
    lost: () => void,
  ): Upstream {
    const { maxUpstreams } = this.#settings;
    if (this.#closed) throw closed();
    if (this.#open.size >= maxUpstreams && !this.#evict()) throw busy(maxUpstreams);
    const upstream = new Upstream({
      settings: this.#settings,
      visitor,
      ...whose,
      lost,
      gone: gone => {
        this.#open.delete(gone);
        const at = this.#pool.findIndex(pooled => pooled.upstream === gone);
        if (at !== -1) this.#pool.splice(at, 1);
      },
    });
    this.#open.add(upstream);
    return upstream;
  }

  /** Closes the connection that was made first among those that nobody uses. */
  #evict(): boolean {
    const unused = this.#pool.find(({ upstream }) => !upstream.used && !upstream.over);
    if (!unused) return false;
    void unused.upstream.close();
    return true;
  }

  /** The same for visitors that may stand on one connection. */
  #keyOf({ principal, client }: Visitor): string {
    const { capabilities, info } = client;
    return JSON.stringify([principal ?? null, capabilities, this.#settings.share ? null : info]);
  }
}
