import { describe, expect, it } from 'vitest';
import { modelJudge, readScore } from './judge.ts';

describe('the score in a verdict', () => {
  it.each([
    ['7', 0.7],
    ['10', 1],
    ['0', 0],
    ['Score: 8.5', 0.85],
    ['8/10', 0.8],
    ['4 / 5', 0.8],
    ['90%', 0.9],
    ['**9**\nGood.', 0.9],
    ['I give it 7, since 3 parts are missing', 0.7],
    ['Out of 10, I give it a 7', 0.7],
    ['On a scale from 0 to 10: 7', 0.7],
    ['7 on a scale from 0 to 10', 0.7],
    ['There are 2 errors. 6/10', 0.6],
    ['I would say 9 out of 10', 0.9],
    ['**8**/10', 0.8],
    ['8,5', 0.85],
    ['1. Clear.\n2. Short.\nScore: 9', 0.9],
    ['It has 3 faults in 40 lines, style 9/10.\n**SCORE:** 6', 0.6],
    ['A score of 10 would need examples; 6/10', 0.6],
    ['{"faults": 2, "score": 7, "of": 3}', 0.7],
    ['8\nIt lacks 2 examples.', 0.8],
    ['Version 2 deserves 9', 0.9],
    ['Better than 5, and good: 7. It was made in 2024 of 300 words.', 0.7],
    ['\uff19', 0.9],
  ])('%s', (text, score) => {
    expect(readScore(text)).toBeCloseTo(score);
  });

  it.each([
    '',
    'great',
    '11',
    '-3',
    '200%',
    '5/0',
    'v2',
    '7-8',
    '12:30',
    'Score: 11, with 3 faults',
    'from 0 to 10',
  ])('is not in %j', text => {
    expect(readScore(text)).toBeUndefined();
  });
});

describe('what a judge says beside the score', () => {
  it.each([
    ['It lacks 3 examples.\nSCORE: 7', 'It lacks 3 examples.'],
    ['7/10: shorter, please', 'shorter, please'],
    ['3 parts are missing.\n**Score:** 7/10', '3 parts are missing.'],
    ['SCORE: 7', undefined],
  ])('in %j is the feedback', async (text, feedback) => {
    const judge = modelJudge(
      async () => ({ text, truncated: false }),
      'Be strict.',
      () => undefined,
    );
    expect(await judge('draft', { task: 't', signal: undefined })).toEqual({ score: 0.7, feedback });
  });
});
