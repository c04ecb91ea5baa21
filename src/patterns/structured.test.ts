import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { ModelError } from '../models/model-error.ts';
import { scripted } from '../testing/scripted.ts';
import { Budget } from './budget/budget.ts';
import { failureOf } from './fixtures/pattern-failure.ts';
import { structured } from './structured.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
} as const;

describe('structured', () => {
  it('gives the value, typed by the schema, with its cost', async () => {
    const model = scripted([
      { text: '{"city":"Bern","people":3}', usage: { inputTokens: 5, outputTokens: 7 } },
    ]);
    const result = await structured(model, 'Which city?', { schema });
    expectTypeOf(result.value).toEqualTypeOf<{ city: string; people?: number }>();
    expect(result).toMatchObject({
      value: { city: 'Bern', people: 3 },
      score: undefined,
      cost: { inputTokens: 5, outputTokens: 7, calls: 1 },
      evidence: { attempts: 1, rejections: [], text: '{"city":"Bern","people":3}' },
    });
    expect(Object.isFrozen(result.evidence)).toBe(true);
  });

  it('asks natively and in words, at a temperature of 0', async () => {
    const model = scripted(['{"city":"Bern"}']);
    await structured(model, 'Which city?', { schema });
    expect(model.requests[0]).toMatchObject({ temperature: 0, output: { name: 'output', schema } });
    expect(model.requests[0]?.messages).toEqual([
      { role: 'user', content: expect.stringMatching(/^Which city\?[\s\S]*fits this schema:\n\{/) },
    ]);
  });

  it('finds it among prose and fences', async () => {
    const model = scripted(['Sure!\n```json\n{"city":"Bern"}\n```\nAnything else?']);
    expect((await structured(model, 'p', { schema })).value).toEqual({ city: 'Bern' });
  });

  it('sends what does not fit back with what is wrong, the task and the answer', async () => {
    const model = scripted(['no idea', '{"town":"Bern"}', '{"city":"Bern"}']);
    const { evidence, cost } = await structured(model, 'Which city?', { schema });
    expect(evidence.attempts).toBe(3);
    expect(evidence.rejections).toEqual([
      expect.stringContaining('is not JSON'),
      expect.stringContaining('does not fit the schema'),
    ]);
    expect(cost.calls).toBe(3);
    expect(model.requests[2]?.messages).toEqual([
      { role: 'user', content: expect.stringContaining('Which city?') },
      { role: 'assistant', content: '{"town":"Bern"}' },
      { role: 'user', content: expect.stringContaining(evidence.rejections[1] ?? 'nothing') },
    ]);
  });

  it.each<[string, boolean | string | undefined, boolean]>([
    ['true', true, true],
    ['nothing', undefined, true],
    ['an empty text', '', true],
    ['false', false, false],
    ['a text', 'too small', false],
  ])('a validator that says %s', async (_what, verdict, accepted) => {
    const model = scripted(['{"city":"Bern"}']);
    const run = structured(model, 'p', { schema, retries: 0, validate: async () => verdict });
    if (accepted) expect((await run).value).toEqual({ city: 'Bern' });
    else await expect(run).rejects.toMatchObject({ kind: 'unusable-output' });
  });

  it('takes what a validator throws for its objection', async () => {
    const model = scripted(['{"city":"Bern"}', '{"city":"Basel"}']);
    const validate = ({ city }: { readonly city: string }): boolean => {
      if (city === 'Bern') throw new Error('not Bern');
      return true;
    };
    expect((await structured(model, 'p', { schema, validate })).evidence.rejections).toEqual(['not Bern']);
  });

  it('gives what a schema library makes of the value', async () => {
    const dated = z.object({ day: z.string().transform(text => text.length) });
    expect((await structured(scripted(['{"day":"Monday"}']), 'p', { schema: dated })).value).toEqual({
      day: 6,
    });
  });

  it('takes null for what was left out', async () => {
    const model = scripted(['{"city":"Bern","people":null}']);
    expect((await structured(model, 'p', { schema })).value).toEqual({ city: 'Bern' });
  });

  it('takes a scalar where the schema wants one', async () => {
    expect((await structured(scripted(['7']), 'p', { schema: { type: 'integer' } })).value).toBe(7);
  });

  it('fails with the cost and the last answer when the retries are used up', async () => {
    const model = scripted(['a', 'b', 'c', 'd', '{"city":"Bern"}']);
    const error = await failureOf(structured(model, 'p', { schema }));
    expect(error).toMatchObject({
      kind: 'unusable-output',
      message: expect.stringContaining('after 4 attempts'),
      cost: { calls: 4 },
      evidence: { attempts: 4, text: 'd' },
    });
  });

  it.each([
    ['refused', { text: 'no', finish: 'refusal' as const }, 'refused'],
    ['model-failed', new ModelError('down', { kind: 'server', provider: 'p' }), 'model-failed'],
    ['model-failed', ' ', 'model-failed'],
  ])('fails as %s with the cost', async (_what, step, kind) => {
    const error = await failureOf(structured(scripted([step]), 'p', { schema }));
    expect(error).toMatchObject({ kind, cost: { calls: 1 } });
  });

  it('makes no further call after the budget or the caller says stop', async () => {
    const model = scripted(['a', '{"city":"Bern"}']);
    const budget = new Budget({ calls: 1 });
    expect(await failureOf(structured(model, 'p', { schema, budget }))).toMatchObject({
      kind: 'budget',
      cost: { calls: 1 },
    });
    const stopped = scripted(['a']);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await failureOf(structured(stopped, 'p', { schema, signal }))).toMatchObject({
      kind: 'aborted',
      name: 'AbortError',
    });
    expect(stopped.requests).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a blank prompt', () => structured(scripted(['x']), ' ', { schema })],
    ['odd retries', () => structured(scripted(['x']), 'p', { schema, retries: -1 })],
    ['a schema that is none', () => structured(scripted(['x']), 'p', { schema: { type: 'tea' } })],
  ])('refuses %s before anything is spent', async (_what, run) => {
    await expect(run()).rejects.not.toHaveProperty('cost');
  });
});
