/** What a tracer must be able to do, and the trace context that travels with requests; nothing is sent without one. */

/** Where a span stands, as W3C Trace Context writes it. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** A piece of work that has begun. */
export interface Span {
  /** Ends it; `error` when it failed. */
  end(error?: unknown): void;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Begins spans and says where the current one stands. Errors that it throws are dropped. */
export interface Tracer {
  /** `parent` is the context that came with a request; without one the span belongs to the work around it. */
  span(name: string, attributes: SpanAttributes, parent?: TraceContext): Span;
  /** The context to send along with what happens in `span`. */
  inject(span?: Span): TraceContext | undefined;
}

/** Runs `work` in a span of its own; it is given the context to pass on. Without a tracer it just runs. */
export async function traced<T>(
  tracer: Tracer | undefined,
  about: {
    readonly name: string;
    readonly attributes: SpanAttributes;
    readonly parent?: TraceContext | undefined;
  },
  work: (context: TraceContext | undefined) => T | Promise<T>,
): Promise<T> {
  if (!tracer) return work(undefined);
  const span = quietly(() => tracer.span(about.name, about.attributes, about.parent));
  const context = span && quietly(() => tracer.inject(span));
  try {
    const value = await work(context);
    quietly(() => span?.end());
    return value;
  } catch (thrown) {
    quietly(() => span?.end(thrown));
    throw thrown;
  }
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
