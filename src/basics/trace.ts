/** What a tracer must be able to do, and the trace context that travels with requests; nothing is sent without one. */

/** Where a span stands, as W3C Trace Context writes it. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Work in this process, a request that is sent, or one that is answered. */
export type SpanKind = 'internal' | 'client' | 'server';

/** A piece of work that has begun. */
export interface Span {
  /** Adds what became known since it began; `error.type` among it says that the work failed. */
  set?(attributes: SpanAttributes): void;
  /** Ends it; `error` when it failed. */
  end(error?: unknown): void;
}

/** Begins spans and says where the current one stands. Errors that it throws are dropped. */
export interface Tracer {
  /**
   * `parent` is the context that came with a request, or one that `inject` gave in this process; without one the span
   * belongs to the work around it.
   */
  span(name: string, attributes: SpanAttributes, parent?: TraceContext, kind?: SpanKind): Span;
  /** The context to send along with what happens in `span`. */
  inject(span?: Span): TraceContext | undefined;
  /** Runs `work` as a part of `span`, so that spans which other code begins in it belong to that one. */
  within?<T>(span: Span, work: () => T): T;
  /** True when prompts, answers, arguments and results may stand in attributes; they never do unless it is. */
  readonly content?: boolean;
}

/** What a span is told of the work. */
export interface Work {
  readonly name: string;
  readonly attributes: SpanAttributes;
  readonly parent?: TraceContext | undefined;
  readonly kind?: SpanKind | undefined;
}

/**
 * Runs `work` in a span of its own; it is given the context to pass on, and a function that adds attributes. Without a
 * tracer it just runs, and what it passes on is `parent`.
 */
export async function traced<T>(
  tracer: Tracer | undefined,
  about: Work,
  work: (context: TraceContext | undefined, note: (attributes: SpanAttributes) => void) => T | Promise<T>,
): Promise<T> {
  const { name, attributes, parent, kind } = about;
  if (!tracer) return work(parent, () => {});
  const span = quietly(() => tracer.span(name, attributes, parent, kind));
  const context = (span && quietly(() => tracer.inject(span))) ?? parent;
  const note = (more: SpanAttributes): void => void quietly(() => span?.set?.(more));
  try {
    const value = await inside(tracer, span, async () => work(context, note));
    quietly(() => span?.end());
    return value;
  } catch (thrown) {
    quietly(() => span?.end(thrown));
    throw thrown;
  }
}

/** Runs `work` once, whatever the tracer makes of it. `work` does not throw: it is asynchronous. */
function inside<T>(tracer: Tracer, span: Span | undefined, work: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined;
  if (span) {
    quietly(() =>
      tracer.within?.(span, () => {
        begun ??= work();
      }),
    );
  }
  return begun ?? work();
}

/** The context that a peer sent, as far as it is well-formed. */
export function readTraceContext(meta: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const { traceparent, tracestate, baggage } = meta;
  if (
    typeof traceparent !== 'string' ||
    !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}/.test(traceparent)
  ) {
    return undefined;
  }
  return {
    traceparent,
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
    ...(typeof baggage === 'string' ? { baggage } : {}),
  };
}

/** Work goes on when the one who watches it fails. */
function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
