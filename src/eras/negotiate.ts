/** Finds out which era a server speaks and opens it there: the short loop around the verdicts. */
import type { Clock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import type { Channel, Diagnostic } from '../channels/channel.ts';
import { isVersionError, VersionError } from '../protocol/errors.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import { ConnectDeadline, type ConnectLimits } from './connect-deadline.ts';
import type { ClientEra, ClientSeat } from './era.ts';
import { type EraMemory, processMemory } from './era-memory.ts';
import { initializeParams, openHandshake } from './handshake/client.ts';
import { Session } from './handshake/client-session.ts';
import { handshakeRevisions } from './handshake/revisions.ts';
import { Link } from './link.ts';
import { defaultProbeTimes, Probe, type ProbeTimes, withinLimit } from './probe.ts';
import { openStateless } from './stateless/client.ts';
import { isStatelessError, offeredBy, statelessRevisions } from './stateless/envelope.ts';
import { eraOf, latestOf, type Revision } from './versions.ts';

export interface NegotiateOptions {
  readonly clock: Clock;
  readonly protocol: 'auto' | Revision;
  readonly limits: ConnectLimits;
  readonly signal?: AbortSignal | undefined;
  readonly memory?: EraMemory | undefined;
  readonly probeTimes?: ProbeTimes;
  diagnostic(diagnostic: Diagnostic): void;
  /** The connection that was chosen is gone. */
  closed(error: ConnectionError): void;
}

/** An open era and the connection below it. */
export interface Negotiated {
  readonly era: ClientEra;
  readonly link: Link;
  /** How it came about, for people. */
  readonly how: string;
  /** Connections that were tried before and may still be closing. */
  readonly leftovers: Promise<void>;
}

/**
 * Connects. Rejects with the signal's reason, a `TimeoutError`, a `VersionError`, or what the last rung of the ladder
 * failed with; whatever was started is stopped by then.
 */
export async function negotiate(
  channel: Channel,
  seat: ClientSeat,
  options: NegotiateOptions,
): Promise<Negotiated> {
  const negotiation = new Negotiation(channel, seat, options);
  try {
    return await negotiation.run();
  } catch (thrown) {
    await negotiation.abandon();
    throw thrown;
  } finally {
    negotiation.stop();
  }
}

/** What servers say by status when they take no messages at a URL that is right for the older transport. */
const saysNotHere: ReadonlySet<number> = new Set([400, 404, 405]);

class Negotiation {
  readonly #channel: Channel;
  readonly #seat: ClientSeat;
  readonly #options: NegotiateOptions;
  readonly #memory: EraMemory;
  readonly #deadline: ConnectDeadline;
  readonly #signal: AbortSignal;
  readonly #leftovers: Promise<void>[] = [];
  readonly #left: Link[] = [];
  #link: Link | undefined;
  #probe: Probe | undefined;
  #chosen = false;

  constructor(channel: Channel, seat: ClientSeat, options: NegotiateOptions) {
    this.#channel = channel;
    this.#seat = seat;
    this.#options = options;
    this.#memory = options.memory ?? processMemory;
    this.#deadline = new ConnectDeadline(options.clock, options.limits, channel.label);
    const { signal } = options;
    this.#signal = signal ? AbortSignal.any([signal, this.#deadline.signal]) : this.#deadline.signal;
  }

  async run(): Promise<Negotiated> {
    this.#signal.throwIfAborted();
    const { protocol } = this.#options;
    if (protocol !== 'auto') return this.#pinned(protocol);
    if (this.#memory.get(this.#channel.label) === 'handshake') {
      try {
        return await this.#initialize('the era known from before');
      } catch (thrown) {
        // The server behind this label has changed, is silent now, or failed by chance: ask it anew.
        this.#memory.forget(this.#channel.label);
        if (this.#signal.aborted || isVersionError(thrown)) throw thrown;
        this.#leave();
      }
    }
    return this.#automatic();
  }

  stop(): void {
    this.#deadline.stop();
    this.#probe?.stop();
  }

  /** Closes all that was opened; resolves when it is gone. */
  async abandon(): Promise<void> {
    const hurry = this.#signal.aborted;
    this.#leave(hurry);
    // Those that are closing already were given their time; who waits for the rejection has none to give.
    if (hurry) for (const link of this.#left) void link.close({ hurry });
    await Promise.all(this.#leftovers);
  }

  async #automatic(): Promise<Negotiated> {
    const link = await this.#open();
    const revision = latestOf('stateless');
    const { limits, probeTimes = defaultProbeTimes } = this.#options;
    const times = withinLimit(probeTimes, Math.min(limits.connect, limits.connectTotal));
    this.#probe = new Probe(link, this.#seat, revision, this.#signal, times);
    const found = await this.#probe.run();
    if (found.era === 'stateless') {
      return this.#choose(openStateless(link, this.#seat, found.result, found.revision), link, 'probed');
    }
    if (found.era === 'handshake') {
      return this.#choose(openHandshake(link, this.#seat, found.result), link, found.how);
    }
    if (found.era === 'neither') throw this.#noRevision(found.offered);
    if (found.era === 'refused') return this.#byOlderWay(found.error, found.status);
    // The process is gone, or takes no initialize after the probe: one that begins with it may do.
    this.#leave();
    return this.#initialize('a fresh connection, since the first one did not outlive the probe', found.error);
  }

  async #initialize(how: string, earlier?: unknown): Promise<Negotiated> {
    const link = await this.#open();
    return this.#shakeHands(link, how).catch((thrown: unknown) => {
      if (earlier !== undefined)
        this.#note('probe', `the first connection ended with: ${messageOf(earlier)}`);
      throw thrown;
    });
  }

  /** Opens with `initialize`, in whatever way the server takes it; `only` is the one revision that will do. */
  async #shakeHands(link: Link, how: string, only?: Revision): Promise<Negotiated> {
    const session = Session.on(link);
    const params = initializeParams(this.#seat, only ?? latestOf('handshake'));
    let result: unknown;
    try {
      result = await this.#ask(link, 'initialize', params);
    } catch (thrown) {
      const offered = only && offeredBy(thrown);
      if (offered) throw this.#noRevision(offered, [only], thrown);
      return this.#byOlderWay(thrown, session.openingStatus, only);
    }
    return this.#choose(openHandshake(link, this.#seat, result, only), link, how);
  }

  /** The last resort. When it fails too, the first failure is the one to tell of. */
  async #byOlderWay(error: unknown, status: number | undefined, only?: Revision): Promise<Negotiated> {
    const { older } = this.#channel;
    if (!older || status === undefined || !saysNotHere.has(status) || isStatelessError(error)) throw error;
    this.#leave();
    try {
      const link = await this.#open(older);
      const params = initializeParams(this.#seat, only ?? latestOf('handshake'));
      const result = await this.#ask(link, 'initialize', params);
      return this.#choose(openHandshake(link, this.#seat, result, only), link, 'the older transport');
    } catch (thrown) {
      this.#signal.throwIfAborted();
      if (isVersionError(thrown)) throw thrown;
      this.#note('older-transport', `the older transport did not do either: ${messageOf(thrown)}`);
      throw error;
    }
  }

  async #pinned(revision: Revision): Promise<Negotiated> {
    const link = await this.#open();
    if (eraOf(revision) === 'handshake') return this.#shakeHands(link, 'pinned', revision);
    this.#probe = new Probe(link, this.#seat, revision, this.#signal);
    const found = await this.#probe.only();
    if (found.era === 'stateless' && found.revision === revision) {
      return this.#choose(openStateless(link, this.#seat, found.result, revision), link, 'pinned');
    }
    if (found.era === 'gone' || found.era === 'refused') throw found.error;
    const offered = found.era === 'stateless' ? [found.revision] : (found.offered ?? []);
    throw this.#noRevision(offered, [revision], found.era === 'handshake' ? found.error : undefined);
  }

  #ask(link: Link, method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const limits = { idle: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };
    // initialize must not be cancelled; the connection is closed instead.
    const request = { method, limits, signal: this.#signal, giveUp: () => {} };
    return link.request(link.nextId(), params, request);
  }

  async #open(channel: Channel = this.#channel): Promise<Link> {
    const { clock } = this.#options;
    const state: { link: Link | undefined } = { link: undefined };
    const link = await Link.open(
      channel,
      {
        clock,
        diagnostic: diagnostic => {
          if (diagnostic.kind === 'stdout-noise') this.#deadline.noise();
          this.#options.diagnostic(diagnostic);
        },
        activity: kind => {
          if (this.#chosen) return;
          if (kind === 'stderr') this.#deadline.extend();
          this.#probe?.activity();
        },
        closed: error => {
          if (this.#chosen && state.link === this.#link) this.#options.closed(error);
        },
      },
      this.#signal,
    );
    state.link = link;
    this.#link = link;
    return link;
  }

  #choose(era: ClientEra, link: Link, how: string): Negotiated {
    this.#chosen = true;
    // What was pinned says nothing of what the server would have preferred.
    if (this.#options.protocol === 'auto') {
      this.#memory.set(this.#channel.label, eraOf(era.revision) === 'stateless' ? 'stateless' : 'handshake');
    }
    this.#note('era', `speaking revision ${era.revision} (${how})`, { revision: era.revision, how });
    // Between the answer and here the connection may have gone.
    if (link.lost) this.#options.closed(link.lost);
    return { era, link, how, leftovers: Promise.all(this.#leftovers).then(() => {}) };
  }

  #leave(hurry = false): void {
    this.#probe?.stop();
    this.#probe = undefined;
    if (this.#link) {
      this.#left.push(this.#link);
      this.#leftovers.push(this.#link.close({ hurry }));
    }
    this.#link = undefined;
  }

  #note(kind: string, message: string, data?: unknown): void {
    this.#options.diagnostic(data === undefined ? { kind, message } : { kind, message, data });
  }

  #noRevision(offered: readonly string[], asked?: readonly string[], cause?: unknown): VersionError {
    const ours = asked ?? [...statelessRevisions, ...handshakeRevisions];
    const theirs = offered.length > 0 ? offered.join(', ') : 'none that it named';
    return new VersionError(
      `connect: ${this.#channel.label} speaks no protocol revision asked for (asked: ${ours.join(', ')}; offered: ${theirs})`,
      {
        asked: ours,
        offered,
        cause,
        hint: 'Leave the option "protocol" at "auto", or update the older side.',
      },
    );
  }
}
