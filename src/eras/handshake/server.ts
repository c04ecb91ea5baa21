/** The handshake era on one connection of a server: remembers who the client is and asks it by requests. */
import type { Exchange } from '../../channels/channel.ts';
import { type Change, changeMethods } from '../../protocol/change.ts';
import { readInfo, readObject } from '../../protocol/identity.ts';
import type { Id, Notification, Request } from '../../rpc/message.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import type { ClientView, LogLevel } from '../../tools/context.ts';
import type { Calls, Router, ServerEra } from '../era.ts';
import { isLogLevel } from '../running-call.ts';
import { Asker } from './asker.ts';
import { HandshakeCall } from './call.ts';
import { printOf } from './print.ts';
import { factsOfRevision, latestFacts, type RevisionFacts } from './revisions.ts';
import { changeParams, Subscriptions } from './watch.ts';

/** Log messages below this are not sent until the client chooses a level. */
const defaultLogLevel: LogLevel = 'info';

/** What a connection knows once the client has introduced itself. */
export interface Session {
  readonly facts: RevisionFacts;
  readonly client: ClientView;
  readonly asker: Asker;
  readonly subscriptions: Subscriptions;
  logLevel: LogLevel;
}

/** The most characters of what a client says of itself, as JSON: it is kept for as long as the connection. */
const longestIntroduction = 65_536;

interface Opened extends Session {
  /** The print of what `initialize` was asked with, to tell a repetition from a change of mind. */
  readonly asked: string;
}

export class HandshakeServer implements ServerEra {
  readonly #router: Router;
  readonly #calls: Calls;
  readonly #standing: Exchange;
  #session: Opened | undefined;
  #stopWatching: (() => void) | undefined;

  constructor(seat: { router: Router; calls: Calls; standing: Exchange }) {
    this.#router = seat.router;
    this.#calls = seat.calls;
    this.#standing = seat.standing;
  }

  /** What the revision of this connection can express, once it is known. */
  get facts(): RevisionFacts | undefined {
    return this.#session?.facts;
  }

  /** Takes for granted what `initialize` would have said, where there was none. */
  assume(client: Readonly<Record<string, unknown>>): void {
    this.#open(client, '');
  }

  get batches(): boolean {
    return this.#session?.facts.batches ?? false;
  }

  request(request: Request, exchange: Exchange): void {
    const { id, method } = request;
    const session = this.#session;
    if (method === 'initialize') this.#initialize(request, exchange);
    else if (method === 'ping') exchange.send({ jsonrpc: '2.0', id, result: {} });
    else if (!session) exchange.send(errorResponse(id, codes.invalidRequest, tooEarly(method)));
    else if (method === 'logging/setLevel') setLevel(session, request, exchange);
    else if (!session.subscriptions.handle(request, exchange))
      this.#calls.run(new HandshakeCall(request, exchange, session));
  }

  notification(_notification: Notification, _exchange: Exchange): void {
    // notifications/initialized asks for nothing: changes are told from the answer to initialize on.
  }

  response(id: Id, answer: { readonly result?: unknown; readonly error?: unknown }): boolean {
    return this.#session?.asker.answered(id, answer) ?? false;
  }

  close(reason: unknown): void {
    this.#stopWatching?.();
    this.#session?.asker.close(reason);
  }

  #initialize(request: Request, exchange: Exchange): void {
    const { id, params } = request;
    const { protocolVersion, clientInfo, capabilities: able } = params ?? {};
    const introduction = JSON.stringify([protocolVersion, clientInfo, able]);
    if (introduction.length > longestIntroduction) {
      const why = `protocolVersion, clientInfo and capabilities take ${introduction.length} characters; send ${longestIntroduction} at most`;
      exchange.send(errorResponse(id, codes.invalidParams, why));
      return;
    }
    const asked = printOf(introduction);
    if (this.#session && this.#session.asked !== asked) {
      const why = 'this connection is initialized already; its revision and client cannot change';
      exchange.send(errorResponse(id, codes.invalidRequest, why));
      return;
    }
    const session = this.#session ?? this.#open(params ?? {}, asked);
    const { info, capabilities, instructions } = this.#router.describe();
    const { icons, websiteUrl, description, title, ...basic } = info;
    const serverInfo = {
      ...basic,
      ...(session.facts.structuredContent && title !== undefined ? { title } : {}),
      ...(session.facts.icons && description !== undefined ? { description } : {}),
      ...(session.facts.icons && websiteUrl !== undefined ? { websiteUrl } : {}),
      ...(session.facts.icons && icons !== undefined ? { icons } : {}),
    };
    const result = {
      protocolVersion: session.facts.revision,
      capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    };
    // Before the answer, with which a connection may be over that is kept for one request only.
    this.#stopWatching ??= this.#router.onChange(change => this.#tell(change));
    exchange.send({ jsonrpc: '2.0', id, result });
  }

  #open(params: Readonly<Record<string, unknown>>, asked: string): Opened {
    // A revision that is not known is answered with the newest; the client decides whether it can go on.
    const facts = factsOfRevision(params['protocolVersion']) ?? latestFacts;
    const client = {
      info: readInfo(params['clientInfo']),
      capabilities: readObject(params['capabilities']),
      revision: facts.revision,
    };
    this.#session = {
      facts,
      client,
      asker: new Asker(),
      subscriptions: new Subscriptions(this.#router),
      logLevel: defaultLogLevel,
      asked,
    };
    return this.#session;
  }

  #tell(change: Change): void {
    if (change.kind === 'resource' && !this.#session?.subscriptions.wants(change.uri)) return;
    this.#standing.send({ jsonrpc: '2.0', method: changeMethods[change.kind], ...changeParams(change) });
  }
}

function tooEarly(method: string): string {
  return `${method.trim() === '' ? 'a request without a method' : method} came before initialize; send initialize first, or the envelope of a stateless revision`;
}

function setLevel(session: Session, request: Request, exchange: Exchange): void {
  const level = request.params?.['level'];
  if (isLogLevel(level)) {
    session.logLevel = level;
    exchange.send({ jsonrpc: '2.0', id: request.id, result: {} });
    return;
  }
  const why = `level must be a log level such as "info", got ${JSON.stringify(level)}`;
  exchange.send(errorResponse(request.id, codes.invalidParams, why));
}
