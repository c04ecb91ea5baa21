/** A tracer that speaks OpenTelemetry: spans, their parents, and the context that is sent along. */
import type { Context, Span as OtelSpan } from '@opentelemetry/api';
import { checkText } from '../basics/option-checks.ts';
import {
  readTraceContext,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type TraceContext,
  type Tracer,
} from '../basics/trace.ts';
import { version } from '../basics/version.ts';
import { describeError, errorAttributes } from './error-attributes.ts';
import { type Api, chooseApi } from './load-api.ts';

/** The module `@opentelemetry/api`, told by what it has: who does not install it can still read these types. */
export interface OtelModule {
  readonly context: object;
  readonly propagation: object;
  readonly trace: object;
}

export interface OtelOptions {
  /** The module `@opentelemetry/api`; the installed one unless set. Programs that are bundled have to set it. */
  readonly api?: OtelModule | undefined;
  /** Puts prompts, answers, arguments and results into attributes; they may be private. Off unless set. */
  readonly content?: boolean | undefined;
  /** What the spans say they were made by; `tenon` unless set. */
  readonly scope?: string | undefined;
}

/**
 * A tracer for `tracer` of an agent, a client or a server. Spans go to the provider that is registered with
 * OpenTelemetry when they begin; without one nothing happens. Throws a TenonError when the peer is missing.
 */
export function otel(options: OtelOptions = {}): Tracer {
  const { scope = 'tenon', content = false } = options;
  checkText('otel', 'scope', scope);
  return new OtelTracer(chooseApi(options.api as Api | undefined), scope, content === true);
}

class OtelTracer implements Tracer {
  readonly content: boolean;
  readonly #api: Api;
  readonly #scope: string;
  /** Where spans of ours stand, by what we handed out for them: within a process nothing has to be parsed. */
  readonly #known = new WeakMap<TraceContext, Context>();

  constructor(api: Api, scope: string, content: boolean) {
    this.#api = api;
    this.#scope = scope;
    this.content = content;
  }

  span(name: string, attributes: SpanAttributes, parent?: TraceContext, kind: SpanKind = 'internal'): Span {
    const { context, trace, SpanKind: kinds } = this.#api;
    const around = context.active();
    const own = parent && this.#known.get(parent);
    const under = own ?? (parent ? this.#extract(parent) : around);
    // A peer's context decides where the span belongs; what surrounds it here is worth a link.
    const beside = parent && !own ? trace.getSpanContext(around) : undefined;
    const span = trace.getTracer(this.#scope, version).startSpan(
      name,
      {
        kind: { internal: kinds.INTERNAL, client: kinds.CLIENT, server: kinds.SERVER }[kind],
        attributes: writable(attributes),
        ...(beside ? { links: [{ context: beside }] } : {}),
      },
      under,
    );
    return new RunningSpan(this.#api, span, trace.setSpan(under, span));
  }

  inject(span?: Span): TraceContext | undefined {
    const { context, isSpanContextValid, propagation, trace } = this.#api;
    const where = span instanceof RunningSpan ? span.context : context.active();
    const carrier: Record<string, unknown> = {};
    propagation.inject(where, carrier);
    const at = trace.getSpanContext(where);
    if (readTraceContext(carrier) === undefined && at && isSpanContextValid(at)) {
      // No propagator of that format is registered; the protocol knows no other.
      const flags = (at.traceFlags & 0xff).toString(16).padStart(2, '0');
      carrier['traceparent'] = `00-${at.traceId}-${at.spanId}-${flags}`;
      const state = at.traceState?.serialize();
      if (state) carrier['tracestate'] = state;
    }
    const written = readTraceContext(carrier);
    if (written) this.#known.set(written, where);
    return written;
  }

  within<T>(span: Span, work: () => T): T {
    return span instanceof RunningSpan ? this.#api.context.with(span.context, work) : work();
  }

  #extract(parent: TraceContext): Context {
    const { propagation, ROOT_CONTEXT, trace } = this.#api;
    const read = propagation.extract(ROOT_CONTEXT, { ...parent });
    if (trace.getSpanContext(read)) return read;
    const [, traceId = '', spanId = '', flags = '0'] = parent.traceparent.split('-');
    return trace.setSpanContext(read, {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16),
      isRemote: true,
    });
  }
}

class RunningSpan implements Span {
  readonly context: Context;
  readonly #api: Api;
  readonly #span: OtelSpan;

  constructor(api: Api, span: OtelSpan, context: Context) {
    this.#api = api;
    this.#span = span;
    this.context = context;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(writable(attributes));
    if (attributes['error.type'] !== undefined) {
      this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    }
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setAttributes(writable(errorAttributes(error)));
      this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: describeError(error) });
    }
    this.#span.end();
  }
}

/** Lists as OpenTelemetry types them. */
function writable(attributes: SpanAttributes): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
  );
}
