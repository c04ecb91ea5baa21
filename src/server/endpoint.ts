/** Something that clients can come to in every way: over pipes, within this process, and over HTTP where that is loaded. */
import type {
  AcceptOptions,
  Acceptor,
  Channel,
  Connection,
  Exchange,
  HttpAcceptOptions,
  HttpAcceptor,
  Inlet,
  OpenOptions,
  Receiver,
} from '../channels/channel.ts';
import { memoryChannel } from '../channels/memory.ts';
import type { serveErasOverHttp } from '../eras/for-http-servers.ts';
import { serveEras } from '../eras/for-servers.ts';
import type { Router, StateOptions } from '../eras/index.ts';

export interface EndpointOptions {
  /** For people and errors. */
  readonly label: string;
  /** How the rounds of a call that asks are remembered between requests. */
  readonly state?: StateOptions | undefined;
  /** What holds over HTTP unless the one who serves says otherwise. */
  readonly http?: HttpAcceptOptions | undefined;
}

/** What `overHttp` makes a server for HTTP channels of. */
export interface ServableOverHttp {
  /** `serve` is brought along, so that programs on other channels do not load what HTTP takes. */
  '~overHttp'(serve: typeof serveErasOverHttp, options?: HttpAcceptOptions): HttpAcceptor;
}

/** A router on all channels and in all eras at once. */
export class Endpoint implements Acceptor, Channel, ServableOverHttp {
  readonly label: string;
  readonly #router: Router;
  readonly #state: { readonly state?: StateOptions };
  readonly #http: HttpAcceptOptions;
  readonly #acceptor: Acceptor;
  readonly #channel: Channel;

  /** Throws a TypeError when `state` cannot be used. */
  constructor(router: Router, { label, state, http = {} }: EndpointOptions) {
    this.label = label;
    this.#router = router;
    this.#http = http;
    this.#state = state ? { state } : {};
    this.#acceptor = serveEras(router, this.#state);
    this.#channel = memoryChannel(this.#acceptor, { label });
  }

  /** For transports: a client arrived. */
  accept(standing: Exchange, options?: AcceptOptions): Inlet {
    return this.#acceptor.accept(standing, options);
  }

  '~overHttp'(serve: typeof serveErasOverHttp, options: HttpAcceptOptions = {}): HttpAcceptor {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    return serve(this.#router, { ...this.#http, ...Object.fromEntries(given), ...this.#state });
  }

  /** For `connect`: a client of this process. */
  open(receiver: Receiver, options: OpenOptions): Promise<Connection> {
    return this.#channel.open(receiver, options);
  }
}
