/**
 * How messages travel, as contracts: `Channel` and `Connection` for the client's end, `Acceptor`, `Inlet` and
 * `Exchange` for the server's. A channel moves messages and never asks what they mean; eras decide.
 */
import type { Clock } from '../basics/clock.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Id, Message } from '../rpc/message.ts';

/** What a channel noticed and went on from: noise on stdout, a tolerated fault, bytes on stderr. */
export interface Diagnostic {
  /** A short stable word for code: `stdout-noise`, `stderr`, `unknown-response`, `era` … */
  readonly kind: string;
  readonly message: string;
  readonly data?: unknown;
}

/** Where an open connection delivers; every function returns at once and never throws. */
export interface Receiver {
  /**
   * One parsed JSON value that may be a message. `of` is the id of the request on whose own reply stream it came;
   * absent on a shared pipe.
   */
  message(value: unknown, of?: Id): void;
  /** The reply stream of request `of` ended, with or without its answer; only where `replyStreams` is true. */
  ended(of: Id, error?: ConnectionError): void;
  /** The connection is gone for good; called once, also after `close()`. Nothing is delivered afterwards. */
  closed(error: ConnectionError): void;
  /** The peer showed life in some other way: `output` on stdout, `stderr` from a child that is still starting. */
  activity(kind: 'output' | 'stderr'): void;
  diagnostic(diagnostic: Diagnostic): void;
}

/** What `open` is given. */
export interface OpenOptions {
  /** Gives up opening: whatever was started is stopped, and `open` rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly clock: Clock;
}

/** How one message is to be sent; meant for channels that have headers or reply streams, ignored by the others. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client's end of one open connection. */
export interface Connection {
  /** True when each request has a reply stream of its own; false when everything shares one pipe. */
  readonly replyStreams: boolean;
  /**
   * Hands a message over, in order. Never throws: what cannot be sent ends the connection (`closed`) or, with reply
   * streams, the request's own stream (`ended`).
   */
  send(message: Message, options?: SendOptions): void;
  /** Stops listening to the reply stream of request `of`, which tells the peer so. Does nothing on a shared pipe. */
  abandon(of: Id): void;
  /** Ends the connection and frees all it holds. Safe to call twice and while anything is going on; never rejects. */
  close(): Promise<void>;
}

/**
 * A way to reach a server. `open` makes a fresh connection each time: a new process, a new pair. It rejects with a
 * `ConnectionError`, or with the signal's reason, and leaves nothing behind when it does.
 */
export interface Channel {
  /** For people, errors and the memory of what era a server speaks: a command line, a URL, a name. */
  readonly label: string;
  open(receiver: Receiver, options: OpenOptions): Promise<Connection>;
}

/** Where what belongs to one inbound message goes: its answer, and what is said or asked on the way. */
export interface Exchange {
  /** Sends in order; an array is one batch. Never throws; after the other end is gone it does nothing. */
  send(message: Message | readonly Message[]): void;
  /** Who the caller proved to be. */
  readonly principal?: string;
  /** Aborts when the reply stream of this message went away; absent on a shared pipe. */
  readonly signal?: AbortSignal;
  /** Told when the request `id` was cancelled, so that no answer to it will ever be sent. */
  dropped?(id: Id): void;
  /** Ends this message's reply stream early where the other end can resume it. */
  closeStream?(): void;
}

/** The server's end of one connection: takes what the client sends. */
export interface Inlet {
  /**
   * Takes one parsed JSON value. `exchange` is where its answer goes; on a shared pipe it is the same object for all.
   * `bytes` is the message's size when the channel knows it.
   */
  receive(value: unknown, exchange: Exchange, bytes?: number): void;
  /** Takes a text that could not be read as JSON (`reason` says why) so that it can be answered. */
  unreadable(reason: string, exchange: Exchange): void;
  /** How many requests have not been answered yet. */
  readonly running: number;
  /**
   * No more will come. Calls that run get `grace` milliseconds to finish, then are aborted; resolves when all have
   * settled or been given up. `reason` is what their signals abort with.
   */
  close(reason: unknown, grace?: number): Promise<void>;
}

/** A server as channels see it: something a connection can be opened on. */
export interface Acceptor {
  /**
   * A client arrived. `standing` is where messages go that belong to no request; with reply streams it may do nothing
   * until the client opens such a stream.
   */
  accept(standing: Exchange, options?: AcceptOptions): Inlet;
}

export interface AcceptOptions {
  readonly clock?: Clock;
  /** True when each request has a reply stream of its own. */
  readonly replyStreams?: boolean;
}
