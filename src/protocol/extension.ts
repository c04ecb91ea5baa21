/** The contract of a negotiated protocol extension: what it adds to a server, to a client, and to results. */
import type { Clock } from '../basics/clock.ts';
import type { Progress } from '../rpc/inflight.ts';
import type { Params } from '../rpc/message.ts';
import type { ResourceContents } from '../tools/content.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Call, Outcome } from './call.ts';
import type { ResourceListing } from './listings.ts';
import type { Question } from './question.ts';

/** What an extension can do with the connection of a client, within one call of it. */
export interface ClientAccess {
  readonly clock: Clock;
  /** The caller's own; aborts when the caller gives up. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when the connection is closed or lost. */
  readonly gone: AbortSignal;
  /** Whether a question of the server says which call it belongs to. */
  readonly knowsAsker: boolean;
  /** Sends a request; rejects as every call of the client does. */
  request(method: string, params: Params, options?: AccessOptions): Promise<Params>;
  /** Answers a question of the server by the client's handlers; rejects with a `ProtocolError` when there is none. */
  answer(question: Question, signal: AbortSignal): Promise<Params>;
  /** Tells the caller how far the call is. */
  progress(progress: Progress): void;
  /**
   * Hears the notifications that the members of a subscription's filter ask for, until `signal` aborts. It never fails,
   * and nothing may ever be heard: servers need not tell.
   */
  listen(filter: Params, signal: AbortSignal, heard: (method: string, params: Params) => void): void;
}

/** What one request of an extension has of its own in place of the call's. */
export interface AccessOptions {
  readonly signal?: AbortSignal | undefined;
  readonly results?: Readonly<Record<string, ResultKind>>;
  /** Answers the questions that are known to belong to this request, in place of the client's handlers. */
  readonly answer?: ((question: Question, signal: AbortSignal) => Promise<Params>) | undefined;
}

/** Turns a result of an extension's own kind, an answer to `method`, into an ordinary one. */
export type ResultKind = (value: Params, access: ClientAccess, method: string) => Promise<Params>;

/** What stands around a call of a tool: the tool, the way on, and whom to tell of faults. */
export interface ToolCallContext {
  readonly tool: AnyTool;
  /** Runs the tool for `call`, which may be another than the one that came. */
  next(call: Call): Promise<Outcome>;
  report(message: string, cause: unknown): void;
}

/** Resources that an extension adds to a server, behind the server's own. */
export interface ExtensionResources {
  /** Those that are listed. */
  list(): readonly ResourceListing[];
  /** The contents of one; nothing for a URI that is none of the extension's. */
  read(uri: string): readonly ResourceContents[] | undefined;
}

/** News of one thing that can be watched by its id. */
export interface TopicNews {
  readonly id: string;
  /** The notification that tells of it. */
  readonly method: string;
  readonly params: Params;
}

/** Things of an extension that a client can watch, each by its id. */
export interface Topic {
  /** Those of `ids` that the caller may watch and that can have news. Throws as a handler does when it may watch none. */
  admit(ids: readonly string[], call: Call): readonly string[];
  /** Calls `listener` on all news until the function it returns is called. */
  onNews(listener: (news: TopicNews) => void): () => void;
}

/** An extension. Everything but `id` is optional; an end that lacks a part simply does not have it. */
export interface Extension {
  /** `prefix/name`, as in the capabilities' `extensions` map. */
  readonly id: string;
  /** What each end says of it there; `{}` by default. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Methods it adds to a server. */
  readonly methods?: Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>>;
  readonly resources?: ExtensionResources;
  /** Per method, the parameter that names what it is about, for transports that route by it. */
  readonly nameParams?: Readonly<Record<string, string>>;
  /** What it lets clients of a server watch, by the member of a subscription's filter that lists the ids. */
  readonly topics?: Readonly<Record<string, Topic>>;
  /** Stands around every call of a tool; the first extension is the outermost. */
  readonly aroundCall?: (call: Call, context: ToolCallContext) => Promise<Outcome>;
  /** Kinds of result it adds, by their wire name, as a client understands them. */
  readonly results?: Readonly<Record<string, ResultKind>>;
}
