/** What a running tool can see and do; one shape for a tool in an agent and a tool on a server. */
import type { TraceContext } from '../basics/trace.ts';
import type { InputAnswers } from './need-input.ts';
import type { ElicitAnswer, ElicitQuestion, Root, SampleAnswer, SampleQuestion } from './question.ts';

/** Severity of a log message, least first (RFC 5424). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** What a program says of itself. Self-reported: never base security or behaviour on it. */
export interface ImplementationInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly icons?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Who is at the other end of a call, as far as it said so. */
export interface ClientView {
  readonly info: ImplementationInfo | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The protocol revision in use, for display; `undefined` in an agent of this process. */
  readonly revision: string | undefined;
}

/** What may accompany a progress report. */
export interface ProgressDetail {
  readonly total?: number;
  readonly message?: string;
}

/**
 * Handed to `run` as its second argument. What the other end cannot do rejects with an error that says so; nothing
 * here is ever missing. Annotate it as `ToolContext<YourDeps>` to declare what the tool needs from its agent.
 */
export interface ToolContext<Deps = unknown> {
  /** Aborts when the caller cancels, leaves or the tool's own time runs out. */
  readonly signal: AbortSignal;
  readonly client: ClientView;
  /** Who the caller proved to be, when the transport authenticates. */
  readonly principal: string | undefined;
  /** What the agent was given for this run. */
  readonly deps: Deps;
  /** The span that this call runs in, for what it sends on; only where there is a tracer. */
  readonly trace?: TraceContext | undefined;
  /** Says how far the work is. `done` must grow; nothing is sent when the caller did not ask for it. */
  progress(done: number, detail?: ProgressDetail): void;
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Asks the person at the client. `key` names the question within this call: the same key is the same question.
   * In the stateless era the tool runs again with the answers, so code before an ask may run more than once.
   */
  elicit(key: string, question: ElicitQuestion): Promise<ElicitAnswer>;
  /** Asks the client's model. See `elicit` for `key`. */
  sample(key: string, question: SampleQuestion): Promise<SampleAnswer>;
  /** Asks which folders the client opens to this server. See `elicit` for `key`. */
  roots(key?: string): Promise<readonly Root[]>;
  /** What the questions of earlier rounds of this call were answered; for handlers that return `needInput(…)`. */
  readonly answers: InputAnswers;
  /** The memo that the last round gave to `needInput`; `undefined` in the first. */
  readonly memo: unknown;
  /** Runs `effect` once along a chain of asks and remembers its JSON value for later rounds. */
  once<T>(name: string, effect: () => T | Promise<T>): Promise<T>;
  /** Ends the current reply stream early where the transport can resume it; elsewhere does nothing. */
  closeStream(): void;
  /**
   * From here on a tool with `taskStart: 'by-tool'` goes on as a task and the call is answered; where no task can be
   * or is one already, nothing happens. Rejects when the server keeps too many tasks.
   */
  startTask(): Promise<void>;
}
