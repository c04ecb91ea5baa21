import { describe, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import { isBudgetError } from '../models/budget-error.ts';
import type { Model } from '../models/model.ts';
import { ModelError, type ModelFacts } from '../models/model-error.ts';
import { type ScriptedStep, scripted } from '../testing/scripted.ts';
import { Budget } from './budget/budget.ts';
import { consensus } from './consensus.ts';
import type { TraceEvent } from './contract/trace.ts';
import { failureOf } from './fixtures/pattern-failure.ts';

const usage = { inputTokens: 10, outputTokens: 2 };

const answers = (...texts: string[]): ScriptedStep[] => texts.map(text => ({ text, usage }));

const modelError = (message: string, facts: Partial<ModelFacts> = {}): ModelError =>
  new ModelError(message, { kind: 'server', provider: 'scripted', ...facts });

/** A promise and what opens it. */
const gate = (): { readonly wait: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined;
  const wait = new Promise<void>(resolve => {
    open = resolve;
  });
  return { wait, open };
};

/** A model that announces its dispatch, then never answers and never listens. */
const deaf = (onDispatch: () => void): Model => ({
  name: 'deaf',
  async *respond(_request, options) {
    options?.onAttempt?.({ model: 'deaf', number: 1 });
    onDispatch();
    await new Promise<never>(() => undefined);
    yield { type: 'text', text: 'never' };
  },
});

describe('when samples fail, consensus', () => {
  it('counts a blank answer as a failure and keeps the cost', async () => {
    const model = scripted([...answers('a'), { text: ' \n', usage, finish: 'length' }]);
    const error = await failureOf(consensus(model, 'p', { samples: 3, concurrency: 1 }));
    expect(error).toMatchObject({
      kind: 'samples-failed',
      message: 'consensus: sample 2 of 3 failed: sample 2 came back blank',
      cost: { inputTokens: 20, outputTokens: 4, calls: 2 },
      evidence: { answers: ['a'], failures: [] },
    });
  });

  it('cancels the others at the first failure, which then spend nothing more', async () => {
    const reached = gate();
    const aborted: boolean[] = [];
    const model: Model = {
      name: 'two-faced',
      async *respond(request, options) {
        const inner = scripted([
          index() === 0
            ? { wait: reached.wait, error: modelError('bad key', { kind: 'auth' }) }
            : { wait: new Promise(() => undefined) },
        ]);
        options?.signal?.addEventListener('abort', () => aborted.push(true));
        if (started === 2) reached.open();
        yield* inner.respond(request, options);
      },
    };
    let started = 0;
    function index(): number {
      started += 1;
      return started - 1;
    }
    const error = await failureOf(consensus(model, 'p', { samples: 9, concurrency: 2 }));
    expect(error.cause).toMatchObject({ kind: 'auth' });
    expect(error.cost.calls).toBe(2);
    expect(started).toBe(2);
    expect(aborted.length).toBeGreaterThan(0);
  });

  it('throws the most telling of several failures and lists the others', async () => {
    const both = gate();
    const passing = modelError('try later', { kind: 'rate-limit', retryable: true });
    const lasting = modelError('bad key', { kind: 'auth' });
    // Neither listens to the signal: they fail in the same turn.
    const failing = (error: ModelError): ScriptedStep => ({ wait: both.wait, error });
    const model = scripted([failing(passing), failing(lasting)]);
    const run = failureOf(consensus(model, 'p', { samples: 2 }));
    both.open();
    const error = await run;
    expect(error.cause).toBe(lasting);
    expect(error.evidence['failures']).toEqual([{ sample: 1, message: 'try later' }]);
  });

  it('says that the model refused', async () => {
    const error = await failureOf(
      consensus(scripted([{ text: 'I cannot', finish: 'refusal', usage }]), 'p', { samples: 1 }),
    );
    expect(error).toMatchObject({ kind: 'refused', cost: { calls: 1, inputTokens: 10 } });
  });

  it('counts what failed attempts used', async () => {
    const used = { inputTokens: 7, outputTokens: 1, requests: 3 };
    const error = await failureOf(
      consensus(scripted([modelError('down', { usage: used })]), 'p', { samples: 1 }),
    );
    expect(error.cost).toEqual({ inputTokens: 7, outputTokens: 1, calls: 3 });
  });

  it('never retries on its own', async () => {
    const model = scripted([modelError('busy', { retryable: true }), ...answers('a')]);
    await failureOf(consensus(model, 'p', { samples: 1 }));
    expect(model.requests).toHaveLength(1);
  });
});

describe('a caller who aborts consensus', () => {
  it('before it starts pays nothing', async () => {
    const model = scripted(answers('x'));
    const error = await failureOf(consensus(model, 'p', { signal: AbortSignal.abort('no more') }));
    expect(error).toMatchObject({
      kind: 'aborted',
      name: 'AbortError',
      cause: 'no more',
      cost: { calls: 0 },
    });
    expect(error.message).toBe('consensus: aborted by the caller: no more');
  });
  it('is answered at once even when the model never listens, with the cost until then', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    let dispatched = 0;
    const model = deaf(() => {
      dispatched += 1;
      if (dispatched === 3) controller.abort(reason);
    });
    const error = await failureOf(consensus(model, 'p', { samples: 3, signal: controller.signal }));
    expect(error.cause).toBe(reason);
    expect(error).toMatchObject({ kind: 'aborted', cost: { calls: 3 }, evidence: { failures: [] } });
  });
});

describe('a budget', () => {
  it('of calls is not passed however many samples run at once', async () => {
    const model = scripted(answers('a'), { cycle: true });
    const budget = new Budget({ calls: 3 });
    const error = await failureOf(consensus(model, 'p', { samples: 8, concurrency: 8, budget }));
    expect(error.kind).toBe('budget');
    expect(isBudgetError(error.cause)).toBe(true);
    expect(model.requests).toHaveLength(3);
    expect(error.cost.calls).toBe(3);
    expect(budget.spent.calls).toBe(3);
  });
  it('is the failure that is thrown, before any other', async () => {
    const budget = new Budget({ calls: 1 });
    const model = scripted([modelError('bad key', { kind: 'auth' })]);
    const error = await failureOf(consensus(model, 'p', { samples: 2, budget }));
    expect(error.kind).toBe('budget');
  });
  it('of tokens makes every request carry a limit', async () => {
    const model = scripted(answers('a', 'a'));
    const budget = new Budget({ tokens: 100_000 });
    await consensus(model, 'p', { samples: 2, budget });
    expect(model.requests.map(request => request.maxTokens)).toEqual([4096, 4096]);
    expect(budget.spent).toEqual({ inputTokens: 20, outputTokens: 4, calls: 2 });
  });
  it('of time cuts what is in flight', async () => {
    const clock = manualClock();
    const budget = new Budget({ ms: 1000 }, clock);
    const model = deaf(() => clock.advance(1000));
    const error = await failureOf(consensus(model, 'p', { samples: 1, budget }));
    expect(error).toMatchObject({ kind: 'budget', cost: { calls: 1 }, cause: { kind: 'ms' } });
    expect(clock.pending).toBe(0);
  });
  it('of time leaves no timer when all goes well', async () => {
    const clock = manualClock();
    await consensus(scripted(answers('a')), 'p', { samples: 1, budget: new Budget({ ms: 9 }, clock) });
    expect(clock.pending).toBe(0);
  });
});

describe('tracing consensus', () => {
  it('shows each call with the cost so far and masks the answer', async () => {
    const events: TraceEvent[] = [];
    await consensus(scripted(answers('secret')), 'p', { samples: 1, onTrace: event => events.push(event) });
    const call = { inputTokens: 0, outputTokens: 0, calls: 1 };
    expect(events).toEqual([
      { type: 'llm-start', call: 1, attempt: 1, model: 'scripted', cost: call },
      { type: 'llm-end', call: 1, ...usage, text: '[6 characters]', cost: { ...usage, calls: 1 } },
    ]);
  });
  it('shows the answer when asked to, and failures by name only', async () => {
    const events: TraceEvent[] = [];
    const model = scripted([...answers('plain'), modelError('quotes content')]);
    const options = { samples: 2, concurrency: 1, traceContent: true };
    await failureOf(consensus(model, 'p', { ...options, onTrace: event => events.push(event) }));
    expect(events[1]).toMatchObject({ type: 'llm-end', text: 'plain' });
    expect(events[3]).toMatchObject({ type: 'llm-error', call: 2, error: 'ModelError', cost: { calls: 2 } });
  });
  it('cannot make it fail', async () => {
    const broken = (): never => {
      throw new Error('observer');
    };
    const rejecting = (async () => broken()) as unknown as () => void;
    const result = await consensus(scripted(answers('a', 'a')), 'p', {
      samples: 2,
      onTrace: broken,
      onProgress: rejecting,
    });
    expect(result.value).toBe('a');
  });
});
