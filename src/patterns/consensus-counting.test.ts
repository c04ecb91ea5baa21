import { describe, expect, it } from 'vitest';
import { scripted } from '../testing/scripted.ts';
import { consensus } from './consensus.ts';
import { failureOf } from './fixtures/pattern-failure.ts';

describe('what counts as the same answer in consensus', () => {
  it('is for the caller to say, by name or function', async () => {
    const answers = ['It is 42.', '42', 'forty-two', '41'];
    const byNumber = await consensus(scripted(answers), 'p', { samples: 4, normalise: 'number' });
    expect(byNumber).toMatchObject({ value: 'It is 42.', score: 0.5, evidence: { distinct: 3 } });
    const byLength = await consensus(scripted(answers), 'p', {
      samples: 4,
      normalise: answer => String(answer.length),
    });
    expect(byLength.evidence.counts.map(({ count }) => count)).toEqual([2, 2]);
  });

  it('may be judged by the model, asked once about all different answers', async () => {
    const model = scripted(['Bern', 'The capital is Bern.', 'Zurich', 'Bern', '{"groups":[1,1,2]}']);
    const result = await consensus(model, 'Capital?', { samples: 4, concurrency: 1, normalise: 'judge' });
    expect(result).toMatchObject({ value: 'Bern', score: 0.75, cost: { calls: 5 } });
    expect(String(model.requests[4]?.messages[0]?.content)).toContain('"The capital is Bern."');
  });

  it('is not judged where there is nothing to tell apart', async () => {
    const model = scripted(['a', ' a ']);
    expect((await consensus(model, 'p', { samples: 2, normalise: 'judge' })).cost.calls).toBe(2);
  });

  it('falls back on the words when the judge gives no usable grouping', async () => {
    const model = scripted(['a', 'b', 'I cannot say']);
    const { evidence } = await consensus(model, 'p', { samples: 2, concurrency: 1, normalise: 'judge' });
    expect(evidence.notes).toEqual([expect.stringContaining('compared by their words')]);
    expect(evidence.distinct).toBe(2);
  });

  it('a function that throws fails the pattern with its cost', async () => {
    const normalise = (): string => {
      throw new Error('boom');
    };
    const error = await failureOf(consensus(scripted(['a']), 'p', { samples: 1, normalise }));
    expect(error).toMatchObject({ kind: 'judge-failed', cost: { calls: 1 }, message: 'consensus: boom' });
  });
});

describe('a tie in consensus', () => {
  it('is won by the answer that came first, unless it is to fail', async () => {
    const answers = ['a', 'b', 'b', 'a'];
    const options = { samples: 4, concurrency: 1 };
    expect((await consensus(scripted(answers), 'p', options)).value).toBe('a');
    const error = await failureOf(consensus(scripted(answers), 'p', { ...options, ties: 'fail' }));
    expect(error).toMatchObject({
      kind: 'disagreement',
      message: 'consensus: 2 different answers were given 2 times each, and none more often',
      evidence: { ties: 2 },
    });
  });
});
