import * as api from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TimeoutError } from '../basics/timeout-error.ts';
import { traced } from '../basics/trace.ts';
import { ModelError } from '../models/model-error.ts';
import { ProtocolError } from '../rpc/protocol-error.ts';
import { parentOf, recordSpans } from './fixtures/recorded-spans.ts';
import { type Api, chooseApi } from './load-api.ts';
import { otel } from './otel.ts';

const remote = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };

describe('a tracer of OpenTelemetry', () => {
  let recorded: ReturnType<typeof recordSpans>;
  beforeEach(() => {
    recorded = recordSpans();
  });
  afterEach(() => recorded.stop());

  it('makes spans of the kind, with the attributes and under the scope that were asked for', () => {
    const tracer = otel();
    for (const kind of ['internal', 'client', 'server'] as const) {
      const span = tracer.span(kind, { n: 1, on: true, list: ['a', 'b'] }, undefined, kind);
      span.set?.({ late: 'x' });
      span.end();
    }
    expect(recorded.spans().map(({ kind }) => kind)).toEqual([
      api.SpanKind.INTERNAL,
      api.SpanKind.CLIENT,
      api.SpanKind.SERVER,
    ]);
    expect(recorded.spans()[0]?.attributes).toEqual({ n: 1, on: true, list: ['a', 'b'], late: 'x' });
    expect(recorded.spans()[0]?.instrumentationScope).toMatchObject({ name: 'tenon', version: /\d/ });
    expect(recorded.spans()[0]?.status.code).toBe(api.SpanStatusCode.UNSET);
  });

  it('puts a span under the context of a peer, and links what surrounds it', () => {
    const tracer = otel();
    const provider = api.trace.getTracer('http');
    provider.startActiveSpan('request', outer => {
      tracer.span('call', {}, remote, 'server').end();
      outer.end();
    });
    const span = recorded.named('call');
    expect(span.spanContext().traceId).toBe('a'.repeat(32));
    expect(parentOf(span)).toBe('b'.repeat(16));
    expect(span.parentSpanContext?.isRemote).toBe(true);
    expect(span.links.map(({ context }) => context.spanId)).toEqual([
      recorded.named('request').spanContext().spanId,
    ]);
  });

  it('puts a span under one of its own by the context that was handed out, with its baggage', async () => {
    const tracer = otel();
    const baggage = api.propagation.createBaggage({ user: { value: 'ada' } });
    const carried = await api.context.with(api.propagation.setBaggage(api.context.active(), baggage), () =>
      traced(tracer, { name: 'outer', attributes: {} }, async outer => {
        await traced(tracer, { name: 'inner', attributes: {}, parent: outer }, inner => inner);
        return outer;
      }),
    );
    expect(carried).toMatchObject({ traceparent: expect.stringMatching(/^00-.*-01$/), baggage: 'user=ada' });
    expect(parentOf(recorded.named('inner'))).toBe(recorded.named('outer').spanContext().spanId);
    expect(recorded.named('inner').parentSpanContext?.isRemote).not.toBe(true);
    expect(recorded.named('inner').links).toEqual([]);
  });

  it('puts what others begin within its work under its span', async () => {
    await traced(otel(), { name: 'outer', attributes: {} }, async () => {
      await Promise.resolve();
      api.trace.getTracer('theirs').startSpan('theirs').end();
    });
    expect(parentOf(recorded.named('theirs'))).toBe(recorded.named('outer').spanContext().spanId);
  });

  it.each([
    [new ProtocolError(-32602, 'bad'), { 'error.type': '-32602', 'rpc.response.status_code': '-32602' }],
    [new TimeoutError('slow', { phase: 'x', limit: 'idle', ms: 5 }), { 'error.type': 'timeout' }],
    [new ModelError('busy', { kind: 'rate-limit', provider: 'p', status: 429 }), { 'error.type': '429' }],
    [new ModelError('odd', { kind: 'decode', provider: 'p' }), { 'error.type': 'decode' }],
    [new RangeError('far'), { 'error.type': 'RangeError' }],
    ['thrown text', { 'error.type': '_OTHER' }],
    [null, { 'error.type': '_OTHER' }],
  ])('says of %s how it failed', async (error, attributes) => {
    const work = traced(otel(), { name: 'work', attributes: {} }, () => Promise.reject(error));
    await expect(work).rejects.toBe(error);
    expect(recorded.named('work').attributes).toEqual(attributes);
    expect(recorded.named('work').status.code).toBe(api.SpanStatusCode.ERROR);
  });

  it('keeps secrets and second lines of a message to itself', async () => {
    const fault = new Error('no access with sk-abcdefgh12345678\nstack and all');
    await traced(otel(), { name: 'work', attributes: {} }, () => Promise.reject(fault)).catch(() => {});
    expect(recorded.named('work').status.message).toBe('no access with ***');
  });

  it('takes an error type that is learnt for a failure', () => {
    const span = otel().span('work', {});
    span.set?.({ 'error.type': 'tool_error' });
    span.end();
    expect(recorded.named('work').status.code).toBe(api.SpanStatusCode.ERROR);
  });
});

describe('where little of OpenTelemetry is set up', () => {
  it('writes and reads the context itself when no propagator does', async () => {
    const recorded = recordSpans({ propagator: false, context: false });
    try {
      const tracer = otel();
      const span = tracer.span('outer', {}, { ...remote });
      const sent = tracer.inject(span);
      span.end();
      const { traceId, spanId } = recorded.named('outer').spanContext();
      expect(traceId).toBe('a'.repeat(32));
      expect(sent).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
    } finally {
      recorded.stop();
    }
  });

  it('does nothing and sends nothing when no provider is registered', async () => {
    const context = await traced(otel(), { name: 'work', attributes: {} }, given => given);
    expect(context).toBeUndefined();
  });
});

describe('the peer', () => {
  it('that is missing is named, with what to do', () => {
    const fault = Object.assign(new Error("Cannot find package '@opentelemetry/api'"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    expect(() => chooseApi(undefined, { fault })).toThrowError(
      expect.objectContaining({
        message:
          "otel: the package @opentelemetry/api could not be loaded: Cannot find package '@opentelemetry/api'",
        hint: expect.stringContaining('npm install @opentelemetry/api'),
        cause: fault,
      }),
    );
  });

  it('may be passed in, whole', () => {
    expect(chooseApi(api, { fault: new Error('no') })).toBe(api);
    expect(() => otel({ api: {} as unknown as Api })).toThrow('api must be the whole module');
    expect(() => otel({ scope: ' ' })).toThrow('scope must be a string');
  });
});
