/** The stateless era over HTTP: one POST, one reply; what is wrong with a request has a status, and leaving aborts. */
import { sketch } from '../../basics/sketch.ts';
import type { Exchange, HttpReply, HttpRequest } from '../../channels/channel.ts';
import { readObject } from '../../protocol/identity.ts';
import { type ErrorBody, type Id, type Message, type Request, readMessage } from '../../rpc/message.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import type { CallTable } from '../call-table.ts';
import type { Router } from '../era.ts';
import { type Patience, PostReply } from '../post-reply.ts';
import { isLaterThan } from '../versions.ts';
import { type Envelope, isStatelessRequest, metaKeys, readEnvelope, statelessCodes } from './envelope.ts';
import { compareParameters, compareValue, headerNames, nameField } from './headers.ts';
import type { StatelessServer } from './server.ts';

export interface StatelessHttpSeat {
  readonly router: Router;
  readonly calls: CallTable;
  readonly server: StatelessServer;
  readonly patience: Patience;
}

const versionHeader = headerNames.version.toLowerCase();

/** True when a POST is of this era: by its body, or else by a version header that no older revision has. */
export function isStatelessPost(request: HttpRequest): boolean {
  const { body } = request;
  if (typeof body === 'object' && body !== null) {
    if (isStatelessRequest(body as Request)) return true;
    if ((body as { readonly method?: unknown }).method === 'initialize') return false;
  }
  return namesThisEra(request);
}

/** True when the version header names a revision of this era, or one that is newer still. */
export function namesThisEra(request: HttpRequest): boolean {
  return isLaterThan('handshake', request.header(versionHeader));
}

/** One for all clients: nothing is kept of a request once it was answered. */
export class StatelessHttp {
  readonly #seat: StatelessHttpSeat;

  constructor(seat: StatelessHttpSeat) {
    this.#seat = seat;
  }

  respond(request: HttpRequest, reply: HttpReply): void {
    const inbound = readMessage(request.body);
    switch (inbound.kind) {
      case 'request':
        this.#request(inbound.message, request, reply);
        return;
      case 'notification':
        // None has a meaning here: a client cancels by leaving.
        reply.whole(202);
        return;
      case 'batch':
        refuse(reply, null, 'this revision knows no batches; send one message at a time');
        return;
      case 'response':
        refuse(reply, null, 'a client of this revision sends no responses; answers go into the next request');
        return;
      case 'invalid':
        refuse(reply, inbound.id, inbound.reason);
    }
  }

  #request(message: Request, request: HttpRequest, reply: HttpReply): void {
    const { calls, patience, server, router } = this.#seat;
    const { id } = message;
    const checked = checkRequest(message, request, router);
    if ('error' in checked) {
      reply.whole(checked.status, { jsonrpc: '2.0', id, error: checked.error });
      return;
    }
    const { accepts } = request;
    if (!accepts.stream && message.method === 'subscriptions/listen') {
      refuse(reply, id, 'a subscription is an event stream: send Accept: text/event-stream', 406);
      return;
    }
    const post = new StatelessPost(request.principal, reply, new PostReply(reply, { accepts, patience }));
    calls.bytes = request.bytes;
    server.serve(message, post, checked.envelope);
  }
}

/** The envelope, or the first thing that is wrong with a request, in the order that the protocol has for them. */
function checkRequest(
  message: Request,
  request: HttpRequest,
  router: Router,
): { readonly envelope: Envelope } | { readonly error: ErrorBody; readonly status: number } {
  const { method, params } = message;
  const read = (name: string): string | undefined => request.header(name.toLowerCase());
  const envelope = readEnvelope(message);
  const revision = readObject(params?.['_meta'])[metaKeys.version];
  if (typeof revision === 'string' && read(headerNames.version)?.trim() !== revision) {
    return mismatch(headerNames.version, `must be ${sketch(revision)} as in params._meta`);
  }
  if ('error' in envelope) return { error: envelope.error, status: 400 };
  if (read(headerNames.method)?.trim() !== method) {
    return mismatch(headerNames.method, `must be ${sketch(method)} as in the body`);
  }
  const field = nameField(method, router.nameParams);
  if (field === undefined) return envelope;
  const named = compareValue(params?.[field], read(headerNames.name));
  if (named !== undefined) return mismatch(headerNames.name, `${named} (params.${field})`);
  const tool = method === 'tools/call' ? params?.['name'] : undefined;
  const schema = typeof tool === 'string' ? router.inputSchema?.(tool) : undefined;
  const mirrored = schema && compareParameters(schema, params?.['arguments'], read);
  return mirrored === undefined ? envelope : mismatch('', mirrored);
}

function mismatch(header: string, why: string): { readonly error: ErrorBody; readonly status: number } {
  return { error: { code: statelessCodes.headerMismatch, message: `${header} ${why}`.trim() }, status: 400 };
}

function refuse(reply: HttpReply, id: Id | null, why: string, status = 400): void {
  reply.whole(status, errorResponse(id, codes.invalidRequest, why));
}

const invalidStatus: Readonly<Record<number, number>> = {
  [codes.parseError]: 400,
  [codes.invalidRequest]: 400,
  [codes.methodNotFound]: 404,
  [statelessCodes.headerMismatch]: 400,
  [statelessCodes.missingCapability]: 400,
  [statelessCodes.unsupportedVersion]: 400,
};

/** One request on its way to its one reply. */
class StatelessPost implements Exchange {
  readonly principal?: string;
  readonly #reply: PostReply;
  readonly #http: HttpReply;

  constructor(principal: string | undefined, http: HttpReply, reply: PostReply) {
    if (principal !== undefined) this.principal = principal;
    this.#reply = reply;
    this.#http = http;
  }

  send(message: Message | readonly Message[]): void {
    if (Array.isArray(message) || 'method' in message) this.#reply.say(message);
    else {
      const { error } = message as { readonly error?: ErrorBody };
      this.#reply.answer(message, error === undefined ? 200 : (invalidStatus[error.code] ?? 200));
    }
  }

  onGone(gone: (reason: unknown) => void): void {
    this.#http.onLeave(() => {
      this.#reply.drop();
      gone(new DOMException('the client left before the answer', 'AbortError'));
    });
  }
}
