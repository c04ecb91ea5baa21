/** An `initialize` whose answer waits until the server is ready for this one client. */
import type { Exchange } from '../../channels/channel.ts';
import type { Outcome } from '../../protocol/call.ts';
import type { Params, Request } from '../../rpc/message.ts';
import { HandshakeCall } from './call.ts';
import type { ServedClient } from './served-client.ts';

export class OpeningCall extends HandshakeCall {
  readonly #open: (signal: AbortSignal) => Promise<Params>;

  /** `open` gives the result of `initialize`, or rejects with what to answer. */
  constructor(
    request: Request,
    exchange: Exchange,
    session: ServedClient,
    open: (signal: AbortSignal) => Promise<Params>,
  ) {
    super(request, exchange, session);
    this.#open = open;
  }

  override async begin(): Promise<Outcome> {
    return { value: await this.#open(this.signal) };
  }

  /** It is worded for the client's revision already. */
  override result({ value }: Outcome): object {
    return value;
  }
}
