/** The handshake era as a client sees it: initialize once, then call; the server's own requests are answered. */
import { eitherSignal, raceAbort } from '../../basics/abort.ts';
import { messageOf } from '../../basics/failure.ts';
import { type Change, type ChangeFilter, readChange } from '../../protocol/change.ts';
import { VersionError } from '../../protocol/errors.ts';
import { readInfo, readObject, type ServerDescription } from '../../protocol/identity.ts';
import { forRequest, isConnectionError } from '../../rpc/connection-error.ts';
import type { OutgoingRequest } from '../../rpc/inflight.ts';
import type { Id, Notification, Params } from '../../rpc/message.ts';
import { Answering } from '../answering.ts';
import type { CallOptions, CallResult, ClientEra, ClientSeat } from '../era.ts';
import type { Link } from '../link.ts';
import { readLog, takeProgress } from '../notices.ts';
import { readResult } from '../read-result.ts';
import { Watchers } from '../watchers.ts';
import { withMeta } from '../with-meta.ts';
import { Session } from './client-session.ts';
import { StandingListener } from './client-standing.ts';
import { factsOfRevision, handshakeRevisions } from './revisions.ts';
import { Subscribing } from './watch.ts';

/** The parameters of `initialize`. */
export function initializeParams(seat: ClientSeat, revision: string): Params {
  const capabilities = seat.plainCapabilities ?? seat.capabilities;
  return { protocolVersion: revision, capabilities, clientInfo: seat.info };
}

/**
 * Takes over a connection whose `initialize` was answered with `result`. `only` is the one revision that will do;
 * without it any revision of this era does. Throws a `VersionError` when the server chose another.
 */
export function openHandshake(link: Link, seat: ClientSeat, result: unknown, only?: string): ClientEra {
  const answer = readObject(result);
  const revision = answer['protocolVersion'];
  const facts = factsOfRevision(revision);
  const session = link.replyStreams && link.dress instanceof Session ? link.dress : undefined;
  if (!facts || (only !== undefined && only !== facts.revision)) {
    if (session?.exists === true) link.farewell(session.headers);
    const asked = only === undefined ? handshakeRevisions : [only];
    throw new VersionError(
      `initialize: the server chose protocol revision ${JSON.stringify(revision)}, this client asked for ${asked[0]}`,
      {
        asked,
        offered: typeof revision === 'string' ? [revision] : [],
        hint: `Revisions that would do: ${asked.join(', ')}. Leave the option "protocol" at "auto" or name one the server has.`,
      },
    );
  }
  const instructions = answer['instructions'];
  const server: ServerDescription = {
    info: readInfo(answer['serverInfo']),
    capabilities: readObject(answer['capabilities']),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
  session?.agree(facts.revision);
  return new HandshakeClient(link, seat, server, facts.revision, session);
}

class HandshakeClient implements ClientEra {
  readonly revision: string;
  readonly server: ServerDescription;
  readonly #link: Link;
  readonly #seat: ClientSeat;
  readonly #answering: Answering;
  readonly #subscribing: Subscribing;
  readonly #watchers: Watchers;
  readonly #session: Session | undefined;
  readonly #standing: StandingListener | undefined;

  constructor(
    link: Link,
    seat: ClientSeat,
    server: ServerDescription,
    revision: string,
    session: Session | undefined,
  ) {
    this.#link = link;
    this.#seat = seat;
    this.server = server;
    this.revision = revision;
    this.#answering = new Answering(link, seat);
    this.#subscribing = new Subscribing(link, seat, server.capabilities);
    this.#watchers = new Watchers(filter => this.#subscribing.begin(filter));
    this.#session = session;
    this.#standing = session && new StandingListener(link, session, () => this.#streamLost(session));
    link.notify('notifications/initialized');
    link.handOver({
      request: (request, of) => this.#answering.receive(request, of),
      notification: notification => this.#notification(notification),
    });
    this.#askForLogs();
    this.#standing?.begin(seat);
  }

  get session(): string | undefined {
    return this.#session?.id;
  }

  get knowsAsker(): boolean {
    return this.#link.replyStreams;
  }

  async call(method: string, params: Params, options: CallOptions): Promise<CallResult> {
    const ready = this.#standing?.ready ?? this.#session?.renewing;
    if (ready) await raceAbort(ready, eitherSignal(options.signal, options.until));
    const session = this.#session;
    const result = session
      ? this.#inSession(session, method, params, options)
      : this.#request(this.#link.nextId(), method, params, options);
    return { value: readResult(this.#link, method, await result) };
  }

  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change> {
    this.#standing?.want();
    return this.#watchers.watch(filter, signal);
  }

  close(): void {
    this.#subscribing.close();
    this.#watchers.end();
    this.#answering.close(this.#link.lost);
    this.#standing?.close();
    if (this.#session?.exists === true && !this.#link.lost) this.#link.farewell(this.#session.headers);
  }

  lost(error: unknown): void {
    this.#watchers.fail(error);
    this.#answering.close(error);
    this.#standing?.close();
  }

  #request(id: number, method: string, params: Params, options: CallOptions): Promise<unknown> {
    const forget = options.answer && this.#answering.expect(id, options.answer);
    const answer = this.#send(id, method, params, options);
    return forget ? answer.finally(forget) : answer;
  }

  #send(id: number, method: string, params: Params, options: CallOptions): Promise<unknown> {
    // A token always goes along: without one no progress comes, and the idle limit could not be put off.
    const sent = withMeta(params, options.meta, { progressToken: id });
    options.sent?.(id);
    return this.#link.request(id, sent, this.#outgoing(method, options), options.headers);
  }

  /** A server that no longer knows the session has not carried the request out: it gets a new session and the request. */
  async #inSession(
    session: Session,
    method: string,
    params: Params,
    options: CallOptions,
    again = false,
  ): Promise<unknown> {
    const id = this.#link.nextId();
    let lost: string | undefined;
    try {
      return await this.#request(id, method, params, options);
    } catch (thrown) {
      lost = session.over(id);
      if (lost === undefined || again) throw thrown;
    }
    try {
      await raceAbort(
        session.renew(lost, () => this.#reinitialize(session)),
        eitherSignal(options.signal, options.until),
      );
    } catch (thrown) {
      throw isConnectionError(thrown) ? forRequest(thrown, method, 'not-sent') : thrown;
    }
    return this.#inSession(session, method, params, options, true);
  }

  /** A client that only watches has no request by which it would notice. */
  #streamLost(session: Session): void {
    const { id } = session;
    if (id === undefined) return;
    session
      .renew(id, () => this.#reinitialize(session))
      .catch((error: unknown) => {
        if (this.#link.lost) return;
        const message = `the server lost the session and opened no new one: ${messageOf(error)}`;
        this.#link.diagnostic({ kind: 'session', message, data: error });
      });
  }

  async #reinitialize(session: Session): Promise<void> {
    const request = { method: 'initialize', limits: this.#seat.limits, giveUp: () => {} };
    const params = initializeParams(this.#seat, this.revision);
    const result = readObject(await this.#link.request(this.#link.nextId(), params, request));
    const offered = result['protocolVersion'];
    if (offered !== this.revision) {
      throw new VersionError(
        `initialize: the server lost the session and now speaks revision ${JSON.stringify(offered)} instead of ${this.revision}`,
        {
          asked: [this.revision],
          offered: typeof offered === 'string' ? [offered] : [],
          hint: 'Connect again.',
        },
      );
    }
    session.agree(this.revision);
    this.#link.notify('notifications/initialized');
    this.#link.diagnostic({ kind: 'session', message: 'the server lost the session; a new one was opened' });
    this.#askForLogs();
    this.#standing?.renew();
    // What happened in between is not known, so that everything is worth another look.
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#changed({ kind });
    for (const uri of this.#subscribing.again()) this.#changed({ kind: 'resource', uri });
  }

  #outgoing(method: string, options: CallOptions): OutgoingRequest {
    return {
      method,
      limits: options.limits,
      signal: options.signal,
      until: options.until,
      onProgress: options.onProgress,
      giveUp: this.#giveUp,
    };
  }

  /** One for all requests. */
  readonly #giveUp = (id: Id): void => {
    this.#link.notify('notifications/cancelled', {
      requestId: id,
      reason: 'the client no longer waits for it',
    });
    // Where replies have streams of their own, leaving one cancels nothing here; it is only not read any more.
    if (!this.#link.replyStreams) return;
    this.#link.abandon(id);
    this.#answering.left(id);
  };

  #notification({ method, params }: Notification): void {
    if (method === 'notifications/progress') takeProgress(this.#link, params);
    else if (method === 'notifications/message') this.#seat.log(readLog(params));
    else if (method === 'notifications/cancelled') this.#answering.cancelled(params?.['requestId']);
    else {
      const change = readChange(method, params);
      if (change) this.#changed(change);
    }
  }

  #changed(change: Change): void {
    this.#seat.changed?.(change);
    this.#watchers.tell(change);
  }

  #askForLogs(): void {
    const { logLevel, limits } = this.#seat;
    if (logLevel === undefined || this.server.capabilities['logging'] === undefined) return;
    const request = { method: 'logging/setLevel', limits, giveUp: () => {} };
    this.#link.request(this.#link.nextId(), { level: logLevel }, request).catch((error: unknown) => {
      const message = `the server did not take the log level "${logLevel}"`;
      this.#link.diagnostic({ kind: 'log-level', message, data: error });
    });
  }
}
