import { describe, expect, it } from 'vitest';
import { readTraceContext, type Span, type Tracer, traced } from './trace.ts';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const about = { name: 'work', attributes: { n: 1 }, parent: { traceparent } };

function recording(faults: readonly string[] = []) {
  const seen: unknown[][] = [];
  const note = (what: string, ...facts: unknown[]): void => {
    seen.push([what, ...facts]);
    if (faults.includes(what)) throw new Error('the tracer failed');
  };
  const tracer: Tracer = {
    span(...args) {
      note('span', ...args);
      return { end: (...end) => note('end', ...end) };
    },
    inject(span?: Span) {
      note('inject', span !== undefined);
      return { traceparent };
    },
  };
  return { seen, tracer };
}

describe('work in a span', () => {
  it('is given the context to pass on; the span ends with it', async () => {
    const { seen, tracer } = recording();
    expect(await traced(tracer, about, context => context?.traceparent)).toBe(traceparent);
    expect(seen).toEqual([['span', 'work', { n: 1 }, { traceparent }], ['inject', true], ['end']]);
  });

  it('that fails ends the span with what it failed with', async () => {
    const { seen, tracer } = recording();
    const fault = new Error('no');
    await expect(traced(tracer, about, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(seen.at(-1)).toEqual(['end', fault]);
  });

  it('is done without a tracer', async () => {
    expect(await traced(undefined, about, context => context)).toBeUndefined();
  });

  it.each([['span'], ['inject'], ['end']])('is done although the tracer fails at "%s"', async fault => {
    const { tracer } = recording([fault]);
    expect(await traced(tracer, about, () => 'done')).toBe('done');
    await expect(traced(tracer, about, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });
});

describe('the context of a peer', () => {
  it('is taken as far as it is well-formed', () => {
    const all = { traceparent, tracestate: 'a=b', baggage: 'c=d' };
    expect(readTraceContext({ ...all, other: 1 })).toEqual(all);
    expect(readTraceContext({ traceparent, tracestate: 7 })).toEqual({ traceparent });
  });

  it.each([undefined, 7, '', 'nonsense', `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`])(
    'is dropped when it is %j',
    given => {
      expect(readTraceContext({ traceparent: given })).toBeUndefined();
    },
  );
});
