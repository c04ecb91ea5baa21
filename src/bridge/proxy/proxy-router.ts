/** What a proxy is to those who come to it: each request goes on to the server behind, by the right connection. */

import { onAbort } from '../../basics/abort.ts';
import { isObject } from '../../basics/json.ts';
import { version } from '../../basics/version.ts';
import type { Client } from '../../client/client.ts';
import type { Router, Visitor } from '../../eras/index.ts';
import type { Call, Outcome } from '../../protocol/call.ts';
import type { Change, ChangeFilter } from '../../protocol/change.ts';
import type { ServerDescription } from '../../protocol/identity.ts';
import { factsOf } from '../../protocol/methods.ts';
import type { Params } from '../../rpc/message.ts';
import { forwardedRequest } from './forwarded-request.ts';
import { HeldCall } from './held-call.ts';
import type { HeldCalls } from './held-calls.ts';
import { canBeAsked } from './likeness.ts';
import type { ProxySettings } from './proxy-options.ts';
import type { Upstream } from './upstream.ts';
import { answerFailure, outcomeUnknown } from './upstream-failure.ts';
import type { Upstreams } from './upstreams.ts';

/** What all connections of a proxy have in common. */
export interface ProxySeat {
  readonly settings: ProxySettings;
  readonly upstreams: Upstreams;
  readonly held: HeldCalls;
}

/** What is promised to clients: the rest is between the proxy and the server alone. */
const passing = ['tools', 'resources', 'prompts', 'completions', 'logging'];

/** For requests that stand for themselves: they share connections. */
export class ProxyRouter implements Router {
  readonly watchers: Router['watchers'] = new Set();
  protected readonly seat: ProxySeat;
  readonly #schemas = new Map<string, object>();
  #description: ServerDescription = { info: { name: 'tenon proxy', version }, capabilities: {} };

  constructor(seat: ProxySeat) {
    this.seat = seat;
  }

  describe(): ServerDescription {
    return this.#description;
  }

  inputSchema(tool: string): object | undefined {
    return this.#schemas.get(tool);
  }

  report(message: string, cause: unknown): void {
    this.seat.settings.report(message, cause);
  }

  prepare(visitor: Visitor, signal: AbortSignal): Promise<void> | undefined {
    const { client } = this.knownFor(visitor) ?? {};
    if (!client) return this.#prepare(visitor, signal);
    this.#learn(client);
    return undefined;
  }

  async #prepare(visitor: Visitor, signal: AbortSignal): Promise<void> {
    const upstream = this.upstreamFor(visitor, false);
    const release = upstream.claim(false);
    const stop = onAbort(signal, release);
    try {
      this.#learn(await upstream.ready());
    } finally {
      stop();
      release();
    }
  }

  readonly watch = (filter: ChangeFilter, tell: (change: Change) => void, visitor: Visitor): (() => void) =>
    this.knownFor(visitor)?.watch(filter, tell) ?? (() => {});

  async handle(call: Call): Promise<Outcome> {
    try {
      const asks = factsOf(call.method).mayAsk && canBeAsked(call.client);
      const held = asks
        ? await this.seat.held.take(call, () => this.#start(call, true))
        : await this.#start(call, false);
      if (!held) return outcomeUnknown(call, 'the proxy that made it no longer knows of it');
      const value = await held.attend(call);
      if (call.method === 'tools/list') this.#learnSchemas(value);
      return { value };
    } catch (thrown) {
      return answerFailure(call, thrown, (message, cause) => this.report(message, cause));
    }
  }

  /** The connection that such a visitor has already. */
  protected knownFor(visitor: Visitor): Upstream | undefined {
    return this.seat.upstreams.known(visitor, false);
  }

  /** The connection for a call of this visitor; throws a `ProtocolError` when there can be none. */
  protected upstreamFor(visitor: Visitor, asks: boolean): Upstream {
    return this.seat.upstreams.shared(visitor, asks);
  }

  async #start(call: Call, asks: boolean): Promise<HeldCall> {
    const { client, principal } = call;
    const upstream = this.upstreamFor({ client, principal }, asks);
    const release = upstream.claim(asks);
    let connection: Client;
    try {
      connection = await upstream.ready();
    } catch (thrown) {
      release();
      throw thrown;
    }
    this.#learn(connection);
    const { params, meta } = forwardedRequest(call);
    const held: HeldCall = new HeldCall({
      client,
      send: ({ signal, onProgress, ask }) =>
        connection.access({ onProgress, meta }).request(call.method, params, { signal, answer: ask }),
      settled: () => {
        upstream.settled(held);
        release();
      },
      unattended: () => {
        if (asks) this.seat.held.unattended(held);
      },
    });
    upstream.running(held);
    return held;
  }

  #learn({ server, capabilities, instructions }: Client): void {
    const promised = Object.entries(capabilities).filter(([name]) => passing.includes(name));
    this.#description = {
      info: server,
      capabilities: Object.fromEntries(promised),
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  /** For the headers that mirror arguments. */
  #learnSchemas({ tools }: Params): void {
    for (const tool of Array.isArray(tools) ? (tools as readonly unknown[]) : []) {
      if (!isObject(tool)) continue;
      const { name, inputSchema } = tool;
      if (typeof name === 'string' && isObject(inputSchema)) this.#schemas.set(name, inputSchema);
    }
  }
}
