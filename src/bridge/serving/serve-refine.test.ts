import { describe, expect, it } from 'vitest';
import { Budget } from '../../patterns/budget/budget.ts';
import { callPattern, say } from './fixtures/patterns.ts';

describe('served refine', () => {
  it('gives the best draft with its score, and how it got there', async () => {
    const steps = [say('draft'), say('5'), say('better'), say('8'), say('worse'), say('2')];
    const { result, progress } = await callPattern('refine', { prompt: 'write', max_iterations: 2 }, steps);
    expect(result.content).toEqual([
      {
        type: 'text',
        text: 'better\n\nscore: 0.8\nimprovements: 2\nconverged: false\ncost: 60 input tokens, 12 output tokens, 6 model calls',
      },
    ]);
    expect(result.structuredContent).toEqual({
      answer: 'better',
      score: 0.8,
      iterations: 2,
      converged: false,
      scores: [0.5, 0.8, 0.2],
      notes: [],
      usage: { inputTokens: 60, outputTokens: 12, calls: 6 },
    });
    expect(progress).toEqual([0, 1, 2, 3]);
  });

  it('gives its judge the criteria of the caller', async () => {
    const { model } = await callPattern('refine', { prompt: 'write', criteria: 'It must rhyme.' }, [
      say('draft'),
      say('10'),
    ]);
    expect(JSON.stringify(model.requests[1])).toContain('It must rhyme.');
  });

  it('keeps the best draft when a budget ends it', async () => {
    const budget = new Budget({ calls: 3 });
    const { result, model } = await callPattern(
      'refine',
      { prompt: 'write' },
      [say('draft'), say('5'), say('better')],
      { budget },
    );
    expect(model.requests).toHaveLength(3);
    expect(result.structuredContent).toMatchObject({
      kind: 'budget',
      cost: { calls: 3 },
      evidence: { best: 'draft', score: 0.5 },
    });
  });
});
