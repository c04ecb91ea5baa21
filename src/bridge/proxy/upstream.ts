/** One connection to the server behind a proxy, made for one client or for several that are alike. */

import type { Timer } from '../../basics/clock.ts';
import { messageOf } from '../../basics/failure.ts';
import type { Client } from '../../client/client.ts';
import type { LogEntry, Visitor } from '../../eras/index.ts';
import type { Change, ChangeFilter } from '../../protocol/change.ts';
import { readObject } from '../../protocol/identity.ts';
import type { HeldCall } from './held-call.ts';
import { likenessOf } from './likeness.ts';
import type { ProxySettings } from './proxy-options.ts';
import { QuestionDesk } from './question-desk.ts';
import { unreachable } from './upstream-failure.ts';

/** Those of many clients may come over one connection, and each waits for a person of its own. */
const mostQuestions = 1024;

export interface UpstreamSeat {
  readonly settings: ProxySettings;
  readonly visitor: Visitor;
  /** True for a session's own, which is closed with the session. */
  readonly owned: boolean;
  /** True when all calls are one caller's, so that a question may be put to any of them. */
  readonly oneCaller: boolean;
  /** It went by itself; told once, at once. */
  lost(): void;
  /** It is gone, by itself or because it was closed; told once, when nothing of it is left. */
  gone(upstream: Upstream): void;
}

export class Upstream {
  readonly #seat: UpstreamSeat;
  readonly #desk: QuestionDesk;
  readonly #opening = new AbortController();
  readonly #ready: Promise<Client>;
  readonly #watching = new Set<AbortController>();
  #client: Client | undefined;
  #closing: Promise<void> | undefined;
  #over = false;
  /** Calls that it was taken for. */
  #claims = 0;
  #asking = 0;
  #idle: Timer | undefined;

  /** Begins to connect; `ready` tells how that goes. */
  constructor(seat: UpstreamSeat) {
    this.#seat = seat;
    const { visitor, settings, owned, oneCaller } = seat;
    this.#desk = new QuestionDesk(owned ? visitor.standing : undefined, oneCaller);
    const { clock, timeouts, connect } = settings;
    const likeness = likenessOf(visitor.client, (question, signal) => this.#desk.ask(question, signal));
    this.#ready = Promise.resolve()
      .then(() =>
        connect({
          ...likeness,
          cache: false,
          maxQuestions: mostQuestions,
          clock,
          timeouts,
          logLevel: 'debug',
          onLog: entry => this.#log(entry),
          signal: this.#opening.signal,
        }),
      )
      .then(client => this.#opened(client));
    this.#ready.catch(() => this.#ended());
  }

  /** The connection, once there is one. Rejects with what to answer a client when there is none. */
  async ready(): Promise<Client> {
    try {
      return await this.#ready;
    } catch (thrown) {
      throw unreachable(thrown, this.#seat.settings.report);
    }
  }

  /** The connection, when there is one already. */
  get client(): Client | undefined {
    return this.over ? undefined : this.#client;
  }

  /** True when it cannot be used any more. */
  get over(): boolean {
    return this.#over || this.#closing !== undefined;
  }

  /** Whether another call that may ask would find its questions again. */
  get canTellApart(): boolean {
    return this.#asking === 0 || this.#seat.oneCaller || this.#client?.access().knowsAsker === true;
  }

  get used(): boolean {
    return this.#claims > 0 || this.#watching.size > 0;
  }

  /** Keeps it from being closed until what it returns is called; with `asks` for a call that may ask its client. */
  claim(asks: boolean): () => void {
    this.#idle?.cancel();
    this.#claims += 1;
    if (asks) this.#asking += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#claims -= 1;
      if (asks) this.#asking -= 1;
      this.#restIfUnused();
    };
  }

  /** Questions that belong to no call in particular may be put to the client of this one while it runs. */
  running(held: HeldCall): void {
    if (!held.settled) this.#desk.enter(held);
  }

  settled(held: HeldCall): void {
    this.#desk.leave(held);
  }

  /** Tells of changes that the server promises to tell of, until what it returns is called. */
  watch(filter: ChangeFilter, tell: (change: Change) => void): () => void {
    const client = this.#client;
    const promised = client && promisedOf(filter, client);
    if (!client || !promised) return () => {};
    const controller = new AbortController();
    this.#idle?.cancel();
    this.#watching.add(controller);
    void this.#relay(client.watch(promised, { signal: controller.signal }), tell);
    return () => {
      if (!this.#watching.delete(controller)) return;
      controller.abort();
      this.#restIfUnused();
    };
  }

  /** Ends the connection and all that belongs to it; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#idle?.cancel();
    this.#opening.abort(new DOMException('the proxy closed the connection', 'AbortError'));
    for (const controller of this.#watching) controller.abort();
    const client = await this.#ready.catch(() => undefined);
    await client?.close();
    this.#ended();
  }

  #opened(client: Client): Client {
    this.#client = client;
    const { gone } = client.access();
    if (gone.aborted) this.#lost();
    else gone.addEventListener('abort', () => this.#lost(), { once: true });
    return client;
  }

  #lost(): void {
    this.#over = true;
    if (this.#closing) return;
    this.#seat.lost();
    // What is left of a child is collected before another may take its place.
    void this.close();
  }

  #ended(): void {
    if (this.#over && !this.#client) return;
    this.#over = true;
    this.#idle?.cancel();
    this.#desk.close();
    this.#seat.gone(this);
  }

  #restIfUnused(): void {
    const { settings, owned } = this.#seat;
    if (owned || this.used || this.over) return;
    this.#idle?.cancel();
    this.#idle = settings.clock.after(settings.idle, () => {
      if (!this.used) void this.close();
    });
  }

  async #relay(changes: AsyncIterable<Change>, tell: (change: Change) => void): Promise<void> {
    try {
      for await (const change of changes) tell(change);
    } catch (thrown) {
      if (this.over) return;
      this.#seat.settings.report(`changes are not told of any more: ${messageOf(thrown)}`, thrown);
    }
  }

  #log({ level, data, logger }: LogEntry): void {
    this.#desk.log(level, data, logger);
  }
}

/** The part of a filter that the server's capabilities promise; nothing when none of it is. */
function promisedOf(filter: ChangeFilter, { capabilities }: Client): ChangeFilter | undefined {
  const promises = (kind: string, member: string): boolean => readObject(capabilities[kind])[member] === true;
  const { uris = [] } = filter;
  const promised = {
    tools: filter.tools === true && promises('tools', 'listChanged'),
    prompts: filter.prompts === true && promises('prompts', 'listChanged'),
    resources: filter.resources === true && promises('resources', 'listChanged'),
    uris: promises('resources', 'subscribe') ? uris : [],
  };
  const any = promised.tools || promised.prompts || promised.resources || promised.uris.length > 0;
  return any ? promised : undefined;
}
