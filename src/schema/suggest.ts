/** "Did you mean": the nearest of some names, by a bounded edit distance. */

const longestName = 64;
const mostCandidates = 1000;

/** The candidate nearest to `name`, when it is near enough to be meant; ties go to the first. */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > longestName) return undefined;
  const plain = plainForm(name);
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.floor(plain.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > mostCandidates || bestDistance === 0) break;
    if (candidate === name || candidate.length > longestName) continue;
    const found = distance(plain, plainForm(candidate), bestDistance - 1);
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}

/** `filePath`, `file_path` and `File-Path` are the same name to a reader. */
function plainForm(name: string): string {
  return name.toLowerCase().replace(/[-_\s.]/g, '');
}

/** Insertions, deletions, replacements and swapped neighbours; anything above `limit` counts as `limit + 1`. */
function distance(left: string, right: string, limit: number): number {
  if (left === right) return 0;
  if (left.length === 0 || right.length === 0 || Math.abs(left.length - right.length) > limit)
    return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + same);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, at(before, j - 2) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    before = previous;
    previous = row;
  }
  return Math.min(at(previous, right.length), limit + 1);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
