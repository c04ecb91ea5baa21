/** The handshake era on one connection of a server: remembers who the client is and asks it by requests. */
import { messageOf } from '../../basics/failure.ts';
import { nextTurn } from '../../basics/next-turn.ts';
import type { Exchange } from '../../channels/channel.ts';
import { type Change, changeMethods } from '../../protocol/change.ts';
import type { Capabilities } from '../../protocol/identity.ts';
import type { Id, Notification, Params, Request } from '../../rpc/message.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import type { Calls, ChangeWatcher, Router, ServerEra, Standing, Visitor } from '../era.ts';
import { isAtLeast, isLogLevel } from '../running-call.ts';
import { HandshakeCall } from './call.ts';
import { type Introduction, introductionOf, readIntroduction } from './introductions.ts';
import { OpeningCall } from './opening-call.ts';
import type { RevisionFacts } from './revisions.ts';
import { ServedClient } from './served-client.ts';
import { changeParams, isSubscription } from './watch.ts';

/** The most characters of what a client says of itself, as JSON: it is kept for as long as the connection. */
const longestIntroduction = 65_536;

export interface HandshakeSeat {
  readonly router: Router;
  readonly calls: Calls;
  readonly standing: Exchange;
}

export class HandshakeServer implements ServerEra, ChangeWatcher {
  readonly #router: Router;
  readonly #calls: Calls;
  readonly #standing: Exchange;
  #session: ServedClient | undefined;
  #opening: Promise<void> | undefined;
  #unwatch: (() => void) | undefined;

  constructor(seat: HandshakeSeat) {
    this.#router = seat.router;
    this.#calls = seat.calls;
    this.#standing = seat.standing;
  }

  /** What the revision of this connection can express, once it is known. */
  get facts(): RevisionFacts | undefined {
    return this.#session?.facts;
  }

  /** While an `initialize` waits for its answer: settles with it, and never rejects. */
  get opening(): Promise<void> | undefined {
    return this.#opening;
  }

  /** Takes for granted what `initialize` would have said, where there was none. */
  assume(revision: string, capabilities: Capabilities): void {
    this.#session = new ServedClient(this.#router, readIntroduction(revision, undefined, capabilities, ''));
  }

  get batches(): boolean {
    return this.#session?.facts.batches ?? false;
  }

  request(request: Request, exchange: Exchange): void {
    const { id, method } = request;
    const session = this.#session;
    // First, since nearly every request is one.
    if (session && method === 'tools/call') this.#calls.run(new HandshakeCall(request, exchange, session));
    else if (method === 'initialize') this.#initialize(request, exchange);
    else if (method === 'ping') exchange.send({ jsonrpc: '2.0', id, result: {} });
    else if (!session && this.#opening) void this.#opening.then(() => this.request(request, exchange));
    else if (!session) exchange.send(errorResponse(id, codes.invalidRequest, tooEarly(method)));
    else if (method === 'logging/setLevel') setLevel(session, request, exchange);
    else if (!isSubscription(method) || !session.subscriptions.handle(request, exchange))
      this.#calls.run(new HandshakeCall(request, exchange, session));
  }

  notification(_notification: Notification, _exchange: Exchange): void {
    // notifications/initialized asks for nothing: changes are told from the answer to initialize on.
  }

  response(id: Id, answer: { readonly result?: unknown; readonly error?: unknown }): boolean {
    return this.#session?.asker.answered(id, answer) ?? false;
  }

  close(reason: unknown): void {
    this.#router.watchers.delete(this);
    this.#unwatch?.();
    this.#session?.close(reason);
  }

  #initialize(request: Request, exchange: Exchange): void {
    const { id, params } = request;
    const { protocolVersion, clientInfo, capabilities: able } = params ?? {};
    const introduction = readIn([protocolVersion, clientInfo, able]);
    if (typeof introduction === 'string') {
      exchange.send(errorResponse(id, codes.invalidParams, introduction));
      return;
    }
    if (this.#session && this.#session.print !== introduction.print) {
      const why = 'this connection is initialized already; its revision and client cannot change';
      exchange.send(errorResponse(id, codes.invalidRequest, why));
      return;
    }
    if (this.#opening) {
      const why = 'an earlier initialize of this connection has no answer yet';
      exchange.send(errorResponse(id, codes.invalidRequest, why));
      return;
    }
    const session = this.#session ?? new ServedClient(this.#router, introduction);
    if (this.#router.prepare && !this.#session) {
      this.#calls.run(
        new OpeningCall(request, exchange, session, signal => this.#prepare(session, exchange, signal)),
      );
      return;
    }
    this.#session = session;
    // Before the answer, with which a connection may be over that is kept for one request only.
    this.#router.watchers.add(this);
    exchange.send({ jsonrpc: '2.0', id, result: this.#introduce(session) });
  }

  /** For a server that has to be made ready for each client. */
  async #prepare(session: ServedClient, exchange: Exchange, signal: AbortSignal): Promise<Params> {
    const { principal } = exchange;
    const visitor = { client: session.client, principal, standing: this.#outsideCalls(session) };
    const prepared = Promise.resolve(this.#router.prepare?.(visitor, signal));
    this.#opening = prepared.then(
      () => {
        this.#session = session;
        this.#watch(session, visitor);
      },
      () => {},
    );
    void this.#opening.then(() => {
      this.#opening = undefined;
    });
    await prepared;
    return this.#introduce(session);
  }

  #watch(session: ServedClient, visitor: Visitor): void {
    const { watch } = this.#router;
    if (!watch) {
      this.#router.watchers.add(this);
      return;
    }
    const tell = (change: Change): void => this.tell(change);
    const lists = { tools: true, prompts: true, resources: true };
    this.#unwatch = watch(lists, tell, visitor);
    session.relay = uri => watch({ uris: [uri] }, tell, visitor);
  }

  #outsideCalls(session: ServedClient): Standing {
    const standing = this.#standing;
    const method = 'a question outside of calls';
    return {
      get open() {
        return standing.open !== false;
      },
      onOpen: opened => standing.onOpen?.(opened) ?? (() => {}),
      ask: async (question, signal) => {
        // The answer to initialize goes first.
        while (this.#opening) await this.#opening;
        await new Promise<void>(resolve => nextTurn(resolve));
        return session.asker.ask(question, { method, exchange: standing, signal, settled: false });
      },
      log: (level, data, logger) => {
        if (this.#session !== session || !isAtLeast(level, session.logLevel)) return;
        const params = logger === undefined ? { level, data } : { level, logger, data };
        standing.send({ jsonrpc: '2.0', method: 'notifications/message', params });
      },
    };
  }

  /** The result of `initialize`. */
  #introduce(session: ServedClient): Params {
    const { info, capabilities, instructions } = this.#router.describe();
    const { icons, websiteUrl, description, title, ...basic } = info;
    const serverInfo = {
      ...basic,
      ...(session.facts.structuredContent && title !== undefined ? { title } : {}),
      ...(session.facts.icons && description !== undefined ? { description } : {}),
      ...(session.facts.icons && websiteUrl !== undefined ? { websiteUrl } : {}),
      ...(session.facts.icons && icons !== undefined ? { icons } : {}),
    };
    return {
      protocolVersion: session.facts.revision,
      capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  /** To our client, if it wants to know. */
  tell(change: Change): void {
    if (change.kind === 'resource' && !this.#session?.wants(change.uri)) return;
    this.#standing.send({ jsonrpc: '2.0', method: changeMethods[change.kind], ...changeParams(change) });
  }
}

/** Or why it cannot be used: what comes within one process may be no JSON. */
function readIn(introduction: readonly unknown[]): Introduction | string {
  const what = 'protocolVersion, clientInfo and capabilities';
  try {
    const text = JSON.stringify(introduction);
    if (text.length <= longestIntroduction) return introductionOf(text);
    return `${what} take ${text.length} characters; send ${longestIntroduction} at most`;
  } catch (error) {
    return `${what} cannot be read as JSON: ${messageOf(error)}`;
  }
}

function tooEarly(method: string): string {
  return `${method.trim() === '' ? 'a request without a method' : method} came before initialize; send initialize first, or the envelope of a stateless revision`;
}

function setLevel(session: ServedClient, request: Request, exchange: Exchange): void {
  const level = request.params?.['level'];
  if (isLogLevel(level)) {
    session.logLevel = level;
    exchange.send({ jsonrpc: '2.0', id: request.id, result: {} });
    return;
  }
  const why = `level must be a log level such as "info", got ${JSON.stringify(level)}`;
  exchange.send(errorResponse(request.id, codes.invalidParams, why));
}
