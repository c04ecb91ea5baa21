import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import { beginPatterns, compilePattern, PatternLimitError } from './pattern.ts';
import { runProgram } from './pattern-machine.ts';
import { parsePattern } from './pattern-parser.ts';
import { writeProgram } from './pattern-program.ts';

/** What the pattern says of a text. */
const matchesPattern = (source: string, text: string): boolean | undefined =>
  compilePattern(source)?.test(text);

const letters = fc.constantFrom('a', 'b', 'á', '😀', '-', '1', '\n', '\ud83d');
const characters = fc.constantFrom(
  ...[
    'a',
    'b',
    '😀',
    '.',
    '\\d',
    '\\w',
    '\\W',
    '\\s',
    '[ab]',
    '[^a]',
    '[a-]',
    '[]',
    '[^]',
    '\\x61',
    '\\u0061',
  ],
  ...['[\\]b]', '\\.', '\\n', '\\0'],
);
const quantifiers = fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{2,3}?');
/** Patterns that both flags allow, with every construct that the machine runs. */
const patterns = fc.letrec<{ any: string; part: string }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: fc.array(tie('part'), { maxLength: 4 }).map(parts => parts.join('')) },
    { weight: 1, arbitrary: fc.tuple(tie('any'), tie('any')).map(branches => branches.join('|')) },
  ),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: characters },
    { weight: 3, arbitrary: fc.tuple(characters, quantifiers).map(parts => parts.join('')) },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('(', '(?:'), tie('any'), fc.oneof(fc.constant(''), quantifiers))
        .map(([open, inside, quantifier]) => `${open}${inside})${quantifier}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('(?=', '(?!'), tie('any'))
        .map(([open, inside]) => `${open}${inside})`),
    },
    { weight: 1, arbitrary: fc.constantFrom('(a|b)\\1', '(?<n>a*)b\\k<n>', '(?:(a)|b)*') },
  ),
})).any;

function compileNative(source: string, flags: 'u' | ''): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** What the machine says, however cheap the pattern would be for the platform. */
function step(source: string, flags: 'u' | '', text: string, left = 200_000): boolean | undefined {
  const parsed = parsePattern(source, flags);
  if (!parsed?.known) throw new Error(`not read: ${source}`);
  const program = writeProgram(parsed, flags);
  if (program === undefined) throw new Error(`not written: ${source}`);
  return runProgram(program, flags === 'u' ? Array.from(text) : text.split(''), { left });
}

/**
 * What the platform says where it looks at whole characters only. Searching by itself, V8 also tries between the two
 * halves of a surrogate pair, where the language has no place to begin.
 */
function platformVerdict(source: string, flags: 'u' | '', text: string): boolean {
  if (flags === '') return new RegExp(source).test(text);
  const sticky = new RegExp(source, 'uy');
  let at = 0;
  for (const character of [...text, '']) {
    sticky.lastIndex = at;
    if (sticky.test(text)) return true;
    at += character.length;
  }
  return false;
}

describe('a pattern that is judged step by step', () => {
  it.each(['u', ''] as const)('has the verdict of the platform on every short text (flags "%s")', flags => {
    fc.assert(
      fc.property(patterns, fc.array(letters, { maxLength: 7 }), (source, parts) => {
        const native = compileNative(source, flags);
        const text = parts.join('');
        fc.pre(native !== undefined);
        const verdict = step(source, flags, text);
        // Only what remembers captures may use its steps up.
        if (verdict === undefined) expect(source).toMatch(/\\[1-9k]/);
        else expect([source, text, verdict]).toEqual([source, text, platformVerdict(source, flags, text)]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['^(?:(a)|b)*\\1$', 'u', ['ab', 'ba', 'baa', 'abb']],
    ['(?=(a+))a*b\\1', 'u', ['baaabac', 'aab', 'abab']],
    ['(z)((a+)?(b+)?(c))*\\4$', '', ['zaacbbbcac', 'zaacbbbcacbbb']],
    ['^(a?)*?b\\1$', 'u', ['aab', 'aaba', 'b']],
    ['^\\p{Lu}\\p{Ll}+$', 'u', ['Émile', 'émile', 'É']],
    ['^[^\\u{1F600}]$', 'u', ['😀', '😁', 'x']],
    ['^\\ud83d\\ude00{2}$', 'u', ['😀😀', '😀']],
    ['^a{,2}]}$', '', ['a{,2}]}', 'aa]}']],
    ['^\\-\\k\\_$', '', ['-k_', '-_']],
    ['^\\cJ\\x4$', '', ['\nx4', 'cJx4']],
    ['[\\b]|\\b', 'u', ['\b', '-', 'a']],
  ] as const)('has the verdict of the platform for %s', (source, flags, texts) => {
    for (const text of texts) expect(step(source, flags, text)).toBe(new RegExp(source, flags).test(text));
  });

  it('is undecided when its steps are used up', () => {
    expect(step('^(a*)*\\1b$', 'u', 'a'.repeat(40))).toBe(undefined);
    expect(step('^(a+)+$', 'u', `${'a'.repeat(1000)}!`, 500)).toBe(undefined);
  });
});

describe('the verdict on a costly pattern comes within its bounds', () => {
  beforeEach(beginPatterns);

  // Each of these takes the platform from minutes to longer than anyone lives.
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^(?:a?){40}a{40}b$',
    '(a*)*$b',
    '^(?=(?:a+)+$).',
    'a*a*a*a*a*a*a*a*b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ])('%s', source => {
    expect(matchesPattern(source, `${'a'.repeat(60)}!`)).toBe(false);
  });

  it('also for a long text, which is found to match', () => {
    expect(matchesPattern('^(a+)+$', 'a'.repeat(50_000))).toBe(true);
    expect(matchesPattern('^(a+)+$', `${'a'.repeat(50_000)}!`)).toBe(false);
    expect(matchesPattern('\\s+$', `${' '.repeat(20_000)}!`)).toBe(false);
  });

  it.each([
    ['a reference back', '^(a*)*\\1b$', 60],
    ['a lookbehind', '^(a+)+(?<!b)$', 60],
    ['a reference back beside a lookahead', '^((?:(?=a)a)+)+\\1$', 60],
    ['a text of a million characters', '^(a+)+$', 1_000_001],
    ['a loop that would be too long when written out', '^(?:(?:a?){100}){100}b$', 60],
  ])('or is withheld, for %s', (_, source, length) => {
    expect(() => matchesPattern(source, `${'a'.repeat(length)}!`)).toThrow(PatternLimitError);
  });

  it('or is withheld when the texts of one value have used up what they share', () => {
    const source = '^(a*)*\\1b$';
    const text = 'a'.repeat(60);
    for (let each = 0; each < 5; each++) expect(() => matchesPattern(source, text)).toThrow();
    expect(() => matchesPattern(source, 'a'.repeat(11))).toThrow(PatternLimitError);
    beginPatterns();
    expect(matchesPattern(source, 'a'.repeat(11))).toBe(false);
  });
});

it('everyday patterns are left to the platform, and lookbehind on short texts too', () => {
  expect(compilePattern('(?<!a)b+$')?.test('cb')).toBe(true);
  expect(compilePattern('^[\\w.-]+@[\\w-]+\\.[a-z]+$')?.test('a.b@example.com')).toBe(true);
});

describe('a schema with a costly pattern', () => {
  const text = `${'a'.repeat(40)}!`;
  const limit = { ok: false, issues: [{ path: [], keyword: 'limit' }] };
  /** A keyword that few schemas have. */
  const full = { unevaluatedProperties: true };

  it.each([
    ['everyday keywords', { type: 'string', pattern: '^(a+)+$' }, text],
    ['a schema with more keywords', { ...full, pattern: '^(a+)+$' }, text],
    ['names of properties', { patternProperties: { '^(a+)+!$': false } }, { [text]: 1 }],
    [
      'names beside others',
      { patternProperties: { '^(a+)+$': true }, additionalProperties: false },
      { [text]: 1 },
    ],
  ])('refuses what does not fit, by %s', async (_, schema, value) => {
    const verdict = await compileSchema(schema).validate(value);
    expect(verdict).toMatchObject({ ok: false });
    expect(JSON.stringify(verdict)).not.toContain('"limit"');
  });

  it.each([
    ['everyday keywords', { type: 'string', pattern: '^(a*)*\\1b$' }, text],
    ['a failing alternative', { anyOf: [{ pattern: '^(a*)*\\1b$' }, { type: 'number' }] }, text],
    ['a schema with more keywords', { ...full, pattern: '^(a*)*\\1b$' }, text],
    ['not', { not: { pattern: '^(a*)*\\1b$' } }, text],
    ['names of properties', { patternProperties: { '^(a*)*\\1b$': true } }, { [text]: 1 }],
  ])('says that it could not judge, by %s', async (_, schema, value) => {
    const verdict = await compileSchema(schema).validate(value);
    expect(verdict).toMatchObject(limit);
    expect(JSON.stringify(verdict)).toContain('could not be judged by the pattern ^(a*)*');
  });
});
