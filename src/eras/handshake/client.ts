/** The handshake era as a client sees it: initialize once, then call; the server's own requests are answered. */
import { type Change, type ChangeFilter, readChange } from '../../protocol/change.ts';
import { VersionError } from '../../protocol/errors.ts';
import { readInfo, readObject, type ServerDescription } from '../../protocol/identity.ts';
import type { OutgoingRequest } from '../../rpc/inflight.ts';
import type { Id, Notification, Params } from '../../rpc/message.ts';
import { Answering } from '../answering.ts';
import type { CallOptions, CallResult, ClientEra, ClientSeat } from '../era.ts';
import type { Link } from '../link.ts';
import { readLog, takeProgress } from '../notices.ts';
import { Watchers } from '../watchers.ts';
import { factsOfRevision, handshakeRevisions } from './revisions.ts';

/** The parameters of `initialize`. */
export function initializeParams(seat: ClientSeat, revision: string): Params {
  return { protocolVersion: revision, capabilities: seat.capabilities, clientInfo: seat.info };
}

/**
 * Takes over a connection whose `initialize` was answered with `result`. `only` is the one revision that will do;
 * without it any revision of this era does. Throws a `VersionError` when the server chose another.
 */
export function openHandshake(link: Link, seat: ClientSeat, result: unknown, only?: string): ClientEra {
  const answer = readObject(result);
  const revision = answer['protocolVersion'];
  const facts = factsOfRevision(revision);
  if (!facts || (only !== undefined && only !== facts.revision)) {
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
  return new HandshakeClient(link, seat, server, facts.revision);
}

class HandshakeClient implements ClientEra {
  readonly revision: string;
  readonly server: ServerDescription;
  readonly #link: Link;
  readonly #seat: ClientSeat;
  readonly #answering: Answering;
  readonly #watchers = new Watchers();

  constructor(link: Link, seat: ClientSeat, server: ServerDescription, revision: string) {
    this.#link = link;
    this.#seat = seat;
    this.server = server;
    this.revision = revision;
    this.#answering = new Answering(link, seat);
    link.notify('notifications/initialized');
    link.handOver({
      request: request => this.#answering.receive(request),
      notification: notification => this.#notification(notification),
    });
    this.#askForLogs();
  }

  async call(method: string, params: Params, options: CallOptions): Promise<CallResult> {
    const id = this.#link.nextId();
    // A token always goes along: without one no progress comes, and the idle limit could not be put off.
    const _meta = { ...options.meta, progressToken: id };
    const value = await this.#link.request(
      id,
      { ...params, _meta },
      this.#outgoing(method, options),
      options.headers,
    );
    return { value: readObject(value) };
  }

  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change> {
    return this.#watchers.watch(filter, signal);
  }

  close(): void {
    this.#watchers.end();
    this.#answering.close(this.#link.lost);
  }

  lost(error: unknown): void {
    this.#watchers.fail(error);
    this.#answering.close(error);
  }

  #outgoing(method: string, options: CallOptions): OutgoingRequest {
    return {
      method,
      limits: options.limits,
      signal: options.signal,
      onProgress: options.onProgress,
      giveUp: id => this.#giveUp(id),
    };
  }

  #giveUp(id: Id): void {
    this.#link.notify('notifications/cancelled', {
      requestId: id,
      reason: 'the client no longer waits for it',
    });
  }

  #notification({ method, params }: Notification): void {
    if (method === 'notifications/progress') takeProgress(this.#link, params);
    else if (method === 'notifications/message') this.#seat.log(readLog(params));
    else if (method === 'notifications/cancelled') this.#answering.cancelled(params?.['requestId']);
    else {
      const change = readChange(method, params);
      if (change) this.#watchers.tell(change);
    }
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
