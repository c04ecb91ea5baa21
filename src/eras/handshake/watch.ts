/** Single resources that are watched in the handshake era: asked for one by one, and told of to who asked. */
import { sketch } from '../../basics/sketch.ts';
import type { Exchange } from '../../channels/channel.ts';
import { type Change, type ChangeFilter, covers } from '../../protocol/change.ts';
import { readObject } from '../../protocol/identity.ts';
import type { Request } from '../../rpc/message.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import type { ClientSeat, Router } from '../era.ts';
import type { Link } from '../link.ts';

const subscribe = 'resources/subscribe';
const unsubscribe = 'resources/unsubscribe';

/** How many resources one client may watch at once, how long the URI of one may be, and all of them, in characters. */
const most = { subscriptions: 1_000, uri: 65_536, uris: 1024 * 1024 };

function promised(capabilities: Readonly<Record<string, unknown>>): boolean {
  return readObject(capabilities['resources'])['subscribe'] === true;
}

export function isSubscription(method: string): boolean {
  return method === subscribe || method === unsubscribe;
}

/** What one client of a server has subscribed to. */
export class Subscriptions {
  readonly #router: Router;
  /** Made for the first subscription. */
  #uris: Set<string> | undefined;
  #length = 0;
  readonly #relay: ((uri: string) => () => void) | undefined;
  readonly #stops = new Map<string, () => void>();

  /** `relay` begins to hear of a resource, where the server has to be asked for that. */
  constructor(router: Router, relay?: (uri: string) => () => void) {
    this.#router = router;
    this.#relay = relay;
  }

  /** Answers a request to subscribe or to stop; false where no resources are offered. */
  handle({ id, method, params }: Request, exchange: Exchange): boolean {
    if (!promised(this.#router.describe().capabilities)) return false;
    const uri = params?.['uri'];
    if (typeof uri !== 'string') {
      exchange.send(errorResponse(id, codes.invalidParams, `uri must be a string, got ${sketch(uri)}`));
    } else if (uri.length > most.uri) {
      const why = `uri has ${uri.length} characters; send ${most.uri} at most`;
      exchange.send(errorResponse(id, codes.invalidParams, why));
    } else if (method === subscribe && !this.#uris?.has(uri) && this.#isFull(uri)) {
      const why = `this client watches ${this.#uris?.size} resources already; unsubscribe from some of them`;
      exchange.send(errorResponse(id, codes.invalidRequest, why));
    } else {
      this.#uris ??= new Set();
      if (method === unsubscribe) {
        this.#length -= this.#uris.delete(uri) ? uri.length : 0;
        this.#stops.get(uri)?.();
        this.#stops.delete(uri);
      } else if (!this.#uris.has(uri)) {
        this.#uris.add(uri);
        this.#length += uri.length;
        if (this.#relay) this.#stops.set(uri, this.#relay(uri));
      }
      exchange.send({ jsonrpc: '2.0', id, result: {} });
    }
    return true;
  }

  #isFull(uri: string): boolean {
    return (this.#uris?.size ?? 0) >= most.subscriptions || this.#length + uri.length > most.uris;
  }

  close(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }

  wants(changed: string): boolean {
    if (this.#uris?.has(changed)) return true;
    for (const uri of this.#uris ?? []) if (covers(uri, changed)) return true;
    return false;
  }
}

/** What a client has asked its server to tell of; each resource is asked for once, however many watch it. */
export class Subscribing {
  readonly #link: Link;
  readonly #seat: ClientSeat;
  readonly #offered: boolean;
  readonly #watching = new Map<string, number>();
  #closed = false;

  constructor(link: Link, seat: ClientSeat, capabilities: Readonly<Record<string, unknown>>) {
    this.#link = link;
    this.#seat = seat;
    this.#offered = promised(capabilities);
  }

  /** Asks for what the filter names; returns what stops it. */
  begin({ uris = [] }: ChangeFilter): () => void {
    if (uris.length > 0 && !this.#offered) {
      const message = `nothing is told of ${uris.join(', ')}: the server does not offer subscriptions to resources`;
      this.#link.diagnostic({ kind: 'watch-refused', message });
      return () => {};
    }
    const own = new Set(uris);
    for (const uri of own) {
      const count = this.#watching.get(uri) ?? 0;
      this.#watching.set(uri, count + 1);
      if (count === 0) this.#ask(subscribe, uri);
    }
    return () => {
      for (const uri of own) {
        own.delete(uri);
        const left = (this.#watching.get(uri) ?? 1) - 1;
        if (left > 0) this.#watching.set(uri, left);
        else {
          this.#watching.delete(uri);
          if (!this.#closed && !this.#link.lost) this.#ask(unsubscribe, uri);
        }
      }
    };
  }

  /** The server has forgotten all of it and is asked anew; gives what for. */
  again(): string[] {
    const uris = [...this.#watching.keys()];
    for (const uri of uris) this.#ask(subscribe, uri);
    return uris;
  }

  /** The connection ends, and with it what was asked for. */
  close(): void {
    this.#closed = true;
  }

  #ask(method: string, uri: string): void {
    const request = { method, limits: this.#seat.limits, giveUp: () => {} };
    this.#link.request(this.#link.nextId(), { uri }, request).catch((error: unknown) => {
      if (this.#link.lost) return;
      const message = `${method} ${uri} was refused: ${error instanceof Error ? error.message : String(error)}`;
      this.#link.diagnostic({ kind: 'watch-refused', message, data: error });
    });
  }
}

/** The parameters with which a change is told of. */
export function changeParams(change: Change): { readonly params?: { readonly uri: string } } {
  return change.kind === 'resource' ? { params: { uri: change.uri } } : {};
}
