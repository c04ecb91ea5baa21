/** Regular expressions that every engine behind a provider reads alike. */

/** What a bounded engine still takes. */
const mostRepeats = 1000;

/**
 * False for assertions beyond `^` and `$`, named groups, references back, classes by property, escapes that only some
 * engines know, and counts that are too high.
 */
export function isPlainPattern(pattern: string): boolean {
  const escapes = pattern.match(/\\[\s\S]?/g) ?? [];
  if (!escapes.every(each => /^\\[-dDwWsSnrtf^$\\.*+?()[\]{}|/]$/.test(each))) return false;
  // What an escape or a class holds is not syntax.
  const syntax = pattern.replace(/\\[\s\S]/g, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  if (/\(\?(?!:)/.test(syntax)) return false;
  const counts = [...syntax.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, low, high]) => [low, high]);
  return (
    counts.every(count => Number(count ?? 0) <= mostRepeats) && isPrintable(pattern) && compiles(pattern)
  );
}

function isPrintable(pattern: string): boolean {
  return /^[\x20-\x7e]*$/.test(pattern);
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
