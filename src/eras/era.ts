/** The two contracts of an era: as a client sees it, and as a server sees it. Who holds one never asks which. */
import type { Exchange } from '../channels/channel.ts';
import type { Call, Freshness, Outcome } from '../protocol/call.ts';
import type { Change, ChangeFilter } from '../protocol/change.ts';
import type { ResultKind, Topic } from '../protocol/extension.ts';
import type { Capabilities, ServerDescription } from '../protocol/identity.ts';
import type { Question } from '../protocol/question.ts';
import type { Progress, RequestLimits } from '../rpc/inflight.ts';
import type { Id, Notification, Params, Request } from '../rpc/message.ts';
import type { ClientView, ImplementationInfo, LogLevel } from '../tools/context.ts';
import type { Answer, QuestionTurns } from './question-turns.ts';
import type { RunningCall } from './running-call.ts';

/** A log message of a server. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** What an era is given of the client that uses it. */
export interface ClientSeat {
  readonly info: ImplementationInfo;
  /** What the client can do; only what has a handler stands here. */
  readonly capabilities: Capabilities;
  /** What it can do where every result is an ordinary one; the same when absent. */
  readonly plainCapabilities?: Capabilities;
  /** Least severe level of log messages that are wanted; none are asked for without it. */
  readonly logLevel: LogLevel | undefined;
  /** Kinds of result that extensions have registered. */
  readonly results: Readonly<Record<string, ResultKind>>;
  /** Of methods of extensions, the parameter that names what they are about. */
  readonly nameParams?: Readonly<Record<string, string>>;
  /** How many rounds of questions one call may take. */
  readonly maxRounds: number;
  readonly limits: RequestLimits;
  /** Answers a server's question, or rejects with the `ProtocolError` to answer with. */
  readonly answer: Answer;
  /** Every question is answered in its turn, by whatever answers it. */
  readonly turns: QuestionTurns;
  log(entry: LogEntry): void;
  /** Something changed on the server, whoever watches it. */
  changed?(change: Change): void;
}

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Ends it as `signal` does. */
  readonly until?: AbortSignal | undefined;
  readonly limits: RequestLimits;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Members for the request's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Kinds of result that this call understands in place of the client's. */
  readonly results?: Readonly<Record<string, ResultKind>> | undefined;
  /** Told of each id that the call is sent under: one per round of questions. */
  readonly sent?: ((id: Id) => void) | undefined;
  /** Answers the questions that are known to belong to this call, in the seat's place. */
  readonly answer?: Answer | undefined;
}

/** The result of a call, and how long it may be kept. */
export interface CallResult {
  readonly value: Params;
  readonly freshness?: Freshness;
}

/** An era as a client sees it: open already, until it is closed. */
export interface ClientEra {
  /** For display. */
  readonly revision: string;
  /** The id of the session that requests belong to now, where there is one. */
  readonly session?: string | undefined;
  readonly server: ServerDescription;
  /** Whether a question of the server says which call it belongs to. */
  readonly knowsAsker: boolean;
  call(method: string, params: Params, options: CallOptions): Promise<CallResult>;
  /** Changes as they come; ends when `signal` aborts, fails when the connection is lost. */
  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change>;
  /** Hears notifications of extensions until `signal` aborts; absent where none come. Never fails. */
  listen?(filter: Params, signal: AbortSignal, heard: (method: string, params: Params) => void): void;
  /** Ends what the era itself keeps open; the connection is closed by whoever opened it. */
  close(): void;
  /** The connection is gone: what waits for changes fails with `error`. */
  lost(error: unknown): void;
}

/** Someone who wants to know what changes on a server. */
export interface ChangeWatcher {
  tell(change: Change): void;
}

/** Who came to a server: a client that stays for a connection, or the sender of one request that stands for itself. */
export interface Visitor {
  readonly client: ClientView;
  readonly principal: string | undefined;
  /** What can be said to it outside of calls; absent for one that does not stay. */
  readonly standing?: Standing;
}

/** What belongs to no call of a client. */
export interface Standing {
  /** Whether a question would reach the client now. */
  readonly open: boolean;
  /** Calls `opened` once, as soon as a question would; what it returns forgets that. */
  onOpen(opened: () => void): () => void;
  /** Asks once the client knows the server. Rejects as `Call.ask` does, and when `signal` aborts. */
  ask(question: Question, signal: AbortSignal): Promise<unknown>;
  log(level: LogLevel, data: unknown, logger?: string): void;
}

/**
 * What an era is given of the server that it serves. The members about branches and visitors are for servers that are
 * not the same for everybody; without them all connections share this one, which is ready at any time.
 */
export interface Router {
  describe(): ServerDescription;
  /** Handles a neutral call; throws or rejects with a `ProtocolError`, a neutral failure, or a bug. */
  handle(call: Call): Outcome | Promise<Outcome>;
  /** Whoever is in here is told of each change. A set rather than a function per listener: sessions are many. */
  readonly watchers: Set<ChangeWatcher>;
  /** Of methods of extensions, the parameter that names what they are about. */
  readonly nameParams?: Readonly<Record<string, string>>;
  /** What extensions let clients watch, by the member of the filter that lists the ids. */
  readonly topics?: Readonly<Record<string, Topic>>;
  /** The input schema of a tool, for the headers that mirror arguments; nothing for a tool it does not know. */
  inputSchema?(tool: string): object | undefined;
  /** A fault that is nobody's answer: a bug, or the detail behind a masked message. */
  report(message: string, cause: unknown): void;
  /** A router for one connection alone; `dismiss` ends the connection where a client can notice and open another. */
  branch?(dismiss?: (reason: unknown) => void): Router;
  /** The connection that this router was branched for is over. */
  left?(reason: unknown): void;
  /** Why no further client can be taken now; nothing when one can. */
  refusal?(): string | undefined;
  /** Awaited before a visitor is told what is here; nothing when all is ready. Rejects with what to answer. */
  prepare?(visitor: Visitor, signal: AbortSignal): Promise<void> | undefined;
  /** Tells of changes in place of `watchers`, until what it returns is called. */
  watch?(filter: ChangeFilter, tell: (change: Change) => void, visitor: Visitor): () => void;
}

/** What an era needs of the connection to run calls on it. */
export interface Calls {
  /** Runs a call: admits it in turn, sends its one answer, forgets it. */
  run(call: RunningCall): void;
  /** Keeps a call that is answered by its era later on, such as a subscription. */
  keep(call: RunningCall): void;
  /** Forgets a kept call. */
  release(call: RunningCall): void;
  /** The client no longer wants the answer: aborts the call and sends nothing more for it. */
  cancel(call: RunningCall, reason: unknown): void;
  /** Answers a call by its era's own decision while its handler may still run; `thrown` when even that failed. */
  conclude(call: RunningCall, outcome: Outcome | undefined, thrown?: unknown): void;
}

/** An era as one connection of a server sees it. */
export interface ServerEra {
  /** A request of this era came, its id not in use. */
  request(request: Request, exchange: Exchange): void;
  notification(notification: Notification, exchange: Exchange): void;
  /** An answer came; false when it answers nothing that was asked. */
  response(id: Id, answer: { readonly result?: unknown; readonly error?: unknown }): boolean;
  /** Whether this connection may send several messages in one array. */
  readonly batches: boolean;
  close(reason: unknown): void;
}
