/** When two answers count as the same: what of an answer is left for the comparison; pure. */
import { canonicalJson } from '../../basics/fingerprint.ts';
import { extractJson } from '../text/extract-json.ts';

/**
 * - `exact`: to the last character
 * - `whitespace`: trimmed, each run of whitespace as one space; case and punctuation can carry the answer
 * - `case`: as `whitespace`, in any case, without punctuation at the end
 * - `number`: the last number in it, whatever stands around it; answers without one as `whitespace`
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
    const number = lastNumber(answer);
    return number === undefined ? `text ${collapse(answer)}` : `number ${number}`;
  },
  json: (answer: string) => {
    const found = extractJson(answer);
    return found.ok ? `json ${canonicalJson(found.value)}` : `text ${collapse(answer)}`;
  },
});

/** The conclusion of a reasoned answer stands at its end. Commas between digits group thousands. */
function lastNumber(answer: string): number | undefined {
  const found = answer.match(
    /(?<![\w.])[-+\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])/giu,
  );
  const last = found?.at(-1);
  if (last === undefined) return undefined;
  const number = Number(last.replaceAll(',', '').replace('\u2212', '-'));
  return Number.isFinite(number) ? number : undefined;
}
