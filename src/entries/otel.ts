/** The public names of `tenon/otel`: spans by OpenTelemetry, for which `@opentelemetry/api` must be installed. */
export type { Span, SpanAttributes, SpanKind, TraceContext, Tracer } from '../basics/trace.ts';

export { type OtelModule, type OtelOptions, otel } from '../otel/otel.ts';
