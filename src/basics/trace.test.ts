import { describe, expect, it } from 'vitest';
import { readTraceContext, type Span, type Tracer, traced } from './trace.ts';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const about = { name: 'work', attributes: { n: 1 }, parent: { traceparent }, kind: 'client' } as const;

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
    expect(seen).toEqual([['span', 'work', { n: 1 }, { traceparent }, 'client'], ['inject', true], ['end']]);
  });

  it('that fails ends the span with what it failed with', async () => {
    const { seen, tracer } = recording();
    const fault = new Error('no');
    await expect(traced(tracer, about, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(seen.at(-1)).toEqual(['end', fault]);
  });

  it('is done without a tracer, and passes on what it was given', async () => {
    expect(await traced(undefined, about, context => context)).toEqual({ traceparent });
    expect(await traced(undefined, { name: 'work', attributes: {} }, context => context)).toBeUndefined();
  });

  it.each([
    ['works', (work: () => unknown) => work()],
    ['forgets the work', () => undefined],
    [
      'fails before the work',
      () => {
        throw new Error('no');
      },
    ],
    ['works twice', (work: () => unknown) => [work(), work()]],
    [
      'fails after the work',
      (work: () => unknown) => {
        work();
        throw new Error('no');
      },
    ],
  ])('is done once inside of a span that %s', async (_what, within) => {
    const { tracer } = recording();
    let done = 0;
    const around: Tracer = { ...tracer, within: (_span, work) => within(work) as never };
    expect(await traced(around, about, () => ++done)).toBe(1);
    expect(done).toBe(1);
    await expect(traced(around, about, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('adds to its span what it learns, and never hears of a tracer that cannot', async () => {
    const learnt: unknown[] = [];
    const { tracer } = recording();
    const span: Span = { set: attributes => void learnt.push(attributes), end: () => {} };
    const noting = { ...tracer, span: () => span };
    await traced(noting, about, (_context, note) => note({ found: 2 }));
    await traced(tracer, about, (_context, note) => note({ found: 2 }));
    expect(learnt).toEqual([{ found: 2 }]);
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
