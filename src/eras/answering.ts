/** Answers to what a server asks by requests of its own: pings, questions, and a refusal of all else. */
import { messageOf } from '../basics/failure.ts';
import { readQuestion } from '../protocol/question.ts';
import type { Id, Request } from '../rpc/message.ts';
import { codes, errorBody, isProtocolError } from '../rpc/protocol-error.ts';
import type { ClientSeat } from './era.ts';
import type { Link } from './link.ts';

/** One per connection; idle limits of our own requests rest while a question is open. */
export class Answering {
  readonly #link: Link;
  readonly #seat: ClientSeat;
  readonly #open = new Map<Id, AbortController>();

  constructor(link: Link, seat: ClientSeat) {
    this.#link = link;
    this.#seat = seat;
  }

  receive(request: Request): void {
    const { id, method } = request;
    if (method === 'ping') {
      this.#link.respond(id, { result: {} });
      return;
    }
    const question = readQuestion(method, request.params ?? {});
    if (!question || this.#open.has(id)) {
      const message = question
        ? `the id ${JSON.stringify(id)} is in use`
        : `this client does not serve ${method}`;
      const code = question ? codes.invalidRequest : codes.methodNotFound;
      this.#link.respond(id, { error: { code, message } });
      return;
    }
    const controller = new AbortController();
    this.#open.set(id, controller);
    const release = this.#link.inflight.hold();
    // Started in a promise so that a handler that throws at once is answered like one that rejects.
    void Promise.resolve()
      .then(() => this.#seat.answer(question, controller.signal))
      .then(
        result => this.#answer(id, controller, { result }),
        thrown => {
          const known = isProtocolError(thrown);
          const error = known ? errorBody(thrown) : { code: codes.internalError, message: messageOf(thrown) };
          this.#answer(id, controller, { error });
        },
      )
      .finally(release);
  }

  /** The server no longer wants the answer. */
  cancelled(id: unknown): void {
    const controller = this.#open.get(id as Id);
    if (!controller) return;
    this.#open.delete(id as Id);
    controller.abort(new DOMException('the server withdrew its question', 'AbortError'));
  }

  close(reason: unknown): void {
    for (const controller of this.#open.values()) controller.abort(reason);
    this.#open.clear();
  }

  #answer(id: Id, controller: AbortController, answer: Parameters<Link['respond']>[1]): void {
    if (this.#open.get(id) !== controller) return;
    this.#open.delete(id);
    this.#link.respond(id, answer);
  }
}
