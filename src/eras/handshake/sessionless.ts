/** The handshake era over HTTP without sessions: each POST on its own, its questions found again by their ids. */
import type { Exchange, HttpReply, HttpRequest } from '../../channels/channel.ts';
import { readObject } from '../../protocol/identity.ts';
import { type Id, type Message, readMessage } from '../../rpc/message.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import { EraInlet, type ServeEra } from '../inlet.ts';
import type { SessionSeat } from './http-session.ts';
import { HandshakePost, type PostSeat } from './post.ts';
import { HandshakeServer } from './server.ts';

/** A question that a client was asked, to be answered in a POST of its own. */
interface Open {
  readonly inlet: EraInlet;
  /** The id by which the one who asked knows it. */
  readonly id: Id;
  readonly principal: string | undefined;
}

/** What a client is taken to be able to answer: nobody said what it can, and it refuses what it cannot. */
const none = Object.freeze({});
const everything = Object.freeze({
  elicitation: Object.freeze({ form: none, url: none }),
  sampling: Object.freeze({ tools: none, context: none }),
  roots: none,
});

const nowhere: Exchange = { send: () => {} };

export class Sessionless {
  readonly #seat: SessionSeat;
  readonly #asks: boolean;
  readonly #open = new Map<string, Open>();
  /** Of the POSTs that have no answer yet. */
  readonly #inlets = new Set<EraInlet>();

  /** With `asks` false clients are asked nothing. */
  constructor(seat: SessionSeat, asks: boolean) {
    this.#seat = seat;
    this.#asks = asks;
  }

  /** `revision` is the one that the client named, or is taken to speak. */
  post(request: HttpRequest, reply: HttpReply, revision: string): void {
    const inbound = readMessage(request.body);
    if (inbound.kind === 'response') {
      this.#answered(inbound.id, request);
      reply.whole(202);
      return;
    }
    const { router, eras: others, clock, patience, abortOnDisconnect } = this.#seat;
    const opens = readObject(request.body)['method'] === 'initialize';
    const handshake: ServeEra = given => {
      const server = new HandshakeServer(given);
      const capabilities = this.#asks ? everything : none;
      if (!opens) server.assume(revision, capabilities);
      return server;
    };
    const inlet = new EraInlet(
      router,
      { handshake, others, standing: nowhere },
      { clock, replyStreams: true },
    );
    const asked = new Map<Id, string>();
    const seat: PostSeat = {
      patience,
      abortOnDisconnect,
      hear: message => inlet.receive(message, nowhere),
      outgoing: message => this.#rename(message, asked, { inlet, principal: request.principal }),
      left: () => {
        // Nobody can come back for the result, so nobody answers either.
        for (const [id, name] of asked) {
          if (!this.#open.delete(name)) continue;
          const why = 'the client left before it answered';
          inlet.receive(errorResponse(id, codes.invalidRequest, why), nowhere);
        }
      },
      finished: () => {
        for (const id of asked.values()) this.#open.delete(id);
        this.#inlets.delete(inlet);
        void inlet.close(new DOMException('the request was answered', 'AbortError'));
      },
    };
    this.#inlets.add(inlet);
    const post = new HandshakePost(request, reply, seat);
    inlet.receive(request.body, post, request.bytes);
    post.taken();
  }

  /** Calls get `grace` milliseconds to finish; then they are aborted. */
  async close(reason: unknown, grace: number): Promise<void> {
    await Promise.all([...this.#inlets].map(inlet => inlet.close(reason, grace)));
  }

  /** Ids that nobody can guess take the place of the small numbers that are the same in every POST. */
  #rename(message: Message, asked: Map<Id, string>, facts: Omit<Open, 'id'>): Message {
    if (!('method' in message)) return message;
    if ('id' in message) {
      const name = crypto.randomUUID();
      asked.set(message.id, name);
      this.#open.set(name, { ...facts, id: message.id });
      return { ...message, id: name };
    }
    const requestId = asked.get(message.params?.['requestId'] as Id);
    if (message.method !== 'notifications/cancelled' || requestId === undefined) return message;
    this.#open.delete(requestId);
    return { ...message, params: { ...message.params, requestId } };
  }

  #answered(id: Id | null, request: HttpRequest): void {
    const open = typeof id === 'string' ? this.#open.get(id) : undefined;
    if (!open || open.principal !== request.principal) return;
    this.#open.delete(id as string);
    open.inlet.receive({ ...(request.body as object), id: open.id }, nowhere);
  }
}
