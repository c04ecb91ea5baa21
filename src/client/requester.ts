/** Sends the requests of a client: in turn, within limits, from the cache where it may, in a span where one is wanted. */
import { eitherSignal } from '../basics/abort.ts';
import { Slots } from '../basics/slots.ts';
import { type Tracer, traced } from '../basics/trace.ts';
import type { Channel } from '../channels/channel.ts';
import type { CallResult, ClientEra } from '../eras/index.ts';
import type { AccessOptions } from '../protocol/extension.ts';
import { resultAttributes, spanOf } from '../protocol/span.ts';
import type { RequestLimits } from '../rpc/inflight.ts';
import type { Id, Params } from '../rpc/message.ts';
import type { ResultCache } from './cache.ts';
import { type ClientOptions, checkTimeouts, limitsOf, type RequestOptions } from './options.ts';

type Options = Omit<RequestOptions, 'signal'> & AccessOptions;

export class Requester {
  readonly #era: ClientEra;
  readonly #options: ClientOptions;
  readonly #cache: ResultCache;
  readonly #slots: Slots | undefined;
  readonly #tracer: Tracer | undefined;
  readonly #network: Channel['network'];
  /** Of requests that set none of their own. */
  readonly #limits: RequestLimits;

  constructor(era: ClientEra, options: ClientOptions, cache: ResultCache, network?: Channel['network']) {
    this.#era = era;
    this.#options = options;
    this.#cache = cache;
    this.#slots = options.maxInFlight === undefined ? undefined : new Slots(options.maxInFlight);
    this.#tracer = options.tracer;
    this.#network = network;
    this.#limits = limitsOf(options.timeouts, undefined);
  }

  async request(method: string, params: Params, options: Options): Promise<Params> {
    const { signal, until, timeouts } = options;
    if (timeouts) checkTimeouts(method, timeouts);
    signal?.throwIfAborted();
    until?.throwIfAborted();
    const known = this.#cache.find(method, params, options);
    if (known) return known;
    const { stamp, caller } = this.#cache;
    const result = await (this.#slots
      ? this.#inTurn(this.#slots, method, params, options)
      : this.#send(method, params, options));
    this.#cache.keep(method, params, options, result, stamp, caller);
    return result.value;
  }

  async #inTurn(slots: Slots, method: string, params: Params, options: Options): Promise<CallResult> {
    const release = await slots.take(eitherSignal(options.signal, options.until));
    try {
      return await this.#send(method, params, options);
    } finally {
      release();
    }
  }

  #send(method: string, params: Params, options: Options): Promise<CallResult> {
    const { signal, until, onProgress, headers, meta, timeouts, results, answer, trace: parent } = options;
    const limits = timeouts ? limitsOf(this.#options.timeouts, timeouts) : this.#limits;
    const call = { limits, signal, until, onProgress, headers, meta, results, answer };
    const tracer = this.#tracer;
    if (!tracer && !parent) return this.#era.call(method, params, call);
    const { name, attributes } = spanOf(method, params, this.#era);
    const about = {
      ...{ name, parent, kind: 'client' as const },
      attributes: { ...attributes, ...this.#network },
    };
    return traced(tracer, about, async (context, note) => {
      const sent = (id: Id): void => note({ 'jsonrpc.request.id': `${id}` });
      const result = await this.#era.call(method, params, { ...call, sent, meta: { ...context, ...meta } });
      note(resultAttributes(method, params, result.value, tracer));
      return result;
    });
  }
}
