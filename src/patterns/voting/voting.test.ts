import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countVotes, decides } from './voting.ts';

describe('countVotes', () => {
  it('gives the most frequent answer in the words in which it was first written', () => {
    const tally = countVotes(['no', ' yes\n', 'yes', 'yes']);
    expect(tally).toEqual({
      winner: ' yes\n',
      ratio: 0.75,
      distinct: 2,
      tieCount: 1,
      counts: [
        { answer: ' yes\n', count: 3 },
        { answer: 'no', count: 1 },
      ],
    });
  });
  it('breaks a tie by who came first and says how many tied', () => {
    const tally = countVotes(['c', 'b', 'a', 'b', 'c', 'd']);
    expect(tally.winner).toBe('c');
    expect(tally.tieCount).toBe(2);
    expect(tally.counts.map(group => group.answer)).toEqual(['c', 'b', 'a', 'd']);
  });
  it('calls a unanimous vote a clean win of one', () => {
    expect(countVotes(['x', ' x '])).toMatchObject({ ratio: 1, distinct: 1, tieCount: 1 });
  });
  it('refuses an empty set', () => {
    expect(() => countVotes([])).toThrow(RangeError);
  });
  it('freezes what it gives', () => {
    const tally = countVotes(['x']);
    expect(Object.isFrozen(tally)).toBe(true);
    expect(Object.isFrozen(tally.counts)).toBe(true);
    expect(Object.isFrozen(tally.counts[0])).toBe(true);
  });
  it('treats names of Object.prototype as any other answer', () => {
    expect(countVotes(['__proto__', 'constructor', '__proto__']).winner).toBe('__proto__');
  });
  it('counts every answer exactly once, and no answer beats the winner', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', ' b', 'c'), { minLength: 1 }), answers => {
        const tally = countVotes(answers);
        const counts = tally.counts.map(group => group.count);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(answers.length);
        expect(Math.max(...counts)).toBe(tally.ratio * answers.length);
        expect(answers).toContain(tally.winner);
      }),
    );
  });
});

describe('a strategy decides', () => {
  const split = countVotes(['a', 'b', 'a']);
  it('by majority whatever the tally', () => expect(decides.majority(split)).toBe(true));
  it('unanimously only when there is one answer', () => {
    expect(decides.unanimous(split)).toBe(false);
    expect(decides.unanimous(countVotes(['a', ' a']))).toBe(true);
  });
});
