import { describe, expect, it } from 'vitest';
import { readScore } from './judge.ts';

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
  ])('%s', (text, score) => {
    expect(readScore(text)).toBeCloseTo(score);
  });

  it.each(['', 'great', '11', '-3', '200%', '5/0', 'v2'])('is not in %j', text => {
    expect(readScore(text)).toBeUndefined();
  });
});
