/** When two answers count as the same: what of an answer is left for the comparison; pure. */
import { canonicalJson } from '../../basics/fingerprint.ts';
import { extractJson } from '../text/extract-json.ts';

/**
 * - `exact`: to the last character
 * - `whitespace`: trimmed, each run of whitespace as one space; case and punctuation can carry the answer
 * - `case`: as `whitespace`, in any case, without punctuation at the end
 * - `number`: the number in it, whatever words stand around it. Answers with none, with several, or with what is more than
 *   a number (a fraction, percentage, time, date, range, power or unit written to it) as `whitespace`
 * - `json`: the JSON in it, whatever the order of members; answers without any as `whitespace`
 */
export type NormaliserName = 'exact' | 'whitespace' | 'case' | 'number' | 'json';

const collapse = (answer: string): string => answer.trim().replace(/\s+/gu, ' ');

export const normalisers: Readonly<Record<NormaliserName, (answer: string) => string>> = Object.freeze({
  exact: (answer: string) => answer,
  whitespace: collapse,
  case: (answer: string) =>
    collapse(answer)
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s.!?,;:]+$/u, ''),
  number: (answer: string) => {
    const number = onlyNumber(answer);
    return number === undefined ? `text ${collapse(answer)}` : `number ${number}`;
  },
  json: (answer: string) => {
    const found = extractJson(answer);
    return found.ok ? `json ${canonicalJson(found.value)}` : `text ${collapse(answer)}`;
  },
});

/**
 * Everything with a digit in it is looked at, and what is no plain number ends it: to take one of several for the answer would
 * make equals of 1/2 and 3/2. Commas between groups of three digits group thousands.
 */
function onlyNumber(answer: string): number | undefined {
  const [only, ...more] = answer
    .normalize('NFKC')
    .replaceAll('\u2212', '-')
    .split(/[\s={}()[\]*_`"'\p{Sc}]+|(?<=\p{L}):/u)
    .filter(token => /\p{N}/u.test(token))
    .map(token => token.replace(/[.,;:!?]+$/, ''));
  if (only === undefined || more.length > 0) return undefined;
  if (!/^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(only)) return undefined;
  const number = Number(only.replaceAll(',', ''));
  return Number.isFinite(number) ? number : undefined;
}
