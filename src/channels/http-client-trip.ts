/** One HTTP request with its headers found and its redirects followed: what every kind of request here is made of. */

import type { ConnectionError } from '../rpc/connection-error.ts';
import type { ReplyHead } from './channel.ts';
import { headersFailed, refusedRedirect, type TripFacts, unreachable } from './http-client-failures.ts';
import { flattenHeaders, mergeHeaders } from './http-client-headers.ts';
import type { HttpSettings } from './http-client-options.ts';
import type { HttpTransport, TransportFault } from './http-transport.ts';

type Flat = Readonly<Record<string, string>>;

export interface Errand {
  readonly verb: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  /** What the protocol needs whatever the user says. */
  readonly required: Flat;
  readonly headers?: Flat | undefined;
  readonly body?: string;
  readonly rpcMethod?: string | undefined;
  readonly waits: boolean;
  /** For errors. */
  readonly phase: string;
}

/** Hears of the reply in the end, or of why there is none. */
export interface TripListener {
  head(head: ReplyHead): void;
  data(chunk: Uint8Array): void;
  end(): void;
  /** `fault` is there when it broke off after the head. */
  failed(error: ConnectionError, fault?: TransportFault): void;
}

const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Begins at once; `facts` serve the errors of whoever reads the reply. */
export class Trip {
  readonly #settings: HttpSettings;
  readonly #transport: HttpTransport;
  readonly #errand: Errand;
  readonly #listener: TripListener;
  #url: string;
  #headers: Flat = {};
  #redirected = 0;
  #drop: (() => void) | undefined;
  #dropped = false;

  constructor(settings: HttpSettings, transport: HttpTransport, errand: Errand, listener: TripListener) {
    this.#settings = settings;
    this.#transport = transport;
    this.#errand = errand;
    this.#listener = listener;
    this.#url = errand.url;
  }

  get facts(): TripFacts {
    const { verb, phase } = this.#errand;
    const secrets = [...secretsOf(this.#headers, this.#errand.required), ...this.#settings.secrets];
    return { verb, phase, url: this.#url, secrets };
  }

  begin(): void {
    const { headers } = this.#settings;
    if (typeof headers !== 'function') {
      this.#depart(headers as Flat | undefined);
      return;
    }
    const { verb, url, rpcMethod } = this.#errand;
    try {
      const given = headers({ method: verb, url, rpcMethod });
      if (!(given instanceof Promise)) {
        this.#depart(flattenHeaders(given));
        return;
      }
      given.then(
        found => {
          if (!this.#dropped) this.#departOrFail(() => flattenHeaders(found));
        },
        (error: unknown) => this.#noHeaders(error),
      );
    } catch (error) {
      queueMicrotask(() => this.#noHeaders(error));
    }
  }

  /** Nothing more is heard of it. */
  drop(): void {
    this.#dropped = true;
    this.#drop?.();
  }

  #departOrFail(find: () => Flat): void {
    try {
      this.#depart(find());
    } catch (error) {
      this.#noHeaders(error);
    }
  }

  #noHeaders(error: unknown): void {
    if (!this.#dropped) this.#listener.failed(headersFailed(this.facts, error));
  }

  #depart(own: Flat | undefined): void {
    const { required, headers } = this.#errand;
    this.#headers = own || headers ? mergeHeaders(required, own, headers) : required;
    this.#travel();
  }

  #travel(): void {
    const { verb, body, waits } = this.#errand;
    let ignored = false;
    let begun = false;
    const call = { method: verb, url: this.#url, headers: this.#headers, body, waits };
    this.#drop = this.#transport.begin(call, {
      head: head => {
        begun = true;
        if (redirects.has(head.status)) {
          ignored = true;
          this.#redirect(head);
        } else this.#listener.head(head);
      },
      data: chunk => {
        if (!ignored) this.#listener.data(chunk);
      },
      end: () => {
        if (!ignored) this.#listener.end();
      },
      failed: fault => {
        if (!ignored) this.#listener.failed(unreachable(this.facts, fault), begun ? fault : undefined);
      },
    });
  }

  /** Body and headers go along, so that only the same origin may have them. */
  #redirect(head: ReplyHead): void {
    const { status } = head;
    const to = head.header('location') ?? '';
    const target = URL.canParse(to, this.#url) ? new URL(to, this.#url) : undefined;
    const follows = (status === 307 || status === 308) && target?.origin === this.#settings.origin;
    this.#redirected += 1;
    // Nobody reads the rest of this reply, which may never end.
    this.#drop?.();
    if (!follows || to === '' || this.#redirected > mostRedirects) {
      this.#listener.failed(refusedRedirect(this.facts, status, to));
      return;
    }
    this.#url = target.href;
    this.#travel();
  }
}

const speaksOfSecrets = /auth|token|key|secret|cookie|session|password/;

/** Values that must not come back in an error when the server repeats them, whole or in part; short ones are words. */
function secretsOf(headers: Flat, required: Flat): string[] {
  return Object.entries(headers)
    .filter(([name]) => required[name] === undefined && !name.startsWith('mcp-'))
    .flatMap(([name, value]) =>
      speaksOfSecrets.test(name) ? [value, ...value.split(/[\s;,]+|(?<==)/)] : [value],
    )
    .filter(value => value.length >= 8)
    .sort((a, b) => b.length - a.length);
}
