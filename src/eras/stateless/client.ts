/** The stateless era as a client sees it: every request introduces the client; questions are answered in rounds. */
import { eitherSignal } from '../../basics/abort.ts';
import { notify } from '../../basics/notify.ts';
import { type Change, type ChangeFilter, readChange } from '../../protocol/change.ts';
import type { ClientAccess } from '../../protocol/extension.ts';
import { readInfo, readObject, type ServerDescription } from '../../protocol/identity.ts';
import { factsOf } from '../../protocol/methods.ts';
import { forRequest, isConnectionError } from '../../rpc/connection-error.ts';
import type { OutgoingRequest } from '../../rpc/inflight.ts';
import type { Id, Notification, Params, Request } from '../../rpc/message.ts';
import { codes, isProtocolError, ProtocolError } from '../../rpc/protocol-error.ts';
import type { CallOptions, CallResult, ClientEra, ClientSeat } from '../era.ts';
import type { Link } from '../link.ts';
import { readLog, takeProgress } from '../notices.ts';
import type { Answer } from '../question-turns.ts';
import { readResult } from '../read-result.ts';
import { withMeta } from '../with-meta.ts';
import { MirrorHeaders } from './client-headers.ts';
import { metaKeys, readFreshness, statelessCodes, unwrapResult } from './envelope.ts';
import { answerRound, type Round } from './rounds.ts';
import { Listening } from './watch.ts';

/** The members of `_meta` that introduce the client, the same on every request. */
export function introduce(seat: ClientSeat, revision: string): Params {
  return {
    [metaKeys.version]: revision,
    [metaKeys.capabilities]: seat.capabilities,
    [metaKeys.client]: seat.info,
    ...(seat.logLevel === undefined ? {} : { [metaKeys.logLevel]: seat.logLevel }),
  };
}

/** Takes over a connection whose `server/discover` was answered with `result`. */
export function openStateless(link: Link, seat: ClientSeat, result: unknown, revision: string): ClientEra {
  const answer = readObject(result);
  const instructions = answer['instructions'];
  const server: ServerDescription = {
    info: readInfo(readObject(answer['_meta'])[metaKeys.server]),
    capabilities: readObject(answer['capabilities']),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
  return new StatelessClient(link, seat, server, revision);
}

class StatelessClient implements ClientEra {
  readonly revision: string;
  readonly server: ServerDescription;
  readonly knowsAsker = true;
  readonly #link: Link;
  readonly #seat: ClientSeat;
  readonly #introduction: Params;
  readonly #listening: Listening;
  /** Only where messages have headers. */
  readonly #mirror: MirrorHeaders | undefined;
  /** Aborts when the connection is gone: while questions are answered no request is there to fail. */
  readonly #gone = new AbortController();

  constructor(link: Link, seat: ClientSeat, server: ServerDescription, revision: string) {
    this.#link = link;
    this.#seat = seat;
    this.server = server;
    this.revision = revision;
    this.#introduction = introduce(seat, revision);
    this.#mirror = link.replyStreams
      ? new MirrorHeaders(revision, diagnostic => link.diagnostic(diagnostic), seat.nameParams)
      : undefined;
    link.dress = this.#mirror;
    this.#listening = new Listening(link, this.#introduction);
    link.handOver({
      request: request => this.#refuse(request),
      notification: (notification, of) => this.#notification(notification, of),
    });
  }

  async call(method: string, params: Params, options: CallOptions): Promise<CallResult> {
    let extra: Params | undefined;
    for (let round = 1; ; round += 1) {
      const value = await this.#mirrored(method, extra ? { ...params, ...extra } : params, options);
      const kind = value['resultType'] ?? 'complete';
      if (kind === 'complete') {
        // What came of a question's answers is for this call alone.
        const bare = unwrapResult(method, value);
        return extra || !factsOf(method).mayBeKept
          ? { value: bare }
          : { value: bare, freshness: readFreshness(value) };
      }
      if (kind !== 'input_required') return { value: await this.#special(method, kind, value, options) };
      if (!factsOf(method).mayAsk) throw invalid(method, 'it asks for input, which this method may not');
      if (round > this.#seat.maxRounds) {
        throw invalid(
          method,
          `it asked for input ${round} times in a row; the limit is ${this.#seat.maxRounds}`,
        );
      }
      extra = await this.#answer(value as Round, method, options);
    }
  }

  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change> {
    return this.#listening.watch(filter, signal);
  }

  listen(filter: Params, signal: AbortSignal, heard: (method: string, params: Params) => void): void {
    this.#listening.hear(filter, signal, heard);
  }

  close(): void {
    this.#listening.close();
  }

  lost(error: unknown): void {
    // Each subscription is a request of its own, and fails with it.
    this.#gone.abort(error);
  }

  async #answer(round: Round, method: string, { answer, ...options }: CallOptions): Promise<Params> {
    const signal = eitherSignal(options.signal, options.until);
    const either = signal ? AbortSignal.any([signal, this.#gone.signal]) : this.#gone.signal;
    try {
      return await answerRound(round, method, this.#inTurn(answer), either);
    } catch (thrown) {
      throw isConnectionError(thrown) ? forRequest(thrown, method, 'unknown') : thrown;
    }
  }

  #inTurn(own: Answer | undefined): Answer {
    const { turns, answer } = this.#seat;
    return (question, signal) => turns.take(question, own ?? answer, signal);
  }

  /** A tool's arguments are mirrored as its schema said when it was listed; a server that finds that wrong is asked anew. */
  #mirrored(method: string, params: Params, options: CallOptions): Promise<Params> {
    const mirror = this.#mirror;
    const sent = this.#send(method, params, options);
    if (mirror && method === 'tools/list') return sent.then(page => mirror.learn(page));
    if (mirror && method === 'tools/call') return this.#orSendAnew(sent, mirror, params, options);
    return sent;
  }

  async #orSendAnew(
    sent: Promise<Params>,
    mirror: MirrorHeaders,
    params: Params,
    options: CallOptions,
  ): Promise<Params> {
    const method = 'tools/call';
    try {
      return await sent;
    } catch (thrown) {
      if (!isProtocolError(thrown) || thrown.code !== statelessCodes.headerMismatch) throw thrown;
      this.#link.diagnostic({
        kind: 'headers-refused',
        message: `${method}: ${thrown.message}; tools are listed anew`,
      });
      await this.#learnTools(mirror, options);
      return this.#send(method, params, options);
    }
  }

  async #learnTools(mirror: MirrorHeaders, { signal, until, headers, limits }: CallOptions): Promise<void> {
    const seen = new Set<string>();
    let cursor: unknown;
    do {
      const params = typeof cursor === 'string' ? { cursor } : {};
      const page = mirror.learn(await this.#send('tools/list', params, { signal, until, headers, limits }));
      cursor = page['nextCursor'];
      if (typeof cursor !== 'string' || seen.has(cursor)) return;
      seen.add(cursor);
    } while (seen.size < 1000);
  }

  #send(method: string, params: Params, options: CallOptions): Promise<Params> {
    const id = this.#link.nextId();
    const sent = withMeta(params, this.#introduction, options.meta, { progressToken: id });
    const outgoing: OutgoingRequest = {
      method,
      limits: options.limits,
      signal: options.signal,
      until: options.until,
      onProgress: options.onProgress,
      giveUp: this.#giveUp,
    };
    options.sent?.(id);
    const answer = this.#link.request(id, sent, outgoing, options.headers);
    return answer.then(result => readResult(this.#link, method, result));
  }

  #special(method: string, kind: unknown, value: Params, options: CallOptions): Promise<Params> {
    const results = options.results ?? this.#seat.results;
    const handle = typeof kind === 'string' && Object.hasOwn(results, kind) ? results[kind] : undefined;
    if (!handle)
      throw invalid(method, `its resultType ${JSON.stringify(kind)} is not one that this client knows`);
    const access: ClientAccess = {
      clock: this.#link.clock,
      knowsAsker: this.knowsAsker,
      signal: eitherSignal(options.signal, options.until),
      gone: this.#gone.signal,
      request: async (name, params, own) =>
        (await this.call(name, params, { ...options, until: undefined, ...own })).value,
      answer: this.#inTurn(undefined),
      progress: progress => notify(options.onProgress, progress),
      listen: (filter, signal, heard) => this.listen(filter, signal, heard),
    };
    return handle(value, access, method);
  }

  /** On a shared pipe the peer is told; a reply stream of its own is simply closed. */
  readonly #giveUp = (id: Id): void => {
    if (this.#link.replyStreams) this.#link.abandon(id);
    else
      this.#link.notify('notifications/cancelled', {
        requestId: id,
        reason: 'the client no longer waits for it',
      });
  };

  /** Servers of this era send no requests, and a client sends no responses: noted and left unanswered. */
  #refuse(request: Request): void {
    const message = `ignored the request ${request.method}: servers of this revision may not send any`;
    this.#link.diagnostic({ kind: 'unexpected-request', message });
  }

  #notification({ method, params }: Notification, of: Id | undefined): void {
    const tag = readObject(params?.['_meta'])[metaKeys.subscription] ?? of;
    if (method === 'notifications/progress') takeProgress(this.#link, params);
    else if (method === 'notifications/message') this.#seat.log(readLog(params));
    else if (method === 'notifications/subscriptions/acknowledged') this.#listening.acknowledged(tag, params);
    else if (method === 'notifications/cancelled') this.#listening.ended(params?.['requestId']);
    else {
      const change = readChange(method, params);
      if (!change) {
        this.#listening.told(tag, method, params);
        return;
      }
      this.#seat.changed?.(change);
      this.#listening.tell(tag, change);
    }
  }
}

function invalid(method: string, why: string): ProtocolError {
  return new ProtocolError(codes.internalError, `the server's result cannot be used: ${why}`, { method });
}
