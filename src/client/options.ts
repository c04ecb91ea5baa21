/** What a client can be told: who it is, what it can answer, how long it waits. */
import type { Clock } from '../basics/clock.ts';
import { checkChoice, checkMilliseconds, checkNumber } from '../basics/option-checks.ts';
import type { TraceContext, Tracer } from '../basics/trace.ts';
import { version } from '../basics/version.ts';
import type { Diagnostic } from '../channels/channel.ts';
import { type EraMemory, type LogEntry, type ProbeTimes, type Revision, revisions } from '../eras/index.ts';
import type { Extension } from '../protocol/extension.ts';
import type { Capabilities } from '../protocol/identity.ts';
import type { Progress, RequestLimits } from '../rpc/inflight.ts';
import type { ImplementationInfo, LogLevel } from '../tools/context.ts';
import type { ElicitAnswer, ElicitQuestion, Root, SampleAnswer, SampleQuestion } from '../tools/question.ts';
import type { CacheOptions } from './cache.ts';

/** Milliseconds. */
export interface Timeouts {
  /** Until the server answered for the first time, from its start and again from each sign on stderr; 60 s. */
  readonly connect?: number | undefined;
  /** Until then in all; 5 min. */
  readonly connectTotal?: number | undefined;
  /** A request without a sign of life, put off by progress; 60 s. */
  readonly idle?: number | undefined;
  /** A request in all; 10 min. */
  readonly total?: number | undefined;
}

/** What an answer to the server is given beside the question. */
export interface AnswerContext {
  /** Aborts when the server withdraws the question or the call that led to it is over. */
  readonly signal: AbortSignal;
}

/** Kinds of questions that the handlers of a client take. */
export interface AnswerModes {
  readonly elicit?: readonly ('form' | 'url')[] | undefined;
  /** `tools`: questions that offer tools to the model; `context`: that ask for what other servers said. */
  readonly sample?: readonly ('tools' | 'context')[] | undefined;
}

export interface ClientOptions {
  /** What the client says of itself. */
  readonly info?: ImplementationInfo | undefined;
  /** `auto` finds out what the server speaks; a revision asks for that one and nothing else. */
  readonly protocol?: 'auto' | Revision | undefined;
  /** Answers forms and URLs that the server asks the person with. Advertised only when it is here; so are the next two. */
  readonly onElicit?:
    | ((question: ElicitQuestion, context: AnswerContext) => ElicitAnswer | Promise<ElicitAnswer>)
    | undefined;
  readonly onSample?:
    | ((question: SampleQuestion, context: AnswerContext) => SampleAnswer | Promise<SampleAnswer>)
    | undefined;
  readonly onRoots?: ((context: AnswerContext) => readonly Root[] | Promise<readonly Root[]>) | undefined;
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  /** Least severe log messages that are wanted; `info` when there is an `onLog`. */
  readonly logLevel?: LogLevel | undefined;
  /** What was noticed and tolerated, as it happens; the last 200 are also kept in `client.diagnostics`. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** Requests at once; the rest wait their turn. Unlimited by default. */
  readonly maxInFlight?: number | undefined;
  /** Rounds of questions that one call may take; 16. */
  readonly maxRounds?: number | undefined;
  /** Questions of the server that are answered at once, of each kind; 16. The next 1,024 wait, more are refused. */
  readonly maxQuestions?: number | undefined;
  readonly extensions?: readonly Extension[] | undefined;
  /** What `onElicit` and `onSample` can do; forms and URLs, and neither tools nor context, by default. */
  readonly modes?: AnswerModes | undefined;
  /** Keeps results for as long as the server says, which most say is not at all; false never does. */
  readonly cache?: boolean | CacheOptions | undefined;
  /** Begins a span for each request and sends its context along; nothing is traced or sent without one. */
  readonly tracer?: Tracer | undefined;
  /** Gives up connecting. */
  readonly signal?: AbortSignal | undefined;
  /** What every limit reads; for tests. */
  readonly clock?: Clock | undefined;
  /** Remembers which era each server answered in; one for the whole process unless set. */
  readonly eraMemory?: EraMemory | undefined;
  /** How long the ladder of the probe waits, in milliseconds; 3,000, 300 and 100 unless set. */
  readonly probeTimes?: ProbeTimes | undefined;
}

/** How one request is made. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** A second signal that ends the request as `signal` does: of what it belongs to beside its caller. */
  readonly until?: AbortSignal | undefined;
  readonly timeouts?: Pick<Timeouts, 'idle' | 'total'> | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Extra headers, where the channel has any. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Members for the request's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The span that the request belongs to, as `ctx.trace` of a tool gives it; sent along with or without a tracer. */
  readonly trace?: TraceContext | undefined;
}

const defaultTimeouts: Readonly<Record<keyof Timeouts, number>> = {
  connect: 60_000,
  connectTotal: 300_000,
  idle: 60_000,
  total: 600_000,
};

export const defaultInfo: ImplementationInfo = { name: 'tenon', version };

/** The limits of one request: its own before the client's before the defaults. */
export function limitsOf(client: Timeouts | undefined, request: Timeouts | undefined): RequestLimits {
  return {
    idle: request?.idle ?? client?.idle ?? defaultTimeouts.idle,
    total: request?.total ?? client?.total ?? defaultTimeouts.total,
  };
}

/** The limits of connecting. */
export function connectLimitsOf(given: Timeouts = {}): Readonly<Record<keyof Timeouts, number>> {
  const { connect = defaultTimeouts.connect, connectTotal = defaultTimeouts.connectTotal } = given;
  return { connect, connectTotal, ...limitsOf(given, undefined) };
}

/** What the client can do: only what has a handler, and of its extensions those of `among`. */
export function capabilitiesOf(
  options: ClientOptions,
  among: readonly Extension[] = options.extensions ?? [],
): Capabilities {
  const extensions = among.map(extension => [extension.id, extension.settings ?? {}]);
  return {
    ...(options.onElicit ? { elicitation: modesOf(options.modes?.elicit ?? ['form', 'url']) } : {}),
    ...(options.onSample ? { sampling: modesOf(options.modes?.sample ?? []) } : {}),
    ...(options.onRoots ? { roots: {} } : {}),
    ...(extensions.length > 0 ? { extensions: Object.fromEntries(extensions) } : {}),
  };
}

function modesOf(modes: readonly string[]): Capabilities {
  return Object.fromEntries(modes.map(mode => [mode, {}]));
}

/** Throws a TypeError that names the option when one cannot be used. */
export function checkOptions(options: ClientOptions): void {
  const where = 'connect';
  checkTimeouts(where, options.timeouts);
  checkChoice(where, 'protocol', options.protocol, ['auto', ...revisions]);
  for (const name of ['maxInFlight', 'maxRounds', 'maxQuestions'] as const) {
    checkNumber(where, name, options[name], { integer: true, min: 1 });
  }
  const { cache, modes = {} } = options;
  if (typeof cache === 'object')
    checkNumber(where, 'cache.entries', cache.entries, { integer: true, min: 1 });
  if (modes.elicit?.length === 0) {
    throw new TypeError(
      `${where}: modes.elicit must have "form", "url" or both; leave onElicit out to answer neither`,
    );
  }
}

/** Throws a TypeError that names the limit when one cannot be used. */
export function checkTimeouts(where: string, timeouts: Timeouts = {}): void {
  for (const [name, ms] of Object.entries(timeouts)) checkMilliseconds(where, `timeouts.${name}`, ms);
}
