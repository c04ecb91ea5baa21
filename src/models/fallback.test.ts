import { describe, expect, it } from 'vitest';
import { scripted } from '../testing/scripted.ts';
import { BudgetError } from './budget-error.ts';
import { collect } from './collect.ts';
import { fallback } from './fallback.ts';
import { fault } from './fixtures/model-fault.ts';
import type { Model, Part } from './model.ts';

const request = { messages: [{ role: 'user', content: 'x' }] } as const;

describe('a model with a fallback', () => {
  it('asks the next one after a failure that may pass, and says so', async () => {
    const first = scripted([fault()]);
    const second = scripted(['from the second']);
    const response = await collect(fallback([first, second]).respond(request));
    expect(response.text).toBe('from the second');
    expect(response.notes).toEqual([
      {
        code: 'fallback',
        message: `${first.name} failed (overloaded); ${second.name} is asked`,
      },
    ]);
    expect(response.usage.requests).toBe(2);
    expect(response.usage.inputTokens).toBeGreaterThanOrEqual(1);
  });

  it('leaves a failure that will not pass as it is', async () => {
    const error = fault({ kind: 'invalid-request', retryable: false });
    const second = scripted(['never']);
    const asked = collect(fallback([scripted([error]), second]).respond(request));
    await expect(asked).rejects.toMatchObject({ kind: 'invalid-request', message: 'overloaded' });
    expect(second.requests).toEqual([]);
  });

  it('goes by `when` where it is given', async () => {
    const error = fault({ kind: 'auth', retryable: false });
    const models = [scripted([error]), scripted(['ok'])];
    const model = fallback(models, { when: ({ kind }) => kind === 'auth' });
    expect((await collect(model.respond(request))).text).toBe('ok');
  });

  it('gives the last failure, with what all of them used', async () => {
    const models = [scripted([fault()]), scripted([fault()]), scripted([fault({ kind: 'timeout' })])];
    await expect(collect(fallback(models).respond(request))).rejects.toMatchObject({
      kind: 'timeout',
      usage: { inputTokens: 3, requests: 3 },
    });
  });

  it('stays with the one that has begun to answer', async () => {
    const broken: Model = {
      name: 'broken',
      async *respond(): AsyncGenerator<Part> {
        yield { type: 'text', text: 'half' };
        throw fault();
      },
    };
    const second = scripted(['never']);
    await expect(collect(fallback([broken, second]).respond(request))).rejects.toThrow('overloaded');
    expect(second.requests).toEqual([]);
  });

  it('ends with an abort, whatever the model failed with', async () => {
    const controller = new AbortController();
    const first: Model = {
      name: 'first',
      // biome-ignore lint/correctness/useYield: it fails before anything
      async *respond(): AsyncGenerator<Part> {
        controller.abort(new Error('enough'));
        throw fault();
      },
    };
    const second = scripted(['never']);
    const asked = collect(fallback([first, second]).respond(request, { signal: controller.signal }));
    await expect(asked).rejects.toThrow('enough');
    expect(second.requests).toEqual([]);
  });

  it('ends with what forbids a dispatch, and numbers dispatches on', async () => {
    const numbers: number[] = [];
    const onAttempt = ({ number }: { number: number }): void => {
      numbers.push(number);
      if (number === 2) throw new BudgetError('no', { kind: 'calls', limit: 1, actual: 2 });
    };
    const asked = collect(
      fallback([scripted([fault()]), scripted(['a']), scripted(['b'])]).respond(request, { onAttempt }),
    );
    await expect(asked).rejects.toBeInstanceOf(BudgetError);
    expect(numbers).toEqual([1, 2]);
  });

  it.each([
    ['one model', [scripted(['a'])]],
    ['no list', scripted(['a'])],
  ])('refuses %s', (_what, models) => {
    expect(() => fallback(models as Model[])).toThrow('fallback: give a list of two models at least');
  });

  it('refuses what is no model, and a `when` that is no function', () => {
    expect(() => fallback([scripted(['a']), {} as Model])).toThrow(TypeError);
    expect(() => fallback([scripted(['a']), scripted(['b'])], { when: true as never })).toThrow(TypeError);
  });
});
