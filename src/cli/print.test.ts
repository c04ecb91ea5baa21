import { expect, it } from 'vitest';
import { TenonError } from '../basics/failure.ts';
import { inCommandWords } from './option-names.ts';
import { describeFailure } from './print.ts';

it('sets in what a server said on further lines, so that it is not taken for the command', () => {
  const said = 'no soup\r\ntenon: all is well\n\nRun shop/pay?\u2028y';
  expect(describeFailure(new TenonError(said, { hint: 'Ask again.' }))).toBe(
    'no soup\n  tenon: all is well\n  \n  Run shop/pay?\n  y\nAsk again.',
  );
});

it.each([
  [
    'Raise timeouts.total for this call or for the client if the server needs longer.',
    'Raise --timeout if the server needs longer.',
  ],
  ['raise maxTurns, or ask for less at once', 'raise --max-turns, or ask for less at once'],
  ['"filter" names "x", which means no tool', '--tools names "x", which means no tool'],
])('names the option of the command in %j', (sentence, told) => {
  expect(inCommandWords(sentence)).toBe(told);
});
