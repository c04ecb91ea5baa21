/** What a proxy is to one connection or session: the connection behind it is its own. */
import { onAbort } from '../../basics/abort.ts';
import type { Visitor } from '../../eras/index.ts';
import { ProxyRouter, type ProxySeat } from './proxy-router.ts';
import type { Upstream } from './upstream.ts';
import { sessionOver } from './upstream-failure.ts';

/** For one connection or session: what it stands on is its own, and ends with it. */
export class SessionRouter extends ProxyRouter {
  readonly #dismiss: ((reason: unknown) => void) | undefined;
  readonly #own = new Map<string, { readonly upstream: Upstream; readonly stays: boolean }>();
  #left = false;

  constructor(seat: ProxySeat, dismiss: ((reason: unknown) => void) | undefined) {
    super(seat);
    this.#dismiss = dismiss;
  }

  left(): void {
    this.#left = true;
    for (const { upstream } of this.#own.values()) void upstream.close();
  }

  override prepare(visitor: Visitor, signal: AbortSignal): Promise<void> | undefined {
    const preparing = super.prepare(visitor, signal);
    if (!preparing || !visitor.standing) return preparing;
    // A client that stays and gives up while it is let in never comes to use it.
    const stop = onAbort(signal, () => this.left());
    return preparing.finally(stop);
  }

  protected override knownFor(visitor: Visitor): Upstream | undefined {
    const known = this.#own.get(keyOf(visitor));
    return known?.upstream.over ? undefined : known?.upstream;
  }

  protected override upstreamFor(visitor: Visitor): Upstream {
    const usable = this.knownFor(visitor);
    if (usable) return usable;
    const key = keyOf(visitor);
    const known = this.#own.get(key);
    // What a session was told is true of that connection alone; who comes without one may go on with another.
    if (this.#left || known?.stays) throw sessionOver();
    const stays = visitor.standing !== undefined;
    const upstream = this.seat.upstreams.own(visitor, () => {
      if (stays && !this.#left) this.#dismiss?.(sessionOver());
    });
    this.#own.set(key, { upstream, stays });
    return upstream;
  }
}

function keyOf({ client }: Visitor): string {
  return JSON.stringify([client.capabilities, client.info]);
}
