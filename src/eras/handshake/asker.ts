/** Questions to the client as requests of our own: ids, answers, and what ends them early. */
import { onAbort } from '../../basics/abort.ts';
import type { Exchange } from '../../channels/channel.ts';
import { type Question, questionKinds } from '../../protocol/question.ts';
import { numberOf } from '../../rpc/inflight.ts';
import type { Id } from '../../rpc/message.ts';
import { ProtocolError } from '../../rpc/protocol-error.ts';

interface Asked {
  readonly method: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly release: () => void;
}

/** The call whose handler asks. */
interface AskingCall {
  readonly method: string;
  readonly exchange: Exchange;
  readonly signal: AbortSignal;
  /** It has its answer, and whoever made it expects no questions any more. */
  readonly settled: boolean;
}

/** One per connection. An answer may take as long as a person takes: only the call's own signal ends the wait. */
export class Asker {
  /** Made for the first question: most clients are never asked. */
  #asked: Map<Id, Asked> | undefined;
  #lastId = 0;
  #closed: { readonly reason: unknown } | undefined;

  ask(question: Question, { exchange, signal, settled, method: asking }: AskingCall): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed.reason);
    if (signal.aborted) return Promise.reject(signal.reason);
    if (settled) {
      return Promise.reject(
        new TypeError(`${asking}: the client cannot be asked any more: the call is over`),
      );
    }
    this.#asked ??= new Map();
    const open = this.#asked;
    this.#lastId += 1;
    const id = this.#lastId;
    const { method } = questionKinds[question.kind];
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, () => {
        open.delete(id);
        const params = { requestId: id, reason: 'the call that asked is over' };
        exchange.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
        reject(signal.reason);
      });
      open.set(id, { method, resolve, reject, release });
      const { params } = question;
      const message =
        params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
      exchange.send(message as never);
    });
  }

  /** False when nothing was asked under this id. */
  answered(id: Id, answer: { readonly result?: unknown; readonly error?: unknown }): boolean {
    const key = numberOf(id) ?? id;
    const asked = this.#asked?.get(key);
    if (!asked) return false;
    this.#asked?.delete(key);
    asked.release();
    if (answer.error === undefined) asked.resolve(answer.result);
    else {
      const { code, message, data } = answer.error as { code: number; message: string; data?: unknown };
      asked.reject(new ProtocolError(code, message, { data, method: asked.method }));
    }
    return true;
  }

  close(reason: unknown): void {
    this.#closed = { reason };
    for (const asked of this.#asked?.values() ?? []) {
      asked.release();
      asked.reject(reason);
    }
    this.#asked?.clear();
  }
}
