/** What a proxy can be told: how many connections it keeps, for how long, and whether clients share them. */
import { type Clock, systemClock } from '../../basics/clock.ts';
import { messageOf } from '../../basics/failure.ts';
import { notify } from '../../basics/notify.ts';
import { checkFunction, checkHas, checkMilliseconds, checkNumber } from '../../basics/option-checks.ts';
import type { Client } from '../../client/client.ts';
import { type ClientOptions, checkTimeouts, type Timeouts } from '../../client/options.ts';
import type { StateOptions } from '../../eras/index.ts';

/**
 * Makes a fresh connection to the server behind the proxy, as `connect(stdio(…), options)` does. The options carry who
 * the client is and what it can answer, and have to be passed on.
 */
export type ConnectUpstream = (options: ClientOptions) => Promise<Client>;

export interface ProxyOptions {
  /** The most connections (and with that child processes) at once; 32. Beyond, new clients are refused. */
  readonly maxUpstreams?: number | undefined;
  /** Milliseconds after which a connection is closed that nobody uses, and over HTTP a session; 5 minutes. */
  readonly idle?: number | undefined;
  /**
   * Lets all sessions of the same caller that can answer the same questions share one connection; only for servers that
   * remember nothing of their clients. False by default.
   */
  readonly share?: boolean | undefined;
  /**
   * Takes all requests that belong to no session and prove nothing of their caller for those of one, as on a machine of
   * one person: they share a connection. False by default: then a call that could be asked something has a connection on
   * which no other such call runs, unless the server's questions say to which call they belong.
   */
  readonly alike?: boolean | undefined;
  /** Limits of connecting and of requests; a request may take a day by default, since its client has limits of its own. */
  readonly timeouts?: Timeouts | undefined;
  /** How calls are remembered that ask a client without a session; `ttl` is also how long such a call is held. */
  readonly state?: StateOptions | undefined;
  /** Takes the details of failures that clients see only a line of; they go to stderr by default. */
  readonly onFault?: ((message: string, cause: unknown) => void) | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** The options with their defaults. */
export interface ProxySettings {
  readonly connect: ConnectUpstream;
  readonly maxUpstreams: number;
  readonly idle: number;
  readonly share: boolean;
  readonly alike: boolean;
  readonly timeouts: Timeouts;
  /** Milliseconds that a call is held whose client has to come again. */
  readonly hold: number;
  readonly clock: Clock;
  report(message: string, cause: unknown): void;
}

const day = 24 * 60 * 60 * 1000;

/** Throws a TypeError that names the option when one cannot be used. */
export function readProxyOptions(connect: ConnectUpstream, options: ProxyOptions): ProxySettings {
  const {
    maxUpstreams = 32,
    idle = 5 * 60 * 1000,
    share = false,
    alike = false,
    timeouts = {},
    state,
  } = options;
  const { clock = systemClock, onFault = reportOnStderr } = options;
  checkFunction(
    'proxy',
    'the first argument',
    connect ?? null,
    'a function such as options => connect(…, options)',
  );
  checkNumber('proxy', 'maxUpstreams', maxUpstreams, { integer: true, min: 1 });
  checkMilliseconds('proxy', 'idle', idle);
  checkFunction('proxy', 'onFault', options.onFault);
  checkHas('proxy', 'clock', clock, 'after', 'a clock');
  checkTimeouts('proxy', timeouts);
  return {
    connect,
    maxUpstreams,
    idle,
    share,
    alike,
    timeouts: { idle: day, total: day, ...timeouts },
    hold: state?.ttl ?? 15 * 60 * 1000,
    clock,
    report: (message, cause) => notify(onFault, message, cause),
  };
}

/** On stdio stdout belongs to the protocol. */
function reportOnStderr(message: string, cause: unknown): void {
  console.error(cause === undefined ? message : `${message}: ${messageOf(cause)}`);
}
