import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutDescription } from './cut-description.ts';

it.each([
  ['fits', 'one two three', 13, 'one two three'],
  ['is cut behind a word', 'one two three four five', 16, 'one two […]'],
  ['is cut where a word ends', 'one two three four five', 17, 'one two three […]'],
  ['is cut behind a line', 'one two\nthree four five', 16, 'one two […]'],
  ['has no words', 'x'.repeat(20), 14, `${'x'.repeat(10)} […]`],
  ['has no words to cut behind', `a ${'x'.repeat(20)}`, 14, `a ${'x'.repeat(8)} […]`],
  ['has pairs of halves', '😀'.repeat(10), 15, `${'😀'.repeat(5)} […]`],
])('a text that %s', (_, text, most, wanted) => expect(cutDescription(text, most)).toBe(wanted));

it('any text is a beginning of itself and a mark, and never longer', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 8, max: 40 }),
      (text, most) => {
        const cut = cutDescription(text, most);
        expect(cut.length).toBeLessThanOrEqual(most);
        if (text.length <= most) return void expect(cut).toBe(text);
        expect(cut.endsWith(' […]')).toBe(true);
        expect(text.startsWith(cut.slice(0, -4))).toBe(true);
        expect(/\p{Surrogate}/u.test(cut)).toBe(false);
      },
    ),
  );
});
