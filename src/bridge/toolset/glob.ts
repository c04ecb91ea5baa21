/** Patterns for names: `*` is any run of characters, `?` one; matched in time that no pattern can blow up. */

/** True for a pattern that means one name alone. */
export function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern) && !pattern.startsWith('!');
}

/** True when the whole of `name` fits `pattern`. */
export function matchesGlob(pattern: string, name: string): boolean {
  let at = 0;
  let inName = 0;
  /** Where to go on when what follows the last star does not fit: one character further into the name. */
  let star = -1;
  let retry = 0;
  while (inName < name.length) {
    const sign = pattern[at];
    if (sign === '*') {
      star = at;
      retry = inName;
      at += 1;
    } else if (sign === '?' || sign === name[inName]) {
      at += 1;
      inName += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      inName = retry;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/**
 * Whether a list of patterns takes `names` in, any of which may fit: the last pattern that fits decides, one that
 * begins with `!` against. A list that begins with such a one takes in all else.
 */
export function isListed(patterns: readonly string[], names: readonly string[]): boolean {
  let listed = patterns[0]?.startsWith('!') ?? false;
  for (const pattern of patterns) {
    const against = pattern.startsWith('!');
    const positive = against ? pattern.slice(1) : pattern;
    if (names.some(name => matchesGlob(positive, name))) listed = !against;
  }
  return listed;
}
