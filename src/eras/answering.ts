/** Answers to what a server asks by requests of its own: pings, questions, and a refusal of all else. */
import { messageOf } from '../basics/failure.ts';
import { readQuestion } from '../protocol/question.ts';
import type { Id, Request } from '../rpc/message.ts';
import { codes, errorBody, isProtocolError } from '../rpc/protocol-error.ts';
import type { ClientSeat } from './era.ts';
import type { Link } from './link.ts';
import type { Answer } from './question-turns.ts';

interface Open {
  /** The request of ours on whose reply stream the question came. */
  readonly of: Id | undefined;
  readonly controller: AbortController;
  /** Lets the idle limits of our own requests go on. */
  readonly release: () => void;
}

/** One per connection; idle limits of our own requests rest while a question is open. */
export class Answering {
  readonly #link: Link;
  readonly #seat: ClientSeat;
  readonly #open = new Map<Id, Open>();
  /** Of requests of ours that have an answerer of their own. */
  readonly #answerers = new Map<Id, Answer>();

  constructor(link: Link, seat: ClientSeat) {
    this.#link = link;
    this.#seat = seat;
  }

  /** Questions on the reply stream of request `of` are answered by `answer`, until what it returns is called. */
  expect(of: Id, answer: Answer): () => void {
    this.#answerers.set(of, answer);
    return () => void this.#answerers.delete(of);
  }

  receive(request: Request, of?: Id): void {
    const { id, method } = request;
    if (method === 'ping') {
      this.#link.respond(id, { result: {} });
      return;
    }
    const question = readQuestion(method, request.params ?? {});
    if (!question) {
      const message = `this client does not serve ${method}`;
      this.#link.respond(id, { error: { code: codes.methodNotFound, message } });
      return;
    }
    if (this.#open.has(id)) {
      // Any answer would pass for the answer to the question that is open under this id.
      const message = `ignored ${method}: its id ${JSON.stringify(id)} is in use by another question`;
      this.#link.diagnostic({ kind: 'duplicate-id', message });
      return;
    }
    const busy = this.#seat.turns.refusal(question);
    if (busy !== undefined) {
      this.#link.respond(id, { error: { code: codes.internalError, message: busy } });
      return;
    }
    const controller = new AbortController();
    const open = { of, controller, release: this.#link.inflight.hold() };
    this.#open.set(id, open);
    const own = of === undefined ? undefined : this.#answerers.get(of);
    void this.#seat.turns.take(question, own ?? this.#seat.answer, controller.signal).then(
      result => this.#answer(id, open, { result }),
      thrown => {
        const known = isProtocolError(thrown);
        const error = known ? errorBody(thrown) : { code: codes.internalError, message: messageOf(thrown) };
        this.#answer(id, open, { error });
      },
    );
  }

  /** The server no longer wants the answer. */
  cancelled(id: unknown): void {
    const open = this.#open.get(id as Id);
    if (!open) return;
    this.#open.delete(id as Id);
    open.release();
    open.controller.abort(new DOMException('the server withdrew its question', 'AbortError'));
  }

  /** The reply stream of a request of ours was left, and with it the way by which its questions would be withdrawn. */
  left(of: Id): void {
    for (const [id, open] of [...this.#open]) if (open.of === of) this.cancelled(id);
  }

  close(reason: unknown): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { controller, release } of open) {
      release();
      controller.abort(reason);
    }
  }

  #answer(id: Id, open: Open, answer: Parameters<Link['respond']>[1]): void {
    if (this.#open.get(id) !== open) return;
    this.#open.delete(id);
    open.release();
    this.#link.respond(id, answer);
  }
}
