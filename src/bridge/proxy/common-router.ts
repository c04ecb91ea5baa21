/** The router that everybody comes to first. */
import type { Router } from '../../eras/index.ts';
import { ProxyRouter } from './proxy-router.ts';
import { SessionRouter } from './session-router.ts';

/** For everybody who comes: each connection or session gets a router, and by it connections, of its own. */
export class CommonRouter extends ProxyRouter {
  branch(dismiss?: (reason: unknown) => void): Router {
    return this.seat.settings.share ? new ProxyRouter(this.seat) : new SessionRouter(this.seat, dismiss);
  }

  refusal(): string | undefined {
    return this.seat.settings.share ? undefined : this.seat.upstreams.refusal;
  }
}
