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
  /** How the reply to request `of` began, before its first message; only from channels that have such a thing. */
  reply?(of: Id, head: ReplyHead): void;
  /** Bytes of a message on the reply stream of request `of` came; comments that keep a stream open are none. */
  touched?(of: Id): void;
  diagnostic(diagnostic: Diagnostic): void;
}

/** What `open` is given. */
export interface OpenOptions {
  /** Gives up opening: whatever was started is stopped, and `open` rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly clock: Clock;
}

/** The head of an HTTP reply. */
export interface ReplyHead {
  readonly status: number;
  /** The value of a header, its name in lower case. */
  header(name: string): string | undefined;
}

/** How one message is to be sent; meant for channels that have headers or reply streams, ignored by the others. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The reply stream broke off behind the event of this id without the answer: the headers to fetch the rest with.
   * Without it, or when it gives nothing, the stream has ended.
   */
  readonly resume?: (lastEventId: string) => Readonly<Record<string, string>> | undefined;
}

/** A stream that belongs to no request, as long as it stands. */
export interface StandingStream {
  readonly headers: Readonly<Record<string, string>>;
  /** As `SendOptions.resume`; called for each attempt to get the stream back. */
  readonly resume?: (lastEventId: string | undefined) => Readonly<Record<string, string>> | undefined;
  /** The server took it; called again after each time the stream was lost. */
  opened?(): void;
  /** The server has no such stream, or it is gone for good. */
  ended(error?: ConnectionError): void;
}

/** The client's end of one open connection. */
export interface Connection {
  /** True when each request has a reply stream of its own; false when everything shares one pipe. */
  readonly replyStreams: boolean;
  /** True when the user wants the stream of `listen` whether anything needs it or not. */
  readonly listensAlways?: boolean;
  /**
   * Hands a message over, in order. Never throws: what cannot be sent ends the connection (`closed`) or, with reply
   * streams, the request's own stream (`ended`).
   */
  send(message: Message, options?: SendOptions): void;
  /** Stops listening to the reply stream of request `of`, which tells the peer so. Does nothing on a shared pipe. */
  abandon(of: Id): void;
  /** Opens the stream for what belongs to no request; its messages come without `of`. Call what it returns to leave. */
  listen?(stream: StandingStream): () => void;
  /** Tells the server that the client will not come back; best effort, bounded, never rejects. */
  farewell?(headers: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Ends the connection and frees all it holds. Safe to call twice and while anything is going on, and a second call may
   * hurry the first; never rejects.
   */
  close(how?: CloseOptions): Promise<void>;
}

/** How a connection is closed. */
export interface CloseOptions {
  /** Somebody waits who has given up: what is given time at the end gets half a second at most. */
  readonly hurry?: boolean;
}

/**
 * A way to reach a server. `open` makes a fresh connection each time: a new process, a new pair. It rejects with a
 * `ConnectionError`, or with the signal's reason, and leaves nothing behind when it does.
 */
export interface Channel {
  /** For people, errors and the memory of what era a server speaks: a command line, a URL, a name. */
  readonly label: string;
  /** True when one connection may ask for several callers, such as with headers that a function gives. */
  readonly manyCallers?: boolean;
  /** For traces: how messages travel and to where, in the words of OpenTelemetry's `network.*` and `server.*`. */
  readonly network?: Readonly<Record<string, string | number>>;
  /** The same server by an older way to travel, for one that takes no opening request by this one. */
  readonly older?: Channel;
  open(receiver: Receiver, options: OpenOptions): Promise<Connection>;
}

/** Where what belongs to one inbound message goes: its answer, and what is said or asked on the way. */
export interface Exchange {
  /** Sends in order; an array is one batch. Never throws; after the other end is gone it does nothing. */
  send(message: Message | readonly Message[]): void;
  /**
   * What was sent and the other end has not taken yet, in characters; infinite once it never will, and absent where that
   * is not known.
   */
  readonly backlog?: number;
  /** Calls `taken` once, as soon as `backlog` is at most `most`. */
  onTaken?(most: number, taken: () => void): void;
  /** Who the caller proved to be. */
  readonly principal?: string;
  /** False while there is nobody to whom it goes; absent where there always is. */
  readonly open?: boolean;
  /** Calls `opened` once, as soon as somebody is there; what it returns forgets that. Only where `open` may be false. */
  onOpen?(opened: () => void): () => void;
  /** For traces: the session that the message came in, where the transport has such a thing. */
  readonly session?: string;
  /** Aborts when the reply stream of this message went away; absent on a shared pipe. */
  readonly signal?: AbortSignal;
  /** As `signal`, where making one for each message would cost too much: calls `gone` once. */
  onGone?(gone: (reason: unknown) => void): void;
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

/** One HTTP request to a server after the channel's own checks: origin, size, media type, syntax, who is calling. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Path and query, or the whole URL. */
  readonly url: string;
  /** The value of a header, its name in lower case. */
  header(name: string): string | undefined;
  /** The parsed body of a POST. */
  readonly body: unknown;
  /** Size of the body. */
  readonly bytes: number;
  /** What the client takes as a reply. */
  readonly accepts: { readonly json: boolean; readonly stream: boolean; readonly prefersStream?: boolean };
  /** Who the caller proved to be. */
  readonly principal?: string;
}

/** Answers one HTTP request, once: whole, or as an event stream. After the client left, everything here does nothing. */
export interface HttpReply {
  /** Without a body the reply is empty. */
  whole(status: number, body?: object, headers?: Readonly<Record<string, string>>): void;
  /** The head is sent at once. */
  stream(headers?: Readonly<Record<string, string>>): EventStream;
  /** Calls `left` once if the client goes before the reply is complete. */
  onLeave(left: () => void): void;
}

/** An open event stream to a client. */
export interface EventStream {
  /** Sends in order. */
  send(event: ServerEvent): void;
  end(): void;
}

/** One event: a message, or a text of a kind of its own, or nothing but `id` and `retry`. */
export interface ServerEvent {
  readonly data?: object | string;
  /** `message` unless said. */
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds. */
  readonly retry?: number;
}

/** A server as HTTP channels see it: all sessions of all clients. */
export interface HttpAcceptor {
  respond(request: HttpRequest, reply: HttpReply): void;
  /**
   * Names of the headers that a page of another origin must be able to send, and to read. A name that ends in `*`
   * stands for all that begin so.
   */
  readonly headers: { readonly sent: readonly string[]; readonly exposed: readonly string[] };
  /** Ends every session and subscription; calls get `grace` milliseconds. */
  close(reason: unknown, grace?: number): Promise<void>;
}

/** A server that can be served over HTTP. */
export interface HttpServed {
  acceptHttp(options?: HttpAcceptOptions): HttpAcceptor;
}

/** How a server remembers its HTTP clients. */
export interface HttpAcceptOptions {
  /**
   * For clients that open a session: `true` (default) keeps one for each; `false` keeps none, and asks a client as if
   * it could answer everything, on one node; `'none'` keeps none and asks nothing.
   */
  readonly sessions?: boolean | 'none' | undefined;
  /** Milliseconds after which a session is forgotten whose client waits for no reply and has no stream; 30 minutes by default. */
  readonly sessionTtl?: number | undefined;
  /** The most sessions; 10,000 by default. Beyond, the one that was idle longest is ended. */
  readonly maxSessions?: number | undefined;
  /** Where events are kept so that a broken stream can be resumed; not kept by default. */
  readonly events?: EventStore | undefined;
  /** Milliseconds after which a client of a resumable stream is told to come back; 1,000 by default. */
  readonly retry?: number | undefined;
  /** Serves clients of the deprecated transport of two endpoints too, on the same path; false by default. */
  readonly sse?: boolean | undefined;
  /** Cancels calls of a session whose client left the reply stream; false by default, as the protocol has it. */
  readonly abortOnDisconnect?: boolean | undefined;
  readonly clock?: Clock | undefined;
}

/** Events of reply streams, kept for clients that come back for the rest. Streams have unguessable names. */
export interface EventStore {
  /** Keeps an event; `number` counts from 1 within its stream. */
  append(stream: string, number: number, message: object): void | Promise<void>;
  /** The events behind that number, in order; nothing when they are not all there any more. */
  after(stream: string, number: number): EventsKept | undefined | Promise<EventsKept | undefined>;
}

export type EventsKept = readonly { readonly number: number; readonly message: object }[];
