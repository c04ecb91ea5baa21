/** The guard of era words: only eras and extensions may name a revision or what belongs to one. */
import type { Literal } from '../../scripts/modules.mjs';
import type { Source, Violation } from './violation.ts';

const home = /^(eras|extensions)\//;

const dates = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const words = [
  'resultType',
  'inputRequests',
  'inputResponses',
  'requestState',
  'Mcp-Session-Id',
  'Last-Event-ID',
  'server/discover',
  'subscriptions/listen',
];
const numbers = [32020, 32021, 32022, 32002, 32042];

/** Every literal or property name outside the eras that only an era may know. Comments are free; tests are judged too. */
export function strayEraWords(source: Source): Violation[] {
  const found: Violation[] = [];
  for (const { path, literals } of source.values()) {
    if (home.test(path)) continue;
    for (const literal of literals) {
      const word = eraWord(literal);
      if (word === undefined || found.some(isSame(path, literal.line, `"${word}"`))) continue;
      found.push({
        file: path,
        line: literal.line,
        reason: `holds the era word "${word}"; only src/eras/ and src/extensions/ may know it`,
      });
    }
  }
  return found;
}

/** A word that is written out and joined to others on one line is one fault. */
function isSame(file: string, line: number, word: string): (other: Violation) => boolean {
  return other => other.file === file && other.line === line && other.reason.includes(word);
}

function eraWord({ value, kind }: Literal): string | undefined {
  if (typeof value === 'number') return numbers.includes(value) ? `-${value}` : undefined;
  if (kind === 'name') return words.find(word => word === value);
  const text = value.toLowerCase();
  const number = numbers.find(each => text.includes(`-${each}`));
  if (number !== undefined) return `-${number}`;
  return [...dates, ...words].find(word => text.includes(word.toLowerCase()));
}
