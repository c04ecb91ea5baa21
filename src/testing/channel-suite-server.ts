/** The server that channels are tried against: works on bare messages and knows nothing of the protocol. */
import { onAbort } from '../basics/abort.ts';
import type { Acceptor, Exchange, Inlet } from '../channels/channel.ts';
import { type Id, type Message, type Params, type Request, readMessage } from '../rpc/message.ts';
import { codes, errorResponse } from '../rpc/protocol-error.ts';

export interface ChannelSuiteServerOptions {
  /** Makes the server go away as a crash would, without a word on the connection. */
  readonly leave?: () => void;
}

/** Put it behind the channel that `channelSuite` is to try. */
export function channelSuiteServer(options: ChannelSuiteServerOptions = {}): Acceptor {
  return { accept: standing => new SuiteInlet(standing, options.leave ?? (() => {})) };
}

class SuiteInlet implements Inlet {
  readonly #standing: Exchange;
  readonly #leave: () => void;
  readonly #notes: unknown[] = [];
  readonly #held = new Map<Id, Exchange>();
  readonly #asking = new Map<Id, { readonly id: Id; readonly exchange: Exchange }>();
  readonly #wantAbandoned: (() => void)[] = [];
  #abandoned = 0;

  constructor(standing: Exchange, leave: () => void) {
    this.#standing = standing;
    this.#leave = leave;
  }

  get running(): number {
    return this.#held.size + this.#asking.size;
  }

  receive(value: unknown, exchange: Exchange): void {
    const inbound = readMessage(value);
    if (inbound.kind === 'request') this.#request(inbound.message, exchange);
    else if (inbound.kind === 'notification') this.#told(inbound.message.method, inbound.message.params);
    else if (inbound.kind === 'response' && inbound.id !== null) this.#answered(inbound.id, inbound.result);
    else exchange.send(errorResponse(null, codes.invalidRequest, 'this is no message'));
  }

  unreadable(reason: string, exchange: Exchange): void {
    exchange.send(errorResponse(null, codes.parseError, reason));
  }

  async close(): Promise<void> {
    this.#held.clear();
    this.#asking.clear();
  }

  #request({ id, method, params = {} }: Request, exchange: Exchange): void {
    const answer = (result: unknown): void => exchange.send({ jsonrpc: '2.0', id, result });
    switch (method) {
      case 'echo':
        answer(params);
        return;
      case 'notes':
        answer({ notes: [...this.#notes] });
        return;
      case 'fill':
        answer({ text: 'x'.repeat(Number(params['length'])) });
        return;
      case 'count':
        for (let index = 0; index < Number(params['to']); index += 1) {
          exchange.send(notification('counted', { index, for: id }));
        }
        answer({ counted: params['to'] });
        return;
      case 'hold':
        this.#hold(id, exchange);
        return;
      case 'abandoned':
        this.#wantAbandoned.push(() => answer({ abandoned: this.#abandoned }));
        this.#tellAbandoned();
        return;
      case 'ask': {
        const question = `asked for ${String(id)}`;
        this.#asking.set(question, { id, exchange });
        exchange.send({ jsonrpc: '2.0', id: question, method: 'question', params });
        return;
      }
      default:
        exchange.send(errorResponse(id, codes.methodNotFound, `there is no ${method} here`));
    }
  }

  #told(method: string, params: Params | undefined): void {
    if (method === 'note') this.#notes.push(params?.['index']);
    else if (method === 'leave') this.#leave();
    else if (method === 'call out') this.#standing.send(notification('called out', params ?? {}));
    else if (method === 'release') {
      for (const [id, exchange] of this.#held) exchange.send({ jsonrpc: '2.0', id, result: { held: true } });
      this.#held.clear();
    }
  }

  #answered(id: Id, result: unknown): void {
    const asking = this.#asking.get(id);
    this.#asking.delete(id);
    asking?.exchange.send({ jsonrpc: '2.0', id: asking.id, result: { answer: result } });
  }

  #hold(id: Id, exchange: Exchange): void {
    this.#held.set(id, exchange);
    if (!exchange.signal) return;
    onAbort(exchange.signal, () => {
      this.#abandoned += 1;
      this.#tellAbandoned();
    });
  }

  #tellAbandoned(): void {
    if (this.#abandoned > 0) for (const tell of this.#wantAbandoned.splice(0)) tell();
  }
}

function notification(method: string, params: Params): Message {
  return { jsonrpc: '2.0', method, params };
}
