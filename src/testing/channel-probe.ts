/** The client's end in the channel suite: sends, keeps what comes, and waits for what should. */
import { systemClock } from '../basics/clock.ts';
import type { Channel, Connection, Diagnostic, Receiver } from '../channels/channel.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Id, Params } from '../rpc/message.ts';
import { check, within } from './assert.ts';

/** A delivered message, and the request on whose reply stream it came. */
export interface Delivered {
  readonly message: { readonly [member: string]: unknown };
  readonly of: Id | undefined;
}

export class ChannelProbe implements Receiver {
  readonly delivered: Delivered[] = [];
  readonly ends: { readonly of: Id; readonly after: number }[] = [];
  readonly closings: ConnectionError[] = [];
  /** What was delivered although the end had been told. */
  readonly late: string[] = [];
  /** Called within each delivery. */
  onDelivery: (() => void) | undefined;
  readonly #watching = new Set<() => void>();
  readonly #results = new Map<Id, unknown>();
  readonly #wanted = new Map<Id, (result: unknown) => void>();
  #connection: Connection | undefined;
  #lastId = 0;

  async open(channel: Channel, signal?: AbortSignal): Promise<this> {
    const options = signal ? { signal, clock: systemClock } : { clock: systemClock };
    this.#connection = await within(channel.open(this, options), 'opening');
    return this;
  }

  get connection(): Connection {
    check(this.#connection !== undefined, 'the channel was opened');
    return this.#connection;
  }

  /** Sends a request and gives its id. */
  request(method: string, params: Params = {}): number {
    this.#lastId += 1;
    const id = this.#lastId;
    this.connection.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  notify(method: string, params: Params = {}): void {
    this.connection.send({ jsonrpc: '2.0', method, params });
  }

  /** The result that answers the request, now or later. */
  result(id: Id): Promise<unknown> {
    const answer = new Promise<unknown>(resolve => {
      if (this.#results.has(id)) resolve(this.#results.get(id));
      else this.#wanted.set(id, resolve);
    });
    return within(answer, `the answer to request ${String(id)}`);
  }

  ask(method: string, params: Params = {}): Promise<unknown> {
    return this.result(this.request(method, params));
  }

  /** The first thing that `pick` finds, now or later. */
  until<T>(what: string, pick: () => T | undefined): Promise<T> {
    const found = new Promise<T>(resolve => {
      const look = (): void => {
        const picked = pick();
        if (picked === undefined) return;
        this.#watching.delete(look);
        resolve(picked);
      };
      this.#watching.add(look);
      look();
    });
    return within(found, what);
  }

  message(value: unknown, of?: Id): void {
    this.#note(`a message: ${JSON.stringify(value)}`);
    const message = value as Delivered['message'];
    this.delivered.push({ message, of });
    if ('result' in message) this.#answered(message['id'] as Id, message['result']);
    this.#changed();
    this.onDelivery?.();
  }

  ended(of: Id): void {
    this.#note(`the end of the stream of ${String(of)}`);
    this.ends.push({ of, after: this.delivered.length });
    this.#changed();
  }

  closed(error: ConnectionError): void {
    this.#note('the end, again');
    this.closings.push(error);
    this.#changed();
  }

  activity(): void {
    this.#note('activity');
  }

  diagnostic(diagnostic: Diagnostic): void {
    this.#note(`a diagnostic: ${diagnostic.message}`);
  }

  #answered(id: Id, result: unknown): void {
    this.#results.set(id, result);
    this.#wanted.get(id)?.(result);
    this.#wanted.delete(id);
  }

  #note(what: string): void {
    if (this.closings.length > 0) this.late.push(what);
  }

  #changed(): void {
    for (const look of [...this.#watching]) look();
  }
}
