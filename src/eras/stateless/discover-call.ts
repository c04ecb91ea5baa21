/** A `server/discover` whose answer waits until the server is ready for whoever asks. */
import type { Exchange } from '../../channels/channel.ts';
import type { Outcome } from '../../protocol/call.ts';
import type { Params, Request } from '../../rpc/message.ts';
import { StatelessCall, type StatelessSeat } from './call.ts';
import type { Envelope } from './envelope.ts';

export class DiscoverCall extends StatelessCall {
  readonly #describe: (signal: AbortSignal) => Promise<object>;

  /** `describe` gives the whole result, or rejects with what to answer. */
  constructor(
    request: Request,
    exchange: Exchange,
    envelope: Envelope,
    seat: StatelessSeat,
    describe: (signal: AbortSignal) => Promise<object>,
  ) {
    super(request, exchange, envelope, seat);
    this.#describe = describe;
  }

  override async begin(): Promise<Outcome> {
    return { value: (await this.#describe(this.signal)) as Params };
  }

  /** It is complete already. */
  override result({ value }: Outcome): object {
    return value;
  }
}
