/** Compares figures with their baseline; pure. A figure is named `KIND: …`, and its kind says what it may differ by. */

/**
 * How far a figure of each kind may be above its baseline, as a share and at least so many; runtimes allocate a little
 * differently, files do not. `exact`: any difference is a fault. `needs`: the part of Node's version it depends on.
 */
const kinds = {
  files: { share: 0, least: 0 },
  modules: { exact: true },
  bytes: { share: 0.02, least: 0 },
  bundle: { share: 0.02, least: 300 },
  allocated: { share: 0.1, least: 0, needs: 'major' },
  heap: { share: 0.15, least: 0, needs: 'major' },
  instructions: { share: 0.05, least: 0, needs: 'all' },
};

const kindOf = name => kinds[name.slice(0, name.indexOf(':'))];

const versionParts = { major: version => version.split('.')[0], all: version => version };

/** Whether what depends on `needs` can be compared between two versions of Node. */
export const isComparable = (needs, one, other) =>
  needs === undefined || (one !== undefined && versionParts[needs](one) === versionParts[needs](other));

/**
 * `known` and `now` are figures with the `node` that they were made with; `skipped` tells of a name that it was not
 * measured this time. What fell by more than half is a fault as well: more often the count is broken than the code so
 * much better. A text in the place of a number says why there is none.
 */
export function compare(known, now, skipped = () => false) {
  const faults = [];
  const news = [];
  const names = new Set([...Object.keys(known), ...Object.keys(now)]);
  names.delete('node');
  let compared = 0;
  for (const name of names) {
    const kind = kindOf(name);
    if (skipped(name) || !isComparable(kind.needs, known.node, now.node)) continue;
    compared += 1;
    const [before, after] = [known[name], now[name]];
    if (before === undefined || after === undefined) {
      const where = before === undefined ? 'this run' : 'the baseline';
      faults.push(`${name} is in ${where} alone`);
    } else if (kind.exact) {
      if (before !== after) faults.push(`${name}: ${after || 'none'}; the baseline is ${before || 'none'}`);
    } else if (typeof after === 'string') faults.push(`${name}: ${after}`);
    else {
      const allowed = Math.max(before * kind.share, kind.least);
      if (after > before + allowed) faults.push(`${name}: ${after}, the baseline is ${before}`);
      else if (after < before / 2)
        faults.push(`${name}: ${after}, less than half of the ${before} of the baseline; look why`);
      else if (after < before - allowed) news.push(`${name}: ${after}, down from ${before}; worth --update`);
    }
  }
  return { faults, news, compared, left: names.size - compared };
}
